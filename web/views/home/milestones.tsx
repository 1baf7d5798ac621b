import { productCountsCall } from '../../../shared/first-calls.ts'
import { addressOf } from '../../../shared/rest-address.ts'
import { isShownField } from '../../core/bugs/hidden-fields.ts'
import { NO_VALUE, shareOf, useClosedStatuses } from '../../core/bugs/milestones.ts'
import { hrefOf } from '../../core/router.ts'
import type { Me } from '../../core/server/types.ts'
import { useData } from '../../core/server/use-data.ts'
import { Progress } from '../../parts/progress.tsx'

const MOST = 4

/** The milestones that the reader's open bugs are for, and how far each is. */
export function Milestones({ who }: { who: Me }) {
  const search = { assigned_to: who.name, bug_status: '__open__' }
  const axes = { x_axis_field: 'target_milestone', y_axis_field: 'product' }
  const { body } = useData(addressOf('/report', { ...search, ...axes }))
  const mine = (body?.counts ?? [])
    .filter(({ x, bug_count: count }) => x !== NO_VALUE && x !== '' && count > 0)
    .sort((one, other) => other.bug_count - one.bug_count)
  if (mine.length === 0 || !isShownField('target_milestone')) return null
  return (
    <section aria-labelledby="milestones">
      <div class="section-head">
        <h2 id="milestones">Milestones</h2>
      </div>
      <ul class="milestones">
        {mine.slice(0, MOST).map(({ x: milestone = '', y: product = '' }) => (
          <Milestone key={`${product} ${milestone}`} product={product} milestone={milestone} />
        ))}
        {mine.length > MOST && <li class="faint small">and {mine.length - MOST} more</li>}
      </ul>
    </section>
  )
}

function Milestone({ product, milestone }: { product: string; milestone: string }) {
  const closed = useClosedStatuses()
  const { body } = useData(productCountsCall(product))
  const { done, all } = shareOf(milestone, body?.counts ?? [], closed)
  const search = new URLSearchParams({ product, target_milestone: milestone, bug_status: '__open__' })
  const share = all === 0 ? 0 : Math.round((done / all) * 100)
  return (
    <li>
      <div class="row">
        <a class="truncated" href={hrefOf(`/bugs?${search}`)} dir="auto">
          {product} {milestone}
        </a>
        {all > 0 && <span class="align-end faint small">{share} %</span>}
      </div>
      <Progress done={done} all={all} label={`${done} of ${all} bugs are closed`} />
      <span class="faint small">{all === 0 ? ' ' : `${(all - done).toLocaleString()} open`}</span>
    </li>
  )
}
