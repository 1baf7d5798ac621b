import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { me } from '../../../core/account/session.ts'
import { isShownField } from '../../../core/bugs/hidden-fields.ts'
import { bugAddress, hrefOf } from '../../../core/router.ts'
import type { Bug } from '../../../core/server/types.ts'
import { Button, IconButton } from '../../../parts/button.tsx'
import { Priority, Severity, Status } from '../../../parts/glyphs.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { Person } from '../../../parts/person.tsx'
import { keepComposer, readComposer } from '../../bug/composer/composer-draft.ts'
import { sendComment, showNotSent } from '../../bug/composer/send.ts'
import { isPreviewDrawn, selectedBugs, showPreview } from '../state.ts'
import { LatestComments } from './preview-comments.tsx'
import { RowEditor } from './row-editor.tsx'
import { editedValue, rowField } from './row-fields.ts'

const FOLLOWS_MILLISECONDS = 80

interface Props {
  bug: Bug | undefined
  /** After a value was changed. */
  onSaved(id: number): void
  onMove(step: 1 | -1): void
  onSelect(bug: Bug): void
}

/** The current bug beside the list. It follows a moment later, so that moving through the list stays quick. */
export function Preview({ bug, onSaved, onMove, onSelect }: Props) {
  const [shown, setShown] = useState(bug)
  useEffect(() => {
    const timer = setTimeout(() => setShown(bug), FOLLOWS_MILLISECONDS)
    return () => clearTimeout(timer)
  }, [bug])
  if (shown === undefined)
    return (
      <aside class="preview" aria-label="Preview">
        <p class="preview-body faint">
          <kbd>J</kbd> and <kbd>K</kbd> move through the list. The bug is shown here.
        </p>
      </aside>
    )
  return (
    <aside class="preview" aria-label={`Preview of bug ${shown.id}`}>
      <div class="preview-head">
        <span class="cell-id">{shown.id}</span>
        <Status value={shown.status} isOpen={shown.is_open} />
        <span class="align-end row preview-actions">
          {me.value !== undefined && (
            <IconButton
              name="Select"
              icon="task"
              shortcut="x"
              size="small"
              isPressed={selectedBugs.value.has(shown.id)}
              onClick={() => onSelect(shown)}
            />
          )}
          <IconButton name="Previous" icon="up" shortcut="k" size="small" onClick={() => onMove(-1)} />
          <IconButton name="Next" icon="down" shortcut="j" size="small" onClick={() => onMove(1)} />
          <a class="button button-small" href={hrefOf(bugAddress(shown.id))}>
            Open
          </a>
          <IconButton
            name="Close the preview"
            icon="x"
            shortcut="Esc"
            size="small"
            onClick={() => showPreview(false)}
          />
        </span>
      </div>
      <Content key={shown.id} bug={shown} onSaved={() => onSaved(shown.id)} />
    </aside>
  )
}

function Content({ bug, onSaved }: { bug: Bug; onSaved(): void }) {
  const [sent, setSent] = useState(0)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it */}
      <section class="preview-body" tabIndex={0} aria-label={`Bug ${bug.id}`}>
        <h2 class="preview-title" dir="auto">
          {bug.summary}
        </h2>
        {bug.groups.length > 0 && (
          <div class="preview-access secret small">
            <Icon name="lock" size="small" /> Only {bug.groups.join(', ')} and those involved
          </div>
        )}
        <OtherValue bug={bug} onSaved={onSaved} />
        <Facts bug={bug} onSaved={onSaved} />
        <LatestComments bug={bug} sent={sent} />
      </section>
      {me.value !== undefined && <Reply bug={bug.id} onSent={() => setSent(sent + 1)} />}
    </>
  )
}

const FACTS = ['priority', 'severity', 'assigned_to', 'component', 'target_milestone']

