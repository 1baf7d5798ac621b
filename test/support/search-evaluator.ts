import type { Criterion, OperatorName, Query } from '../../src/search/parsing/query.ts'
import type { Facts } from './bug-facts.ts'
import { CUSTOM_FIELDS } from './searched-bugs.ts'

/**
 * A second implementation of search, in plain TypeScript over what a user can read, to check the first. It shares no code with
 * src/search, only the search itself as data.
 */
export interface Asker {
  readonly login: string | null
  readonly isInsider: boolean
  readonly isTimeTracker: boolean
  readonly facts: readonly Facts[]
  /** In milliseconds. */
  readonly now: number
}

const TIME_FIELDS = new Set(['estimated_time', 'remaining_time', 'work_time', 'percentage_complete'])

/** The number of the error if the search is refused. */
export function refusalOf({ field, operator }: Criterion, asker: Asker): number | undefined {
  const isFullText = operator === 'matches' || operator === 'notmatches'
  if (isFullText !== (field === 'content')) return 32000
  if (TIME_FIELDS.has(field) && !asker.isTimeTracker) return 108
  if (field === 'longdescs.isprivate' && !asker.isInsider) return 304
  if (field === 'owner_idle_time' && !/^(less|greater)than/.test(operator)) return 32000
  return undefined
}

/** The numbers of the bugs that match a search. */
export function answersTo(query: Query, asker: Asker): number[] {
  return asker.facts.filter((facts) => answers(query, facts, asker)).map(({ bug }) => bug.id)
}

function answers(query: Query, facts: Facts, asker: Asker): boolean {
  if ('all' in query) return query.all.every((part) => answers(part, facts, asker))
  if ('any' in query) return query.any.some((part) => answers(part, facts, asker))
  if ('not' in query) return !answers(query.not, facts, asker)
  if ('sameItem' in query) return haveOneItem(query.sameItem, facts, asker)
  return holds(query, itemsFor(query, facts, asker), asker, facts)
}

/** One value of a bug in a field. The id is that of its comment, attachment, flag or history entry. */
interface Item {
  readonly id: string
  readonly value: string
}

type Kind = 'text' | 'number' | 'hours' | 'time' | 'day'

interface SearchedField {
  readonly kind: Kind
  readonly items: (facts: Facts, asker: Asker) => readonly Item[]
}

const one = (kind: Kind, value: (facts: Facts, asker: Asker) => unknown): SearchedField => ({
  kind,
  items: (facts, asker) => {
    const found = value(facts, asker)
    return found === null || found === undefined ? [] : [{ id: 'bug', value: String(found) }]
  },
})

const many = (kind: Kind, values: (facts: Facts) => readonly unknown[]): SearchedField => ({
  kind,
  items: (facts) => values(facts).map((value, index) => ({ id: `value ${index}`, value: String(value) })),
})

const eachComment = (kind: Kind, value: (it: Facts['comments'][number]) => unknown): SearchedField => ({
  kind,
  items: ({ comments }) => comments.map((it) => ({ id: `comment ${it.id}`, value: String(value(it)) })),
})

const eachAttachment = (kind: Kind, value: (it: Facts['attachments'][number]) => unknown): SearchedField => ({
  kind,
  items: ({ attachments }) => attachments.map((it) => ({ id: `attachment ${it.id}`, value: String(value(it)) })),
})

const eachFlag = (value: (it: Facts['flags'][number]) => string): SearchedField => ({
  kind: 'text',
  items: ({ flags }) => flags.map((it) => ({ id: `flag ${it.id}`, value: value(it) })),
})

const text = (name: keyof Facts['bug']) => one('text', ({ bug }) => bug[name])
const flag = (is: boolean) => (is ? 1 : 0)
const nameOf = (detail: { real_name: string } | undefined) => detail?.real_name ?? ''

