import { personBy } from '../../../core/bugs/people.ts'
import { Icon } from '../../../parts/icon.tsx'
import { nameOf } from '../../../parts/person.tsx'
import { useBugStore } from '../use-bug.ts'

/** In a shorter discussion one sees them anyway. */
const LONG = 6

/** What was decided in a long discussion: links to the comments that are marked as answers. */
export function Answers() {
  const { comments, commentCount, asOf } = useBugStore()
  const answers = comments.value.filter((comment) => comment.is_answer)
  if (answers.length === 0 || commentCount.value < LONG || asOf.value !== undefined) return null
  return (
    <nav class="card answers" aria-label="Answers in this discussion">
      {answers.map((comment) => (
        <a key={comment.id} class="row" href={`#c${comment.count}`}>
          <Icon name="check" size="small" />
          <b dir="auto" class="nowrap">
            {nameOf(comment.creator_detail ?? personBy(comment.creator))}
          </b>
          <span class="truncated grow" dir="auto">
            {comment.text.split('\n').find((line) => line.trim() !== '' && !/^(>|\(In reply)/.test(line)) ?? ''}
          </span>
          <span class="faint small">#c{comment.count}</span>
        </a>
      ))}
    </nav>
  )
}
