import { isCredential } from '../../../access/authentication/credentials.ts'
import { dictionary } from '../../../platform/text/dictionary.ts'
import { knownName } from '../../../search/parsing/parse-charts.ts'
import { decodeText } from '../staging/decode-text.ts'
import type { TimeZone } from '../time-zone.ts'
import { orderHere } from './old-orders.ts'

/** Objects that the import gives another name if theirs was empty, taken, or had spaces around it. */
export type RenamedKind = 'users' | 'groups' | 'products' | 'components' | 'classifications' | 'keywords'

/** The new names of renamed objects, by their exact old names. */
export type NewNames = Readonly<Record<RenamedKind, ReadonlyMap<string, string>>>

/** What differs between the old installation and this one, for the parameters of a search. */
export interface QueryChanges {
  readonly names: NewNames
  readonly zone: TimeZone
  /** Fields whose values are times of day. */
  readonly timeFields: ReadonlySet<string>
}

type Parameter = readonly [name: string, value: string]

/**
 * The parameters of a search or report of Bugzilla, with the names that they have here. A query in which nothing
 * differs stays as it is.
 */
export function rewriteQuery(stored: string, changes: QueryChanges): string {
  const query = bareQuery(stored)
  const parameters = query.split('&').map(parameterIn)
  const rewritten = runsSaved(parameters)
    .filter(([name]) => !isCredential(name) && name !== 'GoAheadAndLogIn')
    .map(([name, value]): Parameter => [name, valueHere(changes, parameters, name, value)])
  const isSame =
    rewritten.length === parameters.length &&
    rewritten.every(([name, value], index) => name === parameters[index]?.[0] && value === parameters[index]?.[1])
  return isSame && !hasOtherCharset(query) ? query : new URLSearchParams(rewritten.map(([...pair]) => pair)).toString()
}

/**
 * Bugzilla stores the parameters that its own form sends; a whole address and a leading question mark are cut off. Some
 * releases write `;` between parameters, which values never have.
 */
function bareQuery(stored: string): string {
  return stored
    .trim()
    .replace(/^[^?=&]*\?/, '')
    .replaceAll(';', '&')
    .replace(/&&+/g, '&')
    .replace(/^&|&$/g, '')
}

function parameterIn(part: string): Parameter {
  const at = part.indexOf('=')
  return at === -1 ? [decoded(part), ''] : [decoded(part.slice(0, at)), decoded(part.slice(at + 1))]
}

/** Searches that are older than the change to UTF-8 have bytes of Latin-1. */
function decoded(text: string): string {
  return decodeText(bytesOf(text)).text
}

function bytesOf(text: string): Buffer {
  const parts = text.replaceAll('+', ' ').split(/(%[0-9a-f]{2})/i)
  return Buffer.concat(
    parts.map((part, index) => (index % 2 === 1 ? Buffer.from(part.slice(1), 'hex') : Buffer.from(part))),
  )
}

function hasOtherCharset(query: string) {
  return decodeText(bytesOf(query)).oddity?.startsWith('was not UTF-8') === true
}

/** `cmdtype=dorem&remaction=run&namedcmd=…` runs another saved search, which is `savedsearch=…` here. */
function runsSaved(parameters: readonly Parameter[]): readonly Parameter[] {
  const of = (name: string) => parameters.find(([it]) => it === name)?.[1] ?? ''
  const isRun = of('cmdtype') === 'runnamed' || (of('cmdtype') === 'dorem' && of('remaction') === 'run')
  if (!isRun || of('namedcmd') === '') return parameters
  return parameters.flatMap((parameter): Parameter[] => {
    if (parameter[0] === 'namedcmd') return [['savedsearch', parameter[1]]]
    return parameter[0] === 'cmdtype' || parameter[0] === 'remaction' ? [] : [parameter]
  })
}

function valueHere(changes: QueryChanges, all: readonly Parameter[], name: string, value: string): string {
  if (name === 'order') return orderHere(value)
  if (/^[xyz]_axis_field$/.test(name)) return value.replace(/_realname$/, '')
  if (name === 'chfieldfrom' || name === 'chfieldto') return timeHere(changes.zone, value)
  const { fields, operator } = meaningOf(all, name)
  if (fields.length === 0) return value
  if (operator === 'changedby') return namesHere(changes.names, 'users', value)
  if (TIME_OPERATORS.has(operator) || fields.some((field) => changes.timeFields.has(field)))
    return timeHere(changes.zone, value)
  const kind = KINDS[fields[0] ?? '']
  return kind !== undefined && WHOLE_VALUES.has(operator) ? namesHere(changes.names, kind, value) : value
}

/** The fields that the value of a parameter is compared with, and how. */
function meaningOf(all: readonly Parameter[], name: string): { fields: readonly string[]; operator: string } {
  const of = (other: string) => all.findLast(([it]) => it === other)?.[1].trim() ?? ''
  const [, row, cell, person] = /^(?:v(\d+)|value(\d+-\d+-\d+)|email(\d+))$/.exec(name) ?? []
  if (row !== undefined) return { fields: [knownName(of(`f${row}`))], operator: of(`o${row}`) }
  if (cell !== undefined) return { fields: [knownName(of(`field${cell}`))], operator: of(`type${cell}`) }
  if (person !== undefined) return { fields: ['assigned_to'], operator: of(`emailtype${person}`) }
  if (name === 'chfieldvalue')
    return {
      fields: all.filter(([it]) => it === 'chfield').flatMap(([, value]) => value.split(',').map(knownName)),
      operator: 'changedto',
    }
  return { fields: [knownName(name)], operator: of(`${name}_type`) }
}

/** The kind of objects that a field names. */
const KINDS: Readonly<Record<string, RenamedKind>> = dictionary({
  product: 'products',
  component: 'components',
  classification: 'classifications',
  keywords: 'keywords',
  bug_group: 'groups',
  assigned_to: 'users',
  reporter: 'users',
  qa_contact: 'users',
  cc: 'users',
  commenter: 'users',
  'attachments.submitter': 'users',
  'setters.login_name': 'users',
  'requestees.login_name': 'users',
})

/** Operators that compare with whole names. The empty one is that of a parameter without an operator. */
const WHOLE_VALUES: ReadonlySet<string> = new Set([
  ...['', 'equals', 'notequals', 'exact', 'notexact', 'anyexact', 'changedfrom', 'changedto'],
  ...['allwords', 'anywords', 'nowords'],
])

/** A name, a list of names with commas, or the members of a group. */
function namesHere(names: NewNames, kind: RenamedKind, value: string): string {
  const group = /^%group\.(.+)%$/.exec(value.trim())?.[1]
  if (group !== undefined) return `%group.${names.groups.get(group) ?? group}%`
  const known = names[kind]
  if (known.size === 0) return value
  return known.get(value) ?? value.replace(/[^,\s][^,]*/g, (item) => known.get(item.trim()) ?? item)
}

const TIME_OPERATORS: ReadonlySet<string> = new Set(['changedafter', 'changedbefore'])

/** A time of day without a zone is of the old host; here it would be UTC. Days and distances such as `-7d` stay. */
function timeHere(zone: TimeZone, value: string): string {
  const [, day, minute, second = ':00'] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(:\d\d)?$/.exec(value.trim()) ?? []
  if (day === undefined || zone.name === 'UTC') return value
  return zone.toUtc(`${day} ${minute}${second}`) ?? value
}