/** Every field of the search form. */
export const SEARCHED_FIELDS: Readonly<Record<string, SearchedField>> = {
  bug_id: one('number', ({ bug }) => bug.id),
  short_desc: text('summary'),
  classification: text('classification'),
  product: text('product'),
  version: text('version'),
  rep_platform: text('platform'),
  bug_file_loc: text('url'),
  op_sys: text('op_sys'),
  bug_status: text('status'),
  status_whiteboard: text('whiteboard'),
  keywords: many('text', ({ bug }) => bug.keywords),
  resolution: text('resolution'),
  bug_severity: text('severity'),
  priority: text('priority'),
  component: text('component'),
  assigned_to: text('assigned_to'),
  reporter: text('creator'),
  qa_contact: text('qa_contact'),
  // No component of these worlds has one.
  triage_owner: one('text', () => ''),
  assigned_to_realname: one('text', ({ bug }) => nameOf(bug.assigned_to_detail)),
  reporter_realname: one('text', ({ bug }) => nameOf(bug.creator_detail)),
  qa_contact_realname: one('text', ({ bug }) => nameOf(bug.qa_contact_detail)),
  cc: many('text', ({ bug }) => bug.cc),
  dependson: many('number', ({ bug }) => bug.depends_on),
  blocked: many('number', ({ bug }) => bug.blocks),
  'attachments.description': eachAttachment('text', (it) => it.summary),
  'attachments.filename': eachAttachment('text', (it) => it.file_name),
  'attachments.mimetype': eachAttachment('text', (it) => it.content_type),
  'attachments.ispatch': eachAttachment('number', (it) => flag(it.is_patch)),
  'attachments.isobsolete': eachAttachment('number', (it) => flag(it.is_obsolete)),
  'attachments.isprivate': eachAttachment('number', (it) => flag(it.is_private)),
  'attachments.submitter': eachAttachment('text', (it) => it.creator),
  target_milestone: text('target_milestone'),
  creation_ts: one('time', ({ bug }) => bug.creation_time),
  delta_ts: one('time', ({ bug }) => bug.last_change_time),
  longdesc: eachComment('text', (it) => it.text),
  'longdescs.isprivate': eachComment('number', (it) => flag(it.is_private)),
  'longdescs.count': one('number', ({ comments }) => comments.length),
  alias: many('text', ({ bug }) => bug.alias),
  everconfirmed: one('number', ({ bug }) => flag(bug.is_confirmed)),
  reporter_accessible: one('number', ({ bug }) => flag(bug.is_creator_accessible)),
  cclist_accessible: one('number', ({ bug }) => flag(bug.is_cc_accessible)),
  bug_group: many('text', ({ bug }) => bug.groups),
  estimated_time: one('hours', ({ bug }) => bug.estimated_time),
  remaining_time: one('hours', ({ bug }) => bug.remaining_time),
  deadline: one('day', ({ bug }) => bug.deadline),
  commenter: eachComment('text', (it) => it.creator),
  'flagtypes.name': eachFlag((it) => `${it.name}${it.status}`),
  'requestees.login_name': eachFlag((it) => it.requestee ?? ''),
  'setters.login_name': eachFlag((it) => it.setter),
  work_time: one('hours', ({ bug }) => bug.actual_time),
  percentage_complete: one('number', ({ bug }) => percentageOf(bug.actual_time, bug.remaining_time)),
  'attach_data.thedata': eachAttachment('text', (it) => it.content),
  see_also: many('text', ({ bug }) => bug.see_also),
  tag: many('text', ({ bug }) => bug.tags),
  last_visit_ts: one('time', ({ lastVisit }) => lastVisit),
  comment_tag: {
    kind: 'text',
    items: ({ comments }) =>
      comments.flatMap(({ id, tags }) => tags.map((tag) => ({ id: `comment ${id}`, value: tag }))),
  },
  owner_idle_time: one('number', lastTouched),
  days_elapsed: one('number', ({ bug }, { now }) => Math.floor((now - Date.parse(bug.last_change_time)) / DAY)),
  ...Object.fromEntries(CUSTOM_FIELDS.map(({ name, type }) => [name, customField(name, type)])),
}

