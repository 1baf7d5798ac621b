import { hrefOf } from '../../../core/router.ts'
import { Icon } from '../../../parts/icon.tsx'
import { Refused, Skeleton } from '../../../parts/states.tsx'
import { AuditTrail } from '../changes/audit-trail.tsx'
import { ChangeBar } from '../changes/change-bar.tsx'
import { usePlace } from '../changes/use-place.ts'
import { WorkflowDiagram } from './workflow-diagram.tsx'
import { WorkflowMatrix } from './workflow-matrix.tsx'
import { addedSteps, keyOf, loadWorkflow, pathOf, remarksOn, type Step, valuesOf } from './workflow-state.ts'

const NEXT: Readonly<Record<Step, Step>> = { no: 'yes', yes: 'with a comment', 'with a comment': 'no' }
/** To the status of duplicates every step is allowed. */
const NEXT_TO_DUPLICATES: Readonly<Record<Step, Step>> = { no: 'yes', yes: 'with a comment', 'with a comment': 'yes' }

/** Which status may follow which, for all products. */
export function Workflow() {
  const place = usePlace({ name: 'workflow', title: 'Workflow', load: loadWorkflow, values: valuesOf })
  const { state, fault, draft } = place
  if (state === undefined) return fault === undefined ? <Skeleton /> : <Refused fault={fault} />
  const savedStep = (from: string | null, to: string): Step => state.steps.get(keyOf(from, to)) ?? 'no'
  const stepOf = (from: string | null, to: string) => draft.valueOf(keyOf(from, to), savedStep(from, to)) as Step
  const change = (from: string | null, to: string) => {
    const next = from !== null && to === state.duplicates ? NEXT_TO_DUPLICATES : NEXT
    const after = next[stepOf(from, to)]
    place.change({
      key: keyOf(from, to),
      title: `${from ?? 'New bug'} → ${to}`,
      before: savedStep(from, to),
      after,
      call: {
        method: 'PUT',
        path: pathOf(from, to),
        params: { is_allowed: after !== 'no', comment_required: after === 'with a comment' },
      },
    })
  }
  const remarks = remarksOn(state, stepOf)
  return (
    <>
      <p class="muted">
        Which status may follow which, in all products. Bugs keep the status that they have. A new status is made among
        the{' '}
        <a class="link underlined" href={hrefOf('/admin/fields/bug_status')}>
          values of the field
        </a>
        .
      </p>
      <div class="with-trail">
        <div class="stack">
          <WorkflowMatrix
            {...{ state, stepOf, change }}
            isChanged={(from, to) => draft.get(keyOf(from, to)) !== undefined}
          />
          {remarks.length > 0 && (
            <div class="note note-warn">
              <Icon name="warn" />
              <ul>
                {remarks.map((remark) => (
                  <li key={remark}>{remark}</li>
                ))}
              </ul>
            </div>
          )}
          <WorkflowDiagram {...{ state, stepOf }} />
        </div>
        <AuditTrail classes={['Tracker::Workflow']} version={place.version} />
      </div>
      <ChangeBar
        place={place}
        more={(effects) => addedSteps(state, effects, (from, to) => draft.get(keyOf(from, to)) !== undefined)}
      />
    </>
  )
}
