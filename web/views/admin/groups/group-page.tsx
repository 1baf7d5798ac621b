import { reasonWithoutFunction } from '../../../../shared/system-group-names.ts'
import { loadSession } from '../../../core/account/session.ts'
import { go } from '../../../core/router.ts'
import { showToast } from '../../../core/toasts.ts'
import { SelectField, TextField } from '../../../parts/field.tsx'
import { Refused, Skeleton } from '../../../parts/states.tsx'
import { AuditTrail } from '../changes/audit-trail.tsx'
import { ChangeBar } from '../changes/change-bar.tsx'
import { OldValue } from '../changes/changed-value.tsx'
import { DeletionZone } from '../changes/deletion-zone.tsx'
import { type Place, usePlace } from '../changes/use-place.ts'
import { type GroupState, groupAddress, loadGroup, valuesOf } from './group-state.ts'
import { textOf } from './group-text.ts'
import { Inheritance } from './inheritance.tsx'
import { MemberTable } from './member-table.tsx'
import { Opens } from './opens.tsx'
import { Pattern } from './pattern.tsx'

const CLASSES = ['Tracker::Group']

/** Who is in a group, why, and what it opens. */
export function GroupPage({ name }: { name: string }) {
  const place = usePlace({ name: `groups/${name}`, title: name, load: () => loadGroup(name), values: valuesOf })
  const { state, fault } = place
  if (state === undefined) return fault === undefined ? <Skeleton /> : <Refused fault={fault} />
  const nameOf = () => ({
    name: `the group ${state.group.name}`,
    bugs: `/bugs?${new URLSearchParams({ f1: 'bug_group', o1: 'equals', v1: state.group.name })}`,
  })
  return (
    <>
      <div class="with-trail">
        <div class="stack">
          <Details place={place} state={state} />
          <Inheritance place={place} state={state} />
          <div class="product-columns">
            <Opens state={state} />
            <Pattern place={place} state={state} />
          </div>
          <MemberTable state={state} reload={place.reload} />
          <DeletionZone
            what="group"
            name={state.group.name}
            about={
              state.uses.is_system
                ? 'A group that ships with the tracker stays.'
                : 'Only a group that nobody was put into, and that no product, flag, bug or parameter uses.'
            }
            unavailable={state.uses.is_system ? 'It ships with the tracker.' : undefined}
            calls={[{ method: 'DELETE', path: `/rest/group/${state.group.id}` }]}
            nameOf={nameOf}
            onDone={() => {
              place.draft.clear()
              void loadSession()
              go('/admin/groups', 'replace')
              showToast({ kind: 'done', text: `The group ${state.group.name} is deleted.` })
            }}
          />
        </div>
        <AuditTrail classes={CLASSES} id={state.group.id} version={place.version} />
      </div>
      <ChangeBar
        place={place}
        nameOf={nameOf}
        movedTo={(changes) => {
          const renamed = changes.find(({ key }) => key === 'name')
          if (renamed !== undefined) void loadSession()
          return renamed && groupAddress(renamed.after.trim())
        }}
      />
    </>
  )
}

/** What new bugs can be. */
const ACTIVE = { yes: 'can be restricted to it', no: 'cannot be restricted to it' }

function Details({ place, state }: { place: Place<GroupState>; state: GroupState }) {
  const { group, uses } = state
  const saved = group.is_active ? 'yes' : 'no'
  const isActive = place.draft.valueOf('is_active', saved)
  const setActive = (after: string) =>
    place.change({
      key: 'is_active',
      title: 'whether bugs can be restricted to it',
      before: saved,
      after,
      words: ACTIVE,
      call: { method: 'PUT', path: `/rest/group/${group.id}`, params: { is_active: after === 'yes' } },
    })
  if (uses.is_system)
    return (
      <p class="muted">
        <bdi>{group.description}</bdi>. This group ships with the tracker and keeps its name.{' '}
        {reasonWithoutFunction(group.name)}
      </p>
    )
  const field = (name: 'name' | 'description' | 'icon_url', label: string) => {
    const { value, change, set } = textOf(place, state, name)
    const classes = [name === 'description' && 'is-whole-row', change && 'is-unsaved'].filter(Boolean).join(' ')
    return (
      <div class={classes}>
        <TextField label={label} value={value} onText={(text) => set(text)} />
        <OldValue change={change} />
      </div>
    )
  }
  return (
    <section class="card admin-card" aria-label="Details">
      <h2>Details</h2>
      <div class="product-details">
        {field('name', 'Name')}
        {field('icon_url', 'Address of an icon')}
        {group.is_bug_group === 1 && (
          <div class={place.draft.get('is_active') && 'is-unsaved'}>
            <SelectField
              label="New bugs"
              value={isActive}
              options={Object.entries(ACTIVE).map(([value, name]) => ({ value, name }))}
              onChoice={setActive}
            />
            <OldValue change={place.draft.get('is_active')} />
          </div>
        )}
        {field('description', 'Description')}
      </div>
    </section>
  )
}
