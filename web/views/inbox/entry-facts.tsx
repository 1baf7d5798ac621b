import { addressOf } from '../../../shared/rest-address.ts'
import { isShownField } from '../../core/bugs/hidden-fields.ts'
import { useData } from '../../core/server/use-data.ts'
import { Priority, Severity } from '../../parts/glyphs.tsx'
import { Person } from '../../parts/person.tsx'

const FIELDS = 'priority,severity,assigned_to,assigned_to_detail,target_milestone'

/** How important the bug is, who works on it and for which milestone. */
export function EntryFacts({ id }: { id: number }) {
  const { body } = useData(addressOf('/bug/:ref', { ref: id, include_fields: FIELDS }))
  const bug = body?.bugs[0]
  // The line keeps its height while it is read, so that nothing moves below it.
  if (bug === undefined) return <div class="inbox-facts" />
  const { priority, severity, assigned_to_detail: assignee, target_milestone: milestone } = bug
  return (
    <div class="inbox-facts">
      <span>
        <span class="visually-hidden">Priority: </span>
        <Priority value={priority} />
      </span>
      <span>
        <span class="visually-hidden">Severity: </span>
        <Severity value={severity} />
      </span>
      <span>
        <span class="visually-hidden">Assignee: </span>
        <Person person={assignee} link />
      </span>
      {milestone !== '---' && milestone !== '' && isShownField('target_milestone') && (
        <span>
          for <bdi>{milestone}</bdi>
        </span>
      )}
    </div>
  )
}