/** The editor of a value that the preview does not list. */
function OtherValue({ bug, onSaved }: { bug: Bug; onSaved(): void }) {
  const edited = editedValue.value
  const field = edited?.bug === bug.id && isPreviewDrawn() ? rowField(edited.field) : undefined
  if (field === undefined || isListed(bug, field.name)) return null
  return (
    <div class="preview-editor">
      <b>{field.label}</b>
      <RowEditor key={field.name} bug={bug} field={field} onSaved={onSaved} />
    </div>
  )
}

function isListed(bug: Bug, name: string) {
  return FACTS.includes(name) && (name !== 'target_milestone' || hasMilestone(bug))
}

function hasMilestone({ target_milestone: milestone }: Bug) {
  return milestone !== '---' && milestone !== '' && isShownField('target_milestone')
}

interface FactProps {
  bug: Bug
  name: string
  onSaved(): void
  children: ComponentChildren
}

/** A click on the value changes it. */
function Fact({ bug, name, onSaved, children }: FactProps) {
  const field = rowField(name)
  if (field === undefined) return null
  const edited = editedValue.value
  const isEdited = edited?.bug === bug.id && edited.field === name && isPreviewDrawn()
  return (
    <>
      <dt>{field.label}</dt>
      <dd>
        {isEdited ? (
          <RowEditor bug={bug} field={field} onSaved={onSaved} />
        ) : me.value === undefined ? (
          children
        ) : (
          <button
            type="button"
            class="bug-fact preview-value"
            data-value={name}
            title={`Change ${field.label}`}
            onClick={() => {
              editedValue.value = { bug: bug.id, field: name }
            }}
          >
            <span class="visually-hidden">{field.label}: </span>
            {children}
          </button>
        )}
      </dd>
    </>
  )
}

function Facts({ bug, onSaved }: { bug: Bug; onSaved(): void }) {
  const fact = { bug, onSaved }
  return (
    <dl class="preview-fields">
      <Fact {...fact} name="priority">
        <Priority value={bug.priority} />
      </Fact>
      <Fact {...fact} name="severity">
        <Severity value={bug.severity} />
      </Fact>
      <Fact {...fact} name="assigned_to">
        {bug.assigned_to_detail === undefined ? '–' : <Person person={bug.assigned_to_detail} />}
      </Fact>
      <Fact {...fact} name="component">
        <span dir="auto">
          {bug.product}: {bug.component}
        </span>
      </Fact>
      {hasMilestone(bug) && (
        <Fact {...fact} name="target_milestone">
          <span dir="auto">{bug.target_milestone}</span>
        </Fact>
      )}
      <Bugs title="Blocks" ids={bug.blocks} />
      <Bugs title="Depends on" ids={bug.depends_on} />
      {bug.flags !== undefined && bug.flags.length > 0 && (
        <>
          <dt>Requests</dt>
          <dd>
            {bug.flags.map(({ id, name, status, requestee }) => (
              <span key={id} class={status === '?' ? 'flag flag-requested' : 'flag'}>
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
          <a key={id} class="reference" href={hrefOf(bugAddress(id))}>
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
  const [isBusy, setBusy] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  const send = async () => {
    if (draft.text.trim() === '' || isBusy) return
    setBusy(true)
    try {
      await sendComment(bug, draft)
      change('')
      onSent()
      area.current?.focus()
    } catch (fault) {
      showNotSent(fault, () => void send())
    }
    setBusy(false)
  }
  return (
    <form
      class="preview-reply"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <textarea
        ref={area}
        class="input"
        rows={1}
        aria-label={`Write a comment on bug ${bug}; Ctrl Enter sends it`}
        placeholder={draft.isPrivate ? 'Write a private comment' : 'Write a comment'}
        value={draft.text}
        onInput={(event) => change(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') document.querySelector<HTMLElement>('.bug-table')?.focus({ preventScroll: true })
        }}
      />
      {draft.text.trim() !== '' && (
        <Button size="small" kind="primary" type="submit" shortcut="Ctrl Enter" isBusy={isBusy}>
          Comment
        </Button>
      )}
    </form>
  )
}