function customField(name: `cf_${string}`, type: number): SearchedField {
  switch (type) {
    case 3:
      return many('text', ({ bug }) => bug[name] as readonly string[])
    case 5:
      return one('time', ({ bug }) => bug[name])
    case 6:
      return one('number', ({ bug }) => bug[name])
    case 9:
      return one('day', ({ bug }) => String(bug[name] ?? '').slice(0, 10) || null)
    case 10:
      return one('number', ({ bug }) => bug[name])
    default:
      return text(name)
  }
}

/** The time of the assignee's last action on the bug; a very early time if there is none. */
function lastTouched({ bug, comments, changes }: Facts): number {
  const said = comments.filter((it) => it.creator === bug.assigned_to).map((it) => it.time)
  const done = changes.filter((it) => it.who === bug.assigned_to).map((it) => it.at)
  return Math.max(0, ...[...said, ...done].map((at) => Date.parse(at)))
}

function percentageOf(actual: number, remaining: number) {
  return actual + remaining === 0 ? 0 : Math.floor((100 * actual) / (actual + remaining))
}

const CHANGES: ReadonlySet<string> = new Set([
  'changedbefore',
  'changedafter',
  'changedfrom',
  'changedto',
  'changedby',
  'everchanged',
] satisfies OperatorName[])

function itemsFor({ field, operator }: Criterion, facts: Facts, asker: Asker): readonly Item[] {
  if (CHANGES.has(operator)) return changesOf(field, facts)
  return SEARCHED_FIELDS[field]?.items(facts, asker) ?? []
}

/** The names of fields in history that differ from those in the search form. */
const IN_HISTORY: Readonly<Record<string, string>> = {
  short_desc: 'summary',
  rep_platform: 'platform',
  bug_file_loc: 'url',
  bug_status: 'status',
  status_whiteboard: 'whiteboard',
  bug_severity: 'severity',
  reporter: 'creator',
  dependson: 'depends_on',
  blocked: 'blocks',
  everconfirmed: 'is_confirmed',
  reporter_accessible: 'is_creator_accessible',
  cclist_accessible: 'is_cc_accessible',
  bug_group: 'groups',
}

/** The changes of a field. A comment counts as a change of the comments, and filing a bug as a change of its creation time. */
function changesOf(field: string, { bug, comments, changes }: Facts): readonly Item[] {
  const returned = (id: string, at: string, who: string, removed: string, added: string) => ({
    id,
    value: JSON.stringify({ at, who, removed, added }),
  })
  if (field === 'creation_ts') return [returned('creation', bug.creation_time, bug.creator, '', '')]
  if (field === 'longdesc') return comments.map((it) => returned(`comment ${it.id}`, it.time, it.creator, '', ''))
  const name = IN_HISTORY[field] ?? field
  return changes
    .filter((it) => it.field === name)
    .map((it) => returned(`change ${it.id}`, it.at, it.who, it.removed, it.added))
}

/** All criteria about one kind of item must match the same item. */
function haveOneItem(criteria: readonly Criterion[], facts: Facts, asker: Asker): boolean {
  const kindOf = (it: Criterion) => (CHANGES.has(it.operator) ? 'change' : (itemKind(it.field) ?? it.field))
  const kinds = Map.groupBy(criteria, kindOf)
  return [...kinds.values()].every((alike) => {
    const ids = new Set(alike.flatMap((it) => itemsFor(it, facts, asker).map(({ id }) => id)))
    return [...ids].some((id) =>
      alike.every((it) => {
        const own = itemsFor(it, facts, asker).filter((item) => item.id === id)
        return holds(it, own, asker, facts)
      }),
    )
  })
}

function itemKind(field: string): string | undefined {
  if (/^(longdesc|longdescs\.isprivate|commenter|comment_tag)$/.test(field)) return 'comment'
  if (/^attachments\.|^attach_data\./.test(field)) return 'attachment'
  return /^(flagtypes\.name|requestees\.login_name|setters\.login_name)$/.test(field) ? 'flag' : undefined
}

const NEGATIVES: Partial<Record<OperatorName, OperatorName>> = {
  notequals: 'equals',
  notsubstring: 'substring',
  nowords: 'anywords',
  nowordssubstr: 'anywordssubstr',
  notregexp: 'regexp',
  notmatches: 'matches',
  isnotempty: 'isempty',
}

