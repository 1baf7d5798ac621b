import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { visibleText } from '../../../shared/text/visible-text.ts'
import { post, remove } from '../../core/server/rest.ts'
import { exactTime, shortDate } from '../../core/times.ts'
import { showToast } from '../../core/toasts.ts'
import { Button } from '../button.tsx'
import { useFocusAfterRemoval, useFocusBack } from '../focus-back.ts'
import { FormFault } from '../form-fault.tsx'
import { Person } from '../person.tsx'
import { TextWithLinks } from '../text/text-with-links.tsx'
import { Time } from '../time.tsx'
import { useSubmit } from '../use-submit.ts'
import { AgentIcon } from './agent-icon.tsx'
import { DeclineForm } from './decline-form.tsx'
import { ifStillSo } from './if-still-so.ts'
import { ProposalRow } from './proposal-row.tsx'
import { isTakeable, type Proposal, whatIsProposed } from './proposal-words.ts'
import { ProposedFile } from './proposed-file.tsx'

interface Props {
  proposal: Proposal
  /** The bug or summary, where it is not on the page of the bug. */
  title?: ComponentChildren
  /** After it was decided, in part or as a whole. `bugId` is the bug that was changed or filed. */
  onDecided(done: { bugId: number | undefined }): void
}

/** A proposal of an agent: dashed, because nobody has decided it yet. */
export function ProposalCard({ proposal, title, onDecided }: Props) {
  const id = useId()
  useFocusAfterRemoval()
  return (
    <section class="proposal-card" aria-labelledby={id} tabIndex={-1}>
      <Head proposal={proposal} id={id} title={title} />
      {proposal.reason !== '' && (
        <p class="proposal-why" dir="auto">
          <TextWithLinks text={visibleText(proposal.reason)} bugId={proposal.bug_id} />
        </p>
      )}
      <Decision proposal={proposal} onDecided={onDecided} />
    </section>
  )
}

function Head({ proposal, id, title }: Pick<Props, 'proposal' | 'title'> & { id: string }) {
  const { source, author_detail: author, author: login, created_at, expires_at, status } = proposal
  return (
    <header class="proposal-head">
      <span class="avatar avatar-28 proposal-agent" aria-hidden="true">
        <AgentIcon />
      </span>
      <div class="grow">
        {title}
        <div class="proposal-title" id={id}>
          <span class="visually-hidden">Proposal {proposal.id}: </span>
          <b class="break-anywhere">{source.name === undefined ? 'An agent' : <bdi>{visibleText(source.name)}</bdi>}</b>{' '}
          <span class="badge">agent</span> <span class="muted">proposes {whatIsProposed(proposal)}</span>{' '}
          <Time at={created_at} />
        </div>
        <div class="hint">
          Runs for <Person person={author} short={false} link /> <bdi class="faint">{login}</bdi>, and may propose but
          not change. {STATUS_WORDS[status]}
          {status === 'open' && (
            <>
              {' '}
              It expires on <time title={exactTime(expires_at)}>{shortDate(expires_at)}</time>.
            </>
          )}
        </div>
      </div>
    </header>
  )
}

const STATUS_WORDS: Readonly<Record<Proposal['status'], string>> = {
  open: 'Nothing has been changed yet.',
  outdated: 'What it would change has changed since, so it cannot be accepted.',
  accepted: 'It was accepted, at least in part.',
  declined: 'It was declined.',
  withdrawn: 'Its author has taken it back.',
  expired: 'It has expired.',
  ended: 'It has ended, because its key or account has, or its author no longer sees the bug.',
  hidden: 'It was hidden as misuse.',
}

/** New bugs and files are decided as a whole. */
const WHOLE: readonly Proposal['kind'][] = ['bug', 'attachment']

function Decision({ proposal, onDecided }: Pick<Props, 'proposal' | 'onDecided'>) {
  const { id, kind, rows, can_accept, can_decline, can_withdraw } = proposal
  const takeable = rows.filter(isTakeable)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [isDeclining, setDeclining] = useState(false)
  const decline = useFocusBack(isDeclining)
  const isChosen = can_accept && !WHOLE.includes(kind) && takeable.length > 1
  const taken = takeable.filter(({ name }) => !left.has(name))
  const showAgain = () => onDecided({ bugId: undefined })
  const accept = async () => {
    const { digest } = proposal
    const chosen = isChosen ? { rows: taken.map(({ name }) => name) } : {}
    const { bug_id: bugId } = await post('/proposal/:id/accept', { id, digest, ...chosen })
    showToast({
      kind: 'done',
      text: kind === 'bug' ? `Bug ${bugId} is filed in your name.` : 'Accepted: it is done in your name.',
    })
    onDecided({ bugId })
  }
  const { submit, isBusy, fault } = useSubmit(() => ifStillSo(accept, showAgain))
  const take = (name: string, isTaken: boolean) => {
    const next = new Set(left)
    if (isTaken) next.delete(name)
    else next.add(name)
    setLeft(next)
  }
  const withdraw = useSubmit(() => ifStillSo(() => remove('/proposal/:id', { id }).then(showAgain), showAgain))
  return (
    <>
      <form onSubmit={submit}>
        <ul class="proposal-rows" aria-label="What is proposed">
          {rows.map((row) => (
            <ProposalRow
              key={row.name}
              proposal={proposal}
              row={row}
              isTaken={isChosen ? !left.has(row.name) : undefined}
              onTake={(isTaken) => take(row.name, isTaken)}
            />
          ))}
        </ul>
        {kind === 'attachment' && proposal.status === 'open' && (
          <div class="proposal-file">
            <ProposedFile id={id} />
          </div>
        )}
        <FormFault text={(fault ?? withdraw.fault)?.message} />
        {(can_accept || can_decline || can_withdraw) && !isDeclining && (
          <footer class="row wrap proposal-foot">
            {can_accept && takeable.length > 0 && (
              <Button
                kind="primary"
                icon="check"
                type="submit"
                isBusy={isBusy}
                unavailable={taken.length === 0 ? 'Choose what to accept first' : undefined}
              >
                {acceptWords(proposal, taken.length, isChosen)}
              </Button>
            )}
            {can_decline && (
              <button ref={decline} type="button" class="button" onClick={() => setDeclining(true)}>
                Decline…
              </button>
            )}
            {can_withdraw && (
              <Button isBusy={withdraw.isBusy} onClick={(event) => void withdraw.submit(event)}>
                Withdraw
              </Button>
            )}
            {can_accept && <span class="hint align-end">What is accepted is done in your name, with your rights.</span>}
          </footer>
        )}
      </form>
      {isDeclining && (
        <DeclineForm
          id={id}
          onClose={() => setDeclining(false)}
          onDeclined={() => onDecided({ bugId: proposal.bug_id })}
        />
      )}
    </>
  )
}

function acceptWords({ kind, rows }: Proposal, taken: number, isChosen: boolean) {
  if (kind === 'bug') return 'File this bug'
  if (kind === 'attachment') return 'Attach this file'
  const open = rows.filter(({ status }) => status === 'open').length
  return isChosen || open > taken ? `Accept ${taken} of ${open}` : 'Accept'
}
