import { useBug } from '../use-bug.ts'

/** Hours worked, as a share of the estimate; red from 100 % on. */
export function Hours() {
  const { actual_time: worked, remaining_time: left = 0, estimated_time: estimate = 0 } = useBug()
  if (worked === undefined || (worked === 0 && left === 0)) return null
  const total = worked + left
  const share = total === 0 ? 0 : Math.round((worked / total) * 100)
  const over = Math.round((total - estimate) * 100) / 100
  const isOver = estimate > 0 && over > 0
  return (
    <div class="hours">
      <div class="row">
        <span>
          <b>{worked} h</b> {left > 0 ? `worked, ${left} h left` : 'worked'}
        </span>
        <span class={isOver ? 'align-end danger' : 'align-end faint'}>
          {isOver ? `${over} h over the estimate of ${estimate} h` : `${share} %`}
        </span>
      </div>
      <svg class="progress" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={`${share} % done`}>
        <rect width={share} height="6" class={isOver ? 'is-over' : undefined} />
      </svg>
    </div>
  )
}