function holds({ field, operator, value }: Criterion, items: readonly Item[], asker: Asker, facts: Facts): boolean {
  const positive = NEGATIVES[operator]
  if (positive !== undefined) return !holds({ field, operator: positive, value }, items, asker, facts)
  const kind = SEARCHED_FIELDS[field]?.kind ?? 'text'
  if (field === 'owner_idle_time')
    return isIdle(operator, lastTouched(facts), Date.parse(timeIn(String(value), asker.now)))
  const has = (test: (item: string) => boolean) => items.some((item) => test(item.value))
  const given = typeof value === 'string' ? value : value.join(',')
  switch (operator) {
    case 'isempty':
      return !has((item) => (kind === 'number' || kind === 'hours' ? Number(item) !== 0 : item !== ''))
    case 'matches':
      return matches(given, facts)
    case 'everchanged':
      return items.length > 0
    case 'changedbefore':
      return has((item) => JSON.parse(item).at <= timeIn(given, asker.now))
    case 'changedafter':
      return has((item) => JSON.parse(item).at >= timeIn(given, asker.now))
    case 'changedfrom':
      return has((item) => sameText(JSON.parse(item).removed, given))
    case 'changedto':
      return has((item) => sameText(JSON.parse(item).added, given))
    case 'changedby':
      return has((item) => peopleIn(given, facts, asker).some((login) => sameText(JSON.parse(item).who, login)))
    case 'allwords':
      return wordsIn(value).every((word) => has((item) => hasWord(shown(kind, item), word)))
    case 'anywords':
      return wordsIn(value).some((word) => has((item) => hasWord(shown(kind, item), word)))
    case 'allwordssubstr':
      return wordsIn(value).every((word) => has((item) => contains(shown(kind, item), word)))
    case 'anywordssubstr':
      return wordsIn(value).some((word) => has((item) => contains(shown(kind, item), word)))
    case 'anyexact':
      return listIn(value).some((it) => equal(kind, it))
    case 'equals':
      return equal(kind, given)
    case 'substring':
      return has((item) => contains(shown(kind, item), given))
    case 'casesubstring':
      return has((item) => shown(kind, item).includes(given))
    case 'regexp':
      return has((item) => new RegExp(given, 'iu').test(shown(kind, item)))
    case 'lessthan':
      return has((item) => compared(kind, item, given, asker) < 0)
    case 'lessthaneq':
      return has((item) => compared(kind, item, given, asker) <= 0)
    case 'greaterthan':
      return has((item) => compared(kind, item, given, asker) > 0)
    case 'greaterthaneq':
      return has((item) => compared(kind, item, given, asker) >= 0)
    default:
      throw new Error(`What is ${operator}?`)
  }

  function equal(of: Kind, wanted: string) {
    return has((item) => peopleIn(wanted, facts, asker).some((it) => compared(of, item, it, asker) === 0))
  }
}

/** Idle for more than a week means that the last action is more than a week ago. */
function isIdle(operator: OperatorName, touched: number, then: number): boolean {
  if (operator === 'lessthan') return touched > then
  if (operator === 'lessthaneq') return touched >= then
  return operator === 'greaterthan' ? touched < then : touched <= then
}

const DAY = 86_400_000

/** A value as text, for substrings, words and patterns. */
function shown(kind: Kind, value: string): string {
  return kind === 'hours' ? Number(value).toFixed(2) : value
}

function compared(kind: Kind, item: string, given: string, { now }: Asker): number {
  if (kind === 'number' || kind === 'hours') return Number(item) - Number(given)
  if (kind === 'time') return ordered(item, timeIn(given, now))
  if (kind === 'day') return ordered(item, timeIn(given, now).slice(0, 10))
  return ordered(folded(item), folded(given))
}

