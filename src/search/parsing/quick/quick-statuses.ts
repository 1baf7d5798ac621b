import type { FieldDefinitions, FieldValue } from '../../../catalogue/fields/field.ts'
import { everyBug, type Query } from '../query.ts'
import { plainText, type QuickText } from './quick-characters.ts'
import type { QuickQuery } from './quick-query.ts'

/**
 * The statuses in the first word, if it is `ALL`, `OPEN`, or a list of beginnings of statuses and resolutions in capital letters, separated
 * by commas.
 */
export function statusesIn([group = []]: QuickQuery, fields: FieldDefinitions): Query | undefined {
  const [term, ...others] = group
  if (term === undefined || term.isNegated || others.length > 0) return undefined
  const text = bareTextOf(term.characters)
  if (text === 'ALL') return everyBug
  if (text === 'OPEN') return openBugs(fields)
  if (!/^[\p{Lu}\p{N}_]+(,[\p{Lu}\p{N}_]+)*$/u.test(text)) return undefined
  const beginnings = text.split(',')
  const begun = ({ name }: FieldValue) => beginnings.filter((it) => name !== '' && name.toUpperCase().startsWith(it))
  const statuses = fields.valuesOf('bug_status').filter((it) => begun(it).length > 0)
  const resolutions = fields.valuesOf('resolution').filter((it) => begun(it).length > 0)
  const understood = new Set([...statuses, ...resolutions].flatMap(begun))
  return understood.size === new Set(beginnings).size ? among(statuses, resolutions, fields) : undefined
}

/** A resolution applies to bugs of all closed statuses, even if only some of them are named beside it. */
function among(statuses: readonly FieldValue[], resolutions: readonly FieldValue[], fields: FieldDefinitions): Query {
  if (resolutions.length === 0) return isAnyOf('bug_status', statuses)
  const closed = fields.valuesOf('bug_status').filter(({ is_open }) => is_open !== 1)
  const open = statuses.filter(({ is_open }) => is_open === 1)
  const resolved: Query = { all: [isAnyOf('bug_status', closed), isAnyOf('resolution', resolutions)] }
  return open.length === 0 ? resolved : { any: [isAnyOf('bug_status', open), resolved] }
}

export function openBugs(fields: FieldDefinitions): Query {
  return isAnyOf(
    'bug_status',
    fields.valuesOf('bug_status').filter(({ is_open }) => is_open === 1),
  )
}

function isAnyOf(field: string, values: readonly FieldValue[]): Query {
  return { field, operator: 'anyexact', value: values.map(({ name }) => name) }
}

function bareTextOf(characters: QuickText) {
  return characters.some(({ isQuoted }) => isQuoted) ? '' : plainText(characters)
}
