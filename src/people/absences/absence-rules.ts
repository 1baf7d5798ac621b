import { errors } from '../../platform/errors.ts'
import type { Rule } from '../../platform/rule.ts'
import { isOneLine } from '../../platform/text/one-line.ts'
import { secondsAgo, timeNow } from '../../platform/time/clock.ts'
import type { AbsenceEdit } from './absence.ts'

const LONGEST_NOTE = 200
const SHOWN_CHARACTERS = 200
const MOST_YEARS = 2
const MOST_SECONDS = MOST_YEARS * 366 * 86_400

export const absencesHaveABeginning: Rule<AbsenceEdit> = {
  says: 'An absence has a beginning.',
  brokenBy: ({ starts_at }) => starts_at === '',
  error: () => errors.parameter_required({ name: 'from' }),
}

export const absencesHaveAnEnd: Rule<AbsenceEdit> = {
  says: 'An absence has an end.',
  brokenBy: ({ ends_at }) => ends_at === '',
  error: () => errors.parameter_required({ name: 'until' }),
}

export const absencesEndAfterTheyBegin: Rule<AbsenceEdit> = {
  says: 'An absence ends after it begins.',
  brokenBy: ({ starts_at, ends_at }) => ends_at <= starts_at,
  error: ({ starts_at, ends_at }) =>
    errors.bad_value({ name: 'until', value: ends_at, right: `it must be later than from, which is ${starts_at}` }),
}

export const absencesAreNotOver: Rule<AbsenceEdit> = {
  says: `An absence ends in the future, at most ${MOST_YEARS} years from now.`,
  brokenBy: ({ ends_at }) => ends_at <= timeNow() || ends_at > secondsAgo(-MOST_SECONDS),
  error: ({ ends_at }) =>
    errors.bad_value({
      name: 'until',
      value: ends_at,
      right: `it must be in the future, at most ${MOST_YEARS} years from now`,
    }),
}

export const absenceNotesAreShort: Rule<AbsenceEdit> = {
  says: `The note of an absence is one line of at most ${LONGEST_NOTE} characters.`,
  brokenBy: ({ note }) => note.length > LONGEST_NOTE || !isOneLine(note),
  error: ({ note }) =>
    errors.bad_value({
      name: 'note',
      value: note.slice(0, SHOWN_CHARACTERS),
      right: `it must be one line of at most ${LONGEST_NOTE} characters`,
    }),
}

/** In the order they are checked: the first broken rule is the error that the client gets. */
export const absenceRules = [
  absencesHaveABeginning,
  absencesHaveAnEnd,
  absencesEndAfterTheyBegin,
  absencesAreNotOver,
  absenceNotesAreShort,
]
