import { bugFields } from '../../../shared/bug-fields/bug-fields.ts'
import { dictionary } from '../../platform/text/dictionary.ts'
import type { SearchContext } from '../search-context.ts'
import { isSearchable, searchableNames } from '../searchable-fields.ts'
import { criterionOf, knownName } from './parse-charts.ts'
import type { OperatorName, Query } from './query.ts'
import type { SearchParams } from './search-params.ts'

/**
 * Parameters with the name of a field, in the REST API or in Bugzilla. `<field>_type` is the operator. Without it, a field is compared as the
 * REST API documents it, or else as the search form does. A repeated parameter means any of its values.
 */
export function parseFields(context: SearchContext, params: SearchParams): Query[] {
  const fieldFor = (name: string) => (fieldIn(context, name) === undefined ? name.replace(TYPE, '') : name)
  const names = new Set(params.names.map(fieldFor))
  return [...names].flatMap((name) => {
    const field = fieldIn(context, name)
    return field === undefined ? [] : ofField(context, params, name, field)
  })
}

const TYPE = /_type$/

/** Parameters may have an underscore where the name of the field has a dot. */
function fieldIn(context: SearchContext, name: string): string | undefined {
  const field = knownName(name)
  if (isSearchable(context, field)) return field
  return DOTTED.get(name)
}

const DOTTED = new Map(
  searchableNames.filter((name) => name.includes('.')).map((name) => [name.replace('.', '_'), name]),
)

function ofField(context: SearchContext, params: SearchParams, name: string, field: string): Query[] {
  const values = Object.hasOwn(READERS, field) ? params.take(name) : params.takeFilled(name)
  const operator = typeOf(params, name)
  const read = Object.hasOwn(READERS, field) ? (READERS[field] as ParamReader)(context, values) : values
  if (operator !== '') return [criterionOf(context, field, operator, read ?? [], name) ?? []].flat()
  if (read === undefined || read.length === 0) return []
  const usual = USUALLY.get(name) ?? 'anyexact'
  if (usual === 'anyexact') return [{ field, operator: usual, value: read, sentAs: name }]
  const any = read.map((value) => ({ field, operator: usual, value, sentAs: name }))
  return any.length === 1 ? any : [{ any }]
}

/** compat: for ids of bugs, the search form sends the operator as `bugidtype`. */
function typeOf(params: SearchParams, name: string): string {
  const input = params.takeOne(`${name}_type`)
  if (name !== 'bug_id' || input !== '') return input
  const type = params.takeOne('bugidtype')
  return type === 'exclude' || type === 'nowords' ? 'nowords' : ''
}

/** The default operator of a parameter. For all others it is anyexact. */
const USUALLY: ReadonlyMap<string, OperatorName> = new Map([
  ...bugFields.flatMap(({ name, searchName = name, compared = {} }): [string, OperatorName][] => [
    ...(compared.name === undefined ? [] : [[name, compared.name] as [string, OperatorName]]),
    ...(compared.searchName === undefined ? [] : [[searchName, compared.searchName] as [string, OperatorName]]),
  ]),
  ['changedin', 'lessthaneq'],
  ['long_desc', 'allwordssubstr'],
])

/** The values that a parameter stands for; undefined if it matches every bug. */
type ParamReader = (context: SearchContext, values: readonly string[]) => readonly string[] | undefined

const READERS: Readonly<Record<string, ParamReader>> = dictionary({
  bug_id: (_, values) => values.flatMap((list) => list.split(/[\s,]+/)).filter((id) => id !== ''),
  // The REST API documents: "search for an empty value to find open bugs".
  resolution: (_, values) => values.map((value) => (value.trim() === '---' ? '' : value)),
  bug_status({ fields }, values) {
    const statuses = fields.valuesOf('bug_status')
    const ofKind = (isOpen: number) => statuses.filter((status) => status.is_open === isOpen).map(({ name }) => name)
    if (values.includes('__all__')) return undefined
    return values
      .filter((value) => value !== '')
      .flatMap((value) => (value === '__open__' ? ofKind(1) : value === '__closed__' ? ofKind(0) : [value]))
  },
})
