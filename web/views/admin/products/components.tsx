import { useEffect, useState } from 'preact/hooks'
import { loadPeople } from '../../../core/bugs/people.ts'
import { Button } from '../../../parts/button.tsx'
import { AT_ONCE, useFirstOf } from '../../../parts/first-of.tsx'
import { ScrollRegion } from '../../../parts/scroll-region.tsx'
import { TableHead } from '../../../parts/table-head.tsx'
import type { Change } from '../changes/change-draft.ts'
import { OldValue } from '../changes/changed-value.tsx'
import { FindBox } from '../changes/find-box.tsx'
import { isFound } from '../changes/is-found.ts'
import type { Place } from '../changes/use-place.ts'
import { ComponentDialog } from './component-dialog.tsx'
import { ComponentRow } from './component-row.tsx'
import { MoveBugsDialog } from './move-bugs-dialog.tsx'
import {
  type ComponentPart,
  loginsIn,
  openBugsInWords,
  type ProductComponent,
  type ProductState,
  partOf,
} from './product-state.ts'

interface Props {
  place: Place<ProductState>
  state: ProductState
}

const PART_TITLES: Record<ComponentPart | 'default_cc', (name: string) => string> = {
  name: (name) => `name of ${name}`,
  description: (name) => `description of ${name}`,
  default_assignee: (name) => `owner of ${name}`,
  default_qa_contact: (name) => `QA contact of ${name}`,
  triage_owner: (name) => `triage owner of ${name}`,
  triage_rotation: (name) => `triage rotation of ${name}`,
  default_cc: (name) => `CC list of ${name}`,
  is_open: (name) => `whether bugs can be filed in ${name}`,
}

/** What values are called here. */
const WORDS: Partial<Record<ComponentPart | 'default_cc', Record<string, string>>> = {
  default_qa_contact: { '': 'nobody' },
  triage_owner: { '': 'nobody' },
  triage_rotation: { '': 'none' },
  default_cc: { '': 'nobody' },
  is_open: { yes: 'open for new bugs', no: 'closed for new bugs' },
}

export function Components({ place, state }: Props) {
  const [dialog, setDialog] = useState<ProductComponent | Change | 'new'>()
  const [watched, setWatched] = useState<ProductComponent>()
  const [moved, setMoved] = useState<ProductComponent>()
  const { draft } = place
  const [text, setText] = useState('')
  const { components } = state.product
  const found = components.filter((it) => isFound(text, it.name, it.description))
  const { list, shown, more } = useFirstOf<ProductComponent, HTMLTableSectionElement>(found)
  const added = draft.changes.value.filter(({ key }) => key.startsWith('component new '))
  useEffect(() => {
    void loadPeople(shown.flatMap((it) => [it.default_assigned_to, it.default_qa_contact]).filter(Boolean))
  }, [state, text, shown.length])
  const change = (component: ProductComponent, part: ComponentPart | 'default_cc', before: string, after: string) =>
    place.change({
      key: `component ${component.id} ${part}`,
      title: PART_TITLES[part](component.name),
      before,
      after,
      words: WORDS[part] ?? { '': 'nothing' },
      call: { method: 'PUT', path: `/rest/component/${component.id}`, params: { [part]: paramOf(part, after) } },
    })
  return (
    <section class="card" aria-label="Components" id="components">
      <div class="admin-head">
        <h2>Components</h2>
        <span class="faint">
          {components.length}, {openBugsInWords(state)}
        </span>
        <span class="align-end">
          <Button size="small" icon="plus" onClick={() => setDialog('new')}>
            New component
          </Button>
        </span>
      </div>
      {components.length > AT_ONCE && (
        <FindBox label="Find a component" text={text} onText={setText} found={found.length} />
      )}
      <ScrollRegion class="scroll-box" label="Components, as a table">
        <table class="table admin-table stacked-table component-table">
          <TableHead
            columns={[
              'Component',
              'Owner',
              'QA contact',
              'Watchers',
              'Open bugs',
              { title: 'Actions', isHidden: true },
            ]}
          />
          <tbody ref={list}>
            {shown.map((component) => (
              <ComponentRow
                key={component.id}
                {...{ place, state, component }}
                onEdit={() => setDialog(component)}
                onWatch={() => setWatched(component)}
                onMove={() => setMoved(component)}
                onOpen={(is) => change(component, 'is_open', partOf(component, 'is_open'), is)}
              />
            ))}
            {added.map((it) => (
              <tr key={it.key} class="is-unsaved">
                <th scope="row">
                  <bdi>{it.after}</bdi> <OldValue change={it} />
                </th>
                <td data-label="Owner">{String(it.call.params?.default_assignee ?? '')}</td>
                <td data-label="QA contact">{String(it.call.params?.default_qa_contact ?? '') || 'nobody'}</td>
                <td data-label="Watchers">{loginsOf(it).length || 'nobody'}</td>
                <td />
                <td>
                  <Button size="small" kind="quiet" onClick={() => setDialog(it)}>
                    Edit
                  </Button>
                  <Button size="small" kind="quiet" onClick={() => draft.drop(it.key)}>
                    Remove
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {more && <div class="admin-note">{more}</div>}
      {moved !== undefined && (
        <MoveBugsDialog
          from={{ product: state.product.name, field: 'component', name: moved.name }}
          word="component"
          targets={components.filter(({ id }) => id !== moved.id).map(({ name }) => name)}
          onDone={() => void place.reload()}
          onClose={() => setMoved(undefined)}
        />
      )}
      {(dialog ?? watched) !== undefined && (
        <ComponentDialog
          {...{ place, state }}
          component={dialog ?? watched ?? 'new'}
          isForWatchers={watched !== undefined}
          onChange={change}
          onClose={() => {
            setDialog(undefined)
            setWatched(undefined)
          }}
        />
      )}
    </section>
  )
}

function loginsOf({ call }: Change) {
  const logins = call.params?.default_cc
  return Array.isArray(logins) ? logins : []
}

function paramOf(part: ComponentPart | 'default_cc', value: string) {
  if (part === 'is_open') return value === 'yes'
  if (part !== 'default_cc') return value
  return loginsIn(value)
}
