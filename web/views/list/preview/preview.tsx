import { useEffect, useState } from 'preact/hooks'
import { me } from '../../../core/account/session.ts'
import { isShownField } from '../../../core/bugs/hidden-fields.ts'
import { bugAddress, hrefOf } from '../../../core/router.ts'
import type { Bug } from '../../../core/server/types.ts'
import { showFault } from '../../../core/toasts.ts'
import { IconButton } from '../../../parts/button.tsx'
import { Priority, Severity, Status } from '../../../parts/glyphs.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { Person } from '../../../parts/person.tsx'
import { keepComposer, readComposer } from '../../bug/composer/composer-draft.ts'
import { sendComment } from '../../bug/composer/send.ts'
import { selectedBugs, showPreview } from '../state.ts'
import { LatestComments } from './preview-comments.tsx'

const FOLLOWS_MILLISECONDS = 80

interface Props {
  bug: Bug | undefined
  onMove(step: 1 | -1): void
  onSelect(bug: Bug): void
}

/** The current bug beside the list. It follows a moment later, so that moving through the list stays quick. */
export function Preview({ bug, onMove, onSelect }: Props) {
  const [shown, setShown] = useState(bug)
  useEffect(() => {
    const timer = setTimeout(() => setShown(bug), FOLLOWS_MILLISECONDS)
    return () => clearTimeout(timer)
  }, [bug])
  if (shown === undefined)
    return (
      <aside class="pv" aria-label="Preview">
        <p class="pv-b faint">
          <kbd>j</kbd> and <kbd>k</kbd> move through the list. The bug is shown here.
        </p>
      </aside>
    )
  return (
    <aside class="pv" aria-label={`Preview of bug ${shown.id}`}>
      <div class="pv-h">
        <span class="c-id">{shown.id}</span>
        <Status value={shown.status} isOpen={shown.is_open} />
        <span class="push row pv-a">
          {me.value !== undefined && (
            <IconButton
              name="Select"
              icon="task"
              shortcut="x"
              size="s"
              isPressed={selectedBugs.value.has(shown.id)}
              onClick={() => onSelect(shown)}
            />
          )}
          <IconButton name="Previous" icon="up" shortcut="k" size="s" onClick={() => onMove(-1)} />
          <IconButton name="Next" icon="down" shortcut="j" size="s" onClick={() => onMove(1)} />
          <a class="btn btn-s" href={hrefOf(bugAddress(shown.id))}>
            Open
          </a>
          <IconButton name="Close the preview" icon="x" shortcut="Esc" size="s" onClick={() => showPreview(false)} />
        </span>
      </div>
      <Content key={shown.id} bug={shown} />
    </aside>
  )
}

function Content({ bug }: { bug: Bug }) {
  const [sent, setSent] = useState(0)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it */}
      <section class="pv-b" tabIndex={0} aria-label={`Bug ${bug.id}`}>
        <h2 class="pv-t" dir="auto">
          {bug.summary}
        </h2>
        {bug.groups.length > 0 && (
          <div class="pv-sec secret small">
            <Icon name="lock" size="s" /> Only {bug.groups.join(', ')} and those involved
          </div>
        )}
        <Facts bug={bug} />
        <LatestComments bug={bug} sent={sent} />
      </section>
      {me.value !== undefined && <Reply bug={bug.id} onSent={() => setSent(sent + 1)} />}
    </>
  )
}

function Facts({ bug }: { bug: Bug }) {
  return (
    <dl class="pv-f">
      <dt>Priority</dt>
      <dd>
        <Priority value={bug.priority} />
      </dd>
      <dt>Severity</dt>
      <dd>
        <Severity value={bug.severity} />
      </dd>
      <dt>Assignee</dt>
      <dd>{bug.assigned_to_detail === undefined ? '–' : <Person person={bug.assigned_to_detail} link />}</dd>
      <dt>Component</dt>
      <dd>
        {bug.product}: {bug.component}
      </dd>
      {bug.target_milestone !== '---' && bug.target_milestone !== '' && isShownField('target_milestone') && (
        <>
          <dt>Milestone</dt>
          <dd>{bug.target_milestone}</dd>
        </>
      )}
      <Bugs title="Blocks" ids={bug.blocks} />
      <Bugs title="Depends on" ids={bug.depends_on} />
      {bug.flags !== undefined && bug.flags.length > 0 && (
        <>
          <dt>Requests</dt>
          <dd>
            {bug.flags.map(({ id, name, status, requestee }) => (
              <span key={id} class={status === '?' ? 'flag flag-q' : 'flag'}>
                <b>
                  {name}
                  {status}
                </b>{' '}
                {requestee}
              </span>
            ))}
          </dd>
        </>
      )}
    </dl>
  )
}

function Bugs({ title, ids }: { title: string; ids: readonly number[] }) {
  if (ids.length === 0) return null
  return (
    <>
      <dt>{title}</dt>
      <dd>
        {ids.map((id) => (
          <a key={id} class="ref" href={hrefOf(bugAddress(id))}>
            {id}
          </a>
        ))}
      </dd>
    </>
  )
}

/** The draft is that of the page of the bug: what is begun here can be finished there. */
function Reply({ bug, onSent }: { bug: number; onSent(): void }) {
  const [draft, setDraft] = useState(() => readComposer(bug))
  const change = (text: string) => {
    const next = { ...draft, text }
    setDraft(next)
    keepComposer(bug, next)
  }
  const send = async () => {
    if (draft.text.trim() === '') return
    try {
      await sendComment(bug, draft)
      change('')
      onSent()
    } catch (fault) {
      showFault(fault)
    }
  }
  return (
    <form class="pv-r">
      <textarea
        class="input"
        rows={1}
        aria-label={`Write a comment on bug ${bug}; Enter sends it`}
        placeholder={draft.isPrivate ? 'Write a private comment' : 'Write a comment'}
        value={draft.text}
        onInput={(event) => change(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
          event.preventDefault()
          void send()
        }}
      />
    </form>
  )
}
