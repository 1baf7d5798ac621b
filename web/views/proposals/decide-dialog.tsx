import { useEffect, useState } from 'preact/hooks'
import type { Answer } from '../../../client/call-types.ts'
import { visibleText } from '../../../shared/text/visible-text.ts'
import { useFields } from '../../core/bugs/fields.ts'
import { post } from '../../core/server/rest.ts'
import { showToast } from '../../core/toasts.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FormFault } from '../../parts/form-fault.tsx'
import { lineLabel, type Proposal, titleOf } from '../../parts/proposals/proposal-words.ts'
import { ScrollRegion } from '../../parts/scroll-region.tsx'

type Decision = 'accept' | 'decline'
type Result = Answer<'POST /proposal/decide'>

interface Props {
  proposals: readonly Proposal[]
  onClose(): void
  onDone(): void
}

/** Decides all that are shown, after a preview of each: exactly these, as they are shown here. */
export function DecideDialog({ proposals, onClose, onDone }: Props) {
  const [decision, setDecision] = useState<Decision>('accept')
  const [preview, setPreview] = useState<Result>()
  const [fault, setFault] = useState<Error>()
  const [isBusy, setBusy] = useState(false)
  const wanted = proposals.map(({ id, digest }) => ({ id, digest }))
  useEffect(() => {
    let isOver = false
    setPreview(undefined)
    setFault(undefined)
    post('/proposal/decide', { decision, proposals: wanted, dry_run: true }).then(
      (result) => !isOver && setPreview(result),
      (reason: Error) => !isOver && setFault(reason),
    )
    return () => {
      isOver = true
    }
  }, [decision])
  const decide = async () => {
    const ids = new Set(preview?.decided.map(({ id }) => id))
    setBusy(true)
    try {
      const done = await post('/proposal/decide', { decision, proposals: wanted.filter(({ id }) => ids.has(id)) })
      const words = decision === 'accept' ? 'accepted' : 'declined'
      const left = done.refused.length === 0 ? '' : ` ${done.refused.length} could not be.`
      showToast({ kind: 'done', text: `${done.decided.length} ${words}.${left}` })
      onDone()
      onClose()
    } catch (reason) {
      setFault(reason as Error)
    }
    setBusy(false)
  }
  const count = preview?.decided.length ?? 0
  return (
    <Dialog
      title={`Decide ${proposals.length} proposals`}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind={decision === 'accept' ? 'primary' : 'danger'}
            isBusy={isBusy}
            unavailable={count === 0 ? 'None of them can be decided so' : undefined}
            onClick={() => void decide()}
          >
            {decision === 'accept' ? 'Accept' : 'Decline'} {count}
          </Button>
        </>
      }
    >
      <fieldset class="row wrap">
        <legend class="visually-hidden">What to do</legend>
        {(['accept', 'decline'] as const).map((it) => (
          <label key={it} class="checkbox-label">
            <input type="radio" name="decision" checked={decision === it} onChange={() => setDecision(it)} />
            <span>{it === 'accept' ? 'Accept: it is done in your name' : 'Decline'}</span>
          </label>
        ))}
      </fieldset>
      <FormFault text={fault?.message} />
      {preview === undefined && fault === undefined && (
        <p class="muted" role="status">
          Trying what would happen…
        </p>
      )}
      {preview !== undefined && <Preview preview={preview} proposals={proposals} />}
    </Dialog>
  )
}

function Preview({ preview: { decided, refused }, proposals }: { preview: Result; proposals: readonly Proposal[] }) {
  const fields = useFields()
  const of = (id: number) => proposals.find((it) => it.id === id)
  return (
    <ScrollRegion class="bulk-table" label="What would happen">
      <ul class="stack">
        {refused.map(({ id, message }) => (
          <li key={id}>
            <b dir="auto">{titleIn(of(id))}</b>
            <div class="warn" dir="auto">
              {visibleText(message)}
            </div>
          </li>
        ))}
        {decided.map(({ id, changes }) => (
          <li key={id}>
            <b dir="auto">{titleIn(of(id))}</b>
            {changes.map((line, place) => {
              const proposal = of(id)
              return (
                <div key={place} class="proposal-preview">
                  {proposal !== undefined && lineLabel(fields, line, proposal)}:{' '}
                  {line.removed !== '' && (
                    <>
                      <bdi>{visibleText(line.removed)}</bdi> →{' '}
                    </>
                  )}
                  <bdi>{visibleText(line.added) || 'none'}</bdi>
                </div>
              )
            })}
          </li>
        ))}
      </ul>
    </ScrollRegion>
  )
}

function titleIn(proposal: Proposal | undefined) {
  return proposal === undefined ? '' : titleOf(proposal)
}
