// The query of a list in words: each part of it is a filter that can be changed and removed.

import { EMPTY_VALUES } from '../../../../shared/bug-fields/field-names.ts'
import { PAGE_PARAMETERS } from '../../../../shared/first-calls.ts'
import type { FieldList } from '../../../core/bugs/fields.ts'
import { displayValue } from '../../../parts/glyphs.tsx'
import { isBracket, operatorWords, type Part, readCriteria, withCriteria, wordsOf } from './criteria.ts'
import { FORM_PARAMETERS, ROLES } from './form-criteria.ts'

export interface Filter {
  /** The name of the parameter, or the place of a condition of the advanced search. */
  key: string
  label: string
  text: string
  /** What is searched for, as it stands in the address. */
  values: readonly string[]
  /** Where it is changed. */
  edits: 'values' | 'search field' | 'builder'
  /** The query without it. */
  without: URLSearchParams
}

const NOT_SET = 'not set'

const SPECIAL_VALUES: ReadonlyMap<string, string> = new Map([
  ['__open__', 'open'],
  ['__closed__', 'closed'],
  ['__all__', 'any'],
  ...[...EMPTY_VALUES].map((value) => [value, NOT_SET] as const),
  ['%user%', 'me'],
])

/** Parameters that say how results are returned, not which. */
const HOW = new Set([
  ...PAGE_PARAMETERS,
  'order',
  'limit',
  'offset',
  'cursor',
  'include_fields',
  'exclude_fields',
  'columnlist',
  'ctype',
  'sharer_id',
  'with_total',
  'count_only',
  'query_format',
  'list_id',
  'known_name',
  'query_based_on',
  'title',
])

export function filtersOf(query: URLSearchParams, fields: FieldList): Filter[] {
  return [...parameterFilters(query, fields), ...formFilters(query, fields), ...conditionFilters(query, fields)]
}

function parameterFilters(query: URLSearchParams, fields: FieldList): Filter[] {
  const names = [...new Set(query.keys())].filter((name) => isCriterion(name, query))
  return names.flatMap((name) => {
    const values = query.getAll(name)
    if (values.every((value) => value === '') && name !== 'resolution') return []
    const without = new URLSearchParams(query)
    without.delete(name)
    without.delete(`${name}_type`)
    if (name === 'savedsearch') without.delete('sharer_id')
    const operator = query.get(`${name}_type`)
    const said = values.map((value) => (name === 'quicksearch' ? value : valueWords(value))).join(', ')
    const filter: Filter = {
      key: name,
      label: fields.label(name),
      text: operator === null ? sinceWords(name, said, fields) : `${operatorWords(operator)} ${said}`,
      values,
      edits: name === 'quicksearch' ? 'search field' : operator === null ? 'values' : 'builder',
      without,
    }
    return [filter]
  })
}

function isCriterion(name: string, query: URLSearchParams) {
  if (HOW.has(name) || /^[fonvj]\d+$/.test(name) || name === 'j_top' || FORM_PARAMETERS.test(name)) return false
  return !(name.endsWith('_type') && query.has(name.slice(0, -'_type'.length)))
}

function formFilters(query: URLSearchParams, fields: FieldList): Filter[] {
  const filter = (key: string, isPart: RegExp, label: string, text: string): Filter => ({
    key,
    label,
    text,
    values: [],
    edits: 'builder',
    without: new URLSearchParams([...query].filter(([name]) => !isPart.test(name))),
  })
  const filters: Filter[] = []
  for (const number of ['1', '2', '3']) {
    const value = query.get(`email${number}`)
    const roles = ROLES.filter((role) => query.has(`email${role}${number}`))
    const who = roles.map((role) => (role === 'longdesc' ? 'Commenter' : fields.label(role))).join(' or ')
    const operator = operatorWords(query.get(`emailtype${number}`) ?? 'substring')
    if (value) filters.push(filter(`email${number}`, new RegExp(`^email.*${number}$`), who, `${operator} ${value}`))
  }
  const changed = query.getAll('chfield').flatMap((list) => list.split(','))
  if (changed.length > 0 || query.has('chfieldfrom')) {
    const what = changed.map((name) => (name === '[Bug creation]' ? 'Filed' : fields.label(name))).join(' or ')
    filters.push(filter('chfield', /^chfield/, what || 'Anything', `changed ${spanWords(query, 'chfield')}`))
  }
  if (query.get('deadlinefrom') || query.get('deadlineto'))
    filters.push(filter('deadline', /^deadline(from|to)$/, fields.label('deadline'), spanWords(query, 'deadline')))
  return filters
}

function spanWords(query: URLSearchParams, name: string) {
  const [from, to, value] = ['from', 'to', 'value'].map((end) => query.get(`${name}${end}`) ?? '')
  return [from && `from ${from}`, to && `until ${to}`, value && `to ${value}`].filter(Boolean).join(' ')
}

function sinceWords(name: string, said: string, fields: FieldList) {
  return fields.kind(name) === 'time' ? `since ${said}` : said
}

export function valueWords(value: string) {
  return SPECIAL_VALUES.get(value) ?? (value === '' ? NOT_SET : displayValue(value))
}

function conditionFilters(query: URLSearchParams, fields: FieldList): Filter[] {
  const root = readCriteria(query)
  const label = (name: string) => fields.label(name)
  const filter = (parts: readonly Part[], key: string, text: string): Filter => ({
    key,
    label: '',
    text,
    values: [],
    edits: 'builder',
    without: withCriteria(query, { ...root, parts: root.parts.filter((part) => !parts.includes(part)) }),
  })
  if (root.parts.length > 1 && root.join !== 'AND')
    return [filter(root.parts, 'conditions', wordsOf(root, label).slice(1, -1))]
  return root.parts.map((part, place) =>
    filter([part], `condition ${place}`, isBracket(part) ? wordsOf(part, label).slice(1, -1) : wordsOf(part, label)),
  )
}

/** “Not set” and “open” say nothing alone. */
function titlePart({ key, label, text, values, edits }: Filter) {
  const isStatus = key === 'status' || key === 'bug_status'
  if (isStatus && values.length === 1 && text === valueWords('__open__')) return 'open bugs'
  const isVague = values.some((value) => valueWords(value) === NOT_SET) || /^none$/i.test(text)
  return edits === 'builder' || isVague ? `${label} ${text}`.trim() : text
}

/** The name of the list: that of its saved search, or what it searches for. */
export function titleOf(query: URLSearchParams, fields: FieldList): string {
  const saved = query.get('savedsearch') ?? query.get('title')
  if (saved !== null && saved !== '') return saved
  const filters = filtersOf(query, fields)
  const search = query.get('quicksearch')
  if (filters.length === 0 || (filters.length === 1 && search === 'ALL')) return 'All bugs'
  if (filters.length === 1 && search !== null) return search
  const [first, second] = filters.map(titlePart)
  const said = second === undefined ? (first ?? '') : `${first}, ${second}${filters.length > 2 ? ' …' : ''}`
  return said.charAt(0).toUpperCase() + said.slice(1)
}
