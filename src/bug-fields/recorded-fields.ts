import { bugFields } from '../../shared/bug-fields/bug-fields.ts'
import { hasBugs, hasSeveral, hasUsers } from '../../shared/bug-fields/field-kinds.ts'
import { fieldsWith } from './fields-with.ts'

// What the history of a bug says about its standard fields, by their names in the history.

/** Values name users. Under both names, because an imported history may have either. */
export const FIELDS_OF_PEOPLE: ReadonlySet<string> = new Set(
  bugFields
    .filter(({ kind }) => hasUsers(kind) || kind === 'flags')
    .flatMap(({ name, searchName }) => [name, searchName ?? name]),
)

/** Values name other bugs, which the reader may not see. */
export const FIELDS_OF_BUGS = fieldsWith(({ kind }) => hasBugs(kind) || kind === 'links')

/** Fields with several values. A change lists the added and the removed values, separated by commas. */
export const LIST_FIELDS = fieldsWith(({ kind, changedBy }) => changedBy !== undefined && hasSeveral(kind))

/** Lists that are returned in the order in which items were added. Others are sorted. */
export const UNSORTED_LISTS = fieldsWith(({ kind }) => kind === 'names' || kind === 'links')

export const HOURS_FIELDS = fieldsWith(({ kind }) => kind === 'hours')

export const DATE_FIELDS = fieldsWith(({ kind }) => kind === 'date')

/** Fields that only insiders read. */
export const INSIDER_FIELDS = fieldsWith(({ readBy }) => readBy === 'insiders')

/** Fields that only members of the time-tracking group read. */
export const TIME_FIELDS = fieldsWith(({ readBy }) => readBy === 'time trackers')
