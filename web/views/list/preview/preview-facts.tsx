import type { ComponentChildren } from 'preact'
import { me } from '../../../core/account/session.ts'
import { isShownField } from '../../../core/bugs/hidden-fields.ts'
import { bugAddress, hrefOf } from '../../../core/router.ts'
import type { Bug } from '../../../core/server/types.ts'
import { Priority, Severity } from '../../../parts/glyphs.tsx'
import { Person } from '../../../parts/person.tsx'
import { isPreviewDrawn } from '../state.ts'
import { RowEditor } from './row-editor.tsx'
import { editedValue, rowField } from './row-fields.ts'

const FACTS = ['priority', 'severity', 'assigned_to', 'component', 'target_milestone']

/** The editor of a value that the preview does not list. */
export function OtherValue({ bug, onSaved }: { bug: Bug; onSaved(): void }) {
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

/** The values of a bug, each with its editor. */
export function Facts({ bug, onSaved }: { bug: Bug; onSaved(): void }) {
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
