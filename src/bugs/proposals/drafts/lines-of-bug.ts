import { bugFields } from '../../../../shared/bug-fields/bug-fields.ts'
import type { FieldDefinitions } from '../../../catalogue/fields/field.ts'
import { FLAGS_FIELD } from '../../attachments/attachment.ts'
import type { BugState } from '../../editing/bug-state.ts'
import { valuesOfBug } from '../../editing/changes-in.ts'
import { addedLine, type ProposedLine } from '../proposal.ts'
import { linesOfComment, type ProposedComment } from './rows-of-change.ts'

/** What a bug without anything has: a field with this value is not shown. */
const UNSET: readonly string[] = ['', '---', '0', '0.00']
/** Yes unless it is set otherwise, so that it is shown if it is no. */
const USUALLY_YES: readonly string[] = bugFields.map(({ name }) => name).filter((name) => name.endsWith('_accessible'))
/** Follows from the status. */
const FOLLOWING = ['is_confirmed']

/** Everything that a new bug would have, in the order of the fields. */
export function linesOfNewBug(
  state: BugState,
  fields: FieldDefinitions,
  flags: readonly string[],
  description: ProposedComment,
): ProposedLine[] {
  const lines = [...valuesOfBug(state, fields)].flatMap(([field, value]) => {
    const text = typeof value === 'string' ? value : value.join(', ')
    if (USUALLY_YES.includes(field)) return text === '1' ? [] : [addedLine(field, text)]
    return UNSET.includes(text) || FOLLOWING.includes(field) ? [] : [addedLine(field, text)]
  })
  const order = new Map(bugFields.map(({ name }, place) => [name as string, place]))
  lines.sort((one, other) => (order.get(one.field) ?? order.size) - (order.get(other.field) ?? order.size))
  return [
    ...lines,
    ...(flags.length > 0 ? [addedLine(FLAGS_FIELD, flags.join(', '))] : []),
    ...linesOfComment(description),
  ]
}