/** Compares texts by code points. */
function ordered(a: string, b: string): number {
  const [left, right] = [[...a], [...b]].map((chars) => chars.map((char) => char.codePointAt(0) ?? 0)) as [
    number[],
    number[],
  ]
  for (const [index, code] of left.entries()) {
    const difference = code - (right[index] ?? -1)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

function folded(given: string) {
  return given.normalize('NFC').toLowerCase()
}

const sameText = (a: string, b: string) => folded(a) === folded(b)
const contains = (whole: string, part: string) => folded(whole).includes(folded(part))

function hasWord(whole: string, word: string): boolean {
  const [within, wanted] = [folded(whole), folded(word)]
  for (let at = within.indexOf(wanted); at >= 0; at = within.indexOf(wanted, at + 1)) {
    const [before, after] = [within.slice(0, at), within.slice(at + wanted.length)]
    if (!/[\p{L}\p{N}]$/u.test(before) && !/^[\p{L}\p{N}]/u.test(after)) return true
  }
  return false
}

function wordsIn(value: Criterion['value']): string[] {
  if (typeof value !== 'string') return [...value]
  return value.split(/[\s,]+/).filter((word) => word !== '')
}

function listIn(value: Criterion['value']): string[] {
  if (typeof value !== 'string') return [...value]
  return value
    .split(',')
    .map((it) => it.trim())
    .filter((it) => it !== '')
}

/** The user that a pronoun stands for on this bug; other text is returned unchanged. */
function peopleIn(given: string, { bug }: Facts, { login }: Asker): string[] {
  const pronouns: Readonly<Record<string, string | null>> = {
    '%user%': login,
    '%reporter%': bug.creator,
    '%assignee%': bug.assigned_to,
    '%qacontact%': bug.qa_contact,
  }
  if (!Object.hasOwn(pronouns, given)) return [given]
  return pronouns[given] ? [pronouns[given]] : []
}

/** A point in time: a date with or without a time, `now`, or a number of hours, days, weeks, months or years relative to now. */
export function timeIn(given: string, now: number): string {
  const [, sign, count, unit, start] = /^([+-]?)(\d+)([hdwmy])(s?)$/i.exec(given) ?? []
  if (count === undefined || unit === undefined) return asTime(Date.parse(isoOf(given)))
  const steps = Number(count) * (sign === '+' ? 1 : -1)
  const moment = moved(new Date(now), steps, unit.toLowerCase())
  return asTime((start || steps === 0 ? startOf(moment, unit.toLowerCase()) : moment).getTime())
}

function isoOf(given: string) {
  if (/^\d{4}-\d\d-\d\d$/.test(given)) return `${given}T00:00:00Z`
  return /Z$/.test(given) ? given : `${given.replace(' ', 'T')}${/:\d\d:/.test(given) ? '' : ':00'}Z`
}

function asTime(milliseconds: number) {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
}

function moved(from: Date, steps: number, unit: string): Date {
  const to = new Date(from)
  if (unit === 'h') to.setUTCHours(to.getUTCHours() + steps)
  if (unit === 'd') to.setUTCDate(to.getUTCDate() + steps)
  if (unit === 'w') to.setUTCDate(to.getUTCDate() + 7 * steps)
  if (unit === 'm' || unit === 'y') {
    to.setUTCMonth(to.getUTCMonth() + steps * (unit === 'y' ? 12 : 1))
    // If the month has no such day, the date is in the next month: go back to the last day of the right month.
    if (to.getUTCDate() !== from.getUTCDate()) to.setUTCDate(0)
  }
  return to
}

function startOf(moment: Date, unit: string): Date {
  const [year, month, day] = [moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate()]
  if (unit === 'h') return new Date(Date.UTC(year, month, day, moment.getUTCHours()))
  if (unit === 'd') return new Date(Date.UTC(year, month, day))
  if (unit === 'w') return new Date(Date.UTC(year, month, day - moment.getUTCDay()))
  return new Date(Date.UTC(year, unit === 'm' ? month : 0, 1))
}

/** Full text: every word occurs in the summary or in a comment, and a phrase in one of them. */
function matches(given: string, { bug, comments }: Facts): boolean {
  const texts: string[] = [bug.summary, ...comments.map((it) => it.text)]
  const terms = (given.match(/"[^"]*"|[^\s"]+/g) ?? []).map((term) => term.replaceAll('"', ''))
  return terms.length > 0 && terms.every((term) => texts.some((it) => hasWord(it, term)))
}
