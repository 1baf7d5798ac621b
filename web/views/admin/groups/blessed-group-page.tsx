import { Refused, Skeleton } from '../../../parts/states.tsx'
import { usePlace } from '../changes/use-place.ts'
import { loadBlessedGroup } from './group-state.ts'
import { MemberTable } from './member-table.tsx'

/** For readers who choose the members of the group and may not change the group itself. */
export function BlessedGroupPage({ name }: { name: string }) {
  const place = usePlace({
    name: `groups/${name}/members`,
    title: name,
    load: () => loadBlessedGroup(name),
    values: () => new Map(),
  })
  const { state, fault } = place
  if (state === undefined) return fault === undefined ? <Skeleton /> : <Refused fault={fault} />
  return (
    <>
      <p class="muted" dir="auto">
        {state.group.description}
      </p>
      <MemberTable state={state} reload={place.reload} />
    </>
  )
}
