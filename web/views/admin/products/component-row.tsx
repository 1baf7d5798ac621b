import { personBy } from '../../../core/bugs/people.ts'
import { hrefOf } from '../../../core/router.ts'
import { Icon } from '../../../parts/icon.tsx'
import { Menu } from '../../../parts/menu.tsx'
import { Person } from '../../../parts/person.tsx'
import type { Change } from '../changes/change-draft.ts'
import { ChangedValue } from '../changes/changed-value.tsx'
import type { Place } from '../changes/use-place.ts'
import { ccOf, openBugsAddress, type ProductComponent, type ProductState, partOf } from './product-state.ts'
import { Watchers } from './watchers.tsx'

interface Props {
  place: Place<ProductState>
  state: ProductState
  component: ProductComponent
  onEdit(): void
  onWatch(): void
  onMove(): void
  onOpen(is: string): void
}

/** One component, what of it is changed, and what can be done with it. */
export function ComponentRow({ place, state, component, onEdit, onWatch, onMove, onOpen }: Props) {
  const { draft } = place
  const { id, name } = component
  const changeOf = (part: string) => draft.get(`component ${id} ${part}`)
  const removal = draft.get(`component ${id}`)
  const isOpen = draft.valueOf(`component ${id} is_open`, partOf(component, 'is_open')) === 'yes'
  const isChanged = draft.changes.value.some(
    ({ key }) => key === `component ${id}` || key.startsWith(`component ${id} `),
  )
  const remove = () =>
    removal !== undefined
      ? draft.drop(removal.key)
      : place.change({
          key: `component ${id}`,
          title: `component ${name}`,
          before: name,
          after: '',
          isFinal: true,
          call: { method: 'DELETE', path: `/rest/component/${id}`, params: { in_steps: true } },
        })
  return (
    <tr class={[isChanged && 'is-unsaved', !isOpen && 'is-closed'].filter(Boolean).join(' ')}>
      <th scope="row">
        <Value change={changeOf('name')} saved={name} /> {!isOpen && <span class="badge">closed for new bugs</span>}{' '}
        {removal !== undefined && <span class="changed-value small">will be deleted</span>}
        <div class="faint small">
          <Value change={changeOf('description')} saved={component.description} />
        </div>
      </th>
      <td data-label="Owner">
        <PersonValue change={changeOf('default_assignee')} saved={component.default_assigned_to} />
      </td>
      <td data-label="QA contact">
        <PersonValue change={changeOf('default_qa_contact')} saved={component.default_qa_contact} />
      </td>
      <td data-label="Watchers">
        <Watchers saved={ccOf(state, component)} change={changeOf('default_cc')} {...{ name, onWatch }} />
      </td>
      <td data-label="Open bugs">
        <a class="link" href={hrefOf(openBugsAddress(state, { component: name }))}>
          {state.open.get(`component ${name}`) ?? 0}
          <span class="visually-hidden"> open bugs of {name}</span>
        </a>
      </td>
      <td>
        <Menu
          label={`Actions for ${name}`}
          at="end"
          buttonClass="icon-button icon-button-small"
          button={<Icon name="more" />}
          items={[
            { name: 'Edit…', icon: 'edit', run: onEdit },
            { name: 'Move its bugs…', icon: 'arrow', run: onMove },
            {
              name: isOpen ? 'Close for new bugs' : 'Open for new bugs',
              icon: 'lock',
              run: () => onOpen(isOpen ? 'no' : 'yes'),
            },
            { name: removal === undefined ? 'Delete' : 'Do not delete', icon: 'trash', isDangerous: true, run: remove },
          ]}
        />
      </td>
    </tr>
  )
}

function Value({ change, saved }: { change: Change | undefined; saved: string }) {
  return change === undefined ? <bdi>{saved}</bdi> : <ChangedValue {...change} />
}

function PersonValue({ change, saved }: { change: Change | undefined; saved: string }) {
  if (change !== undefined) return <ChangedValue {...change} />
  return saved === '' ? <span class="faint">nobody</span> : <Person person={personBy(saved)} link />
}
