import { me } from '../../../core/account/session.ts'
import { personBy } from '../../../core/bugs/people.ts'
import type { Flag } from '../../../core/server/types.ts'
import { nameOf } from '../../../parts/person.tsx'
import type { OpenQuestion } from './open-questions.ts'

interface Props {
  questions: readonly OpenQuestion[]
  onDecide(id: number, isAnswered: boolean): void
}

/** A box for each open question. */
export function AnswerBoxes({ questions, onDecide }: Props) {
  return (
    <>
      {questions.map(({ flag, isTicked }) => (
        <label key={flag.id} class="checkbox-label">
          <input
            type="checkbox"
            class="checkbox"
            checked={isTicked}
            onChange={(event) => onDecide(flag.id, event.currentTarget.checked)}
          />
          <span dir="auto">
            Answers {flag.name}? of {askedOf(flag)} <span class="faint">asked by {nameOf(personBy(flag.setter))}</span>
          </span>
        </label>
      ))}
    </>
  )
}

function askedOf({ requestee }: Flag) {
  if (requestee === undefined) return 'anyone'
  return requestee === me.value?.name ? 'you' : nameOf(personBy(requestee))
}
