import type { FieldKind } from './bug-field.ts'
import { bugFields, fieldsWith } from './field-names.ts'

// What the history of a bug says about its standard fields, by their names in the history.

const isOneOf = (kinds: readonly FieldKind[]) => (kind: FieldKind) => kinds.includes(kind)
const hasPeople = isOneOf(['user', 'users', 'flags'])
const hasBugs = isOneOf(['bug', 'bugs', 'links'])
const hasSeveral = isOneOf(['users', 'keywords', 'names', 'groups', 'bugs', 'links'])

/** Values name users. Under both names, because an imported history may have either. */
export const FIELDS_OF_PEOPLE: ReadonlySet<string> = new Set(
  bugFields.filter(({ kind }) => hasPeople(kind)).flatMap(({ name, searchName }) => [name, searchName ?? name]),
)

/** Values name other bugs, which the reader may not see. */
export const FIELDS_OF_BUGS = fieldsWith(({ kind }) => hasBugs(kind))

/** Fields with several values. A change lists the added and the removed values, separated by commas. */
export const LIST_FIELDS = fieldsWith(({ kind, changedBy }) => changedBy !== undefined && hasSeveral(kind))

/** Lists that are returned in the order in which items were added. Others are sorted. */
export const UNSORTED_LISTS = fieldsWith(({ kind }) => kind === 'names' || kind === 'links')

export const HOURS_FIELDS = fieldsWith(({ kind }) => kind === 'hours')

export const DATE_FIELDS = fieldsWith(({ kind }) => kind === 'date')

/** Fields that only members of the time-tracking group see. */
export const TIME_FIELDS = fieldsWith(({ readBy }) => readBy === 'time trackers')
