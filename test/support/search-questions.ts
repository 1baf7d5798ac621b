import type { Criterion, OperatorName, Query } from '../../src/search/parsing/query.ts'
import { OPERATOR_NAMES } from '../../src/search/parsing/query.ts'
import type { Facts } from './bug-facts.ts'
import { cast } from './cast.ts'
import { SEARCHED_FIELDS } from './search-evaluator.ts'

/** A search as Bugzilla's search form sends it: numbered lines, with brackets around groups. */
export function chartOf(query: Query): URLSearchParams {
  const chart = new URLSearchParams({ include_fields: 'id' })
  for (const [index, line] of linesOf(query, false).entries())
    for (const [message, values] of Object.entries(line))
      for (const value of [values].flat()) chart.append(`${message}${index + 1}`, value)
  return chart
}

type Line = Partial<Record<'f' | 'o' | 'v' | 'n' | 'j', string | readonly string[]>>

function linesOf(query: Query, isNegated: boolean): Line[] {
  const n = isNegated ? { n: '1' } : {}
  const bracket = (parts: readonly Query[], j: string): Line[] => [
    { f: 'OP', j, ...n },
    ...parts.flatMap((part) => linesOf(part, false)),
    { f: 'CP' },
  ]
  if ('not' in query) return linesOf(query.not, !isNegated)
  if ('all' in query) return bracket(query.all, 'AND')
  if ('any' in query) return bracket(query.any, 'OR')
  if ('sameItem' in query) return bracket(query.sameItem, 'AND_G')
  return [{ f: query.field, o: query.operator, v: query.value, ...n }]
}

/** Values to search for in a field: existing ones, parts of them, several at once, special characters of SQL, and missing ones. */
export function criteriaFor(field: string, operator: OperatorName, facts: readonly Facts[]): Criterion[] {
  const kind = SEARCHED_FIELDS[field]?.kind ?? 'text'
  const found = valuesIn(field, facts)
  const [first = 'amber', middle = 'birch', last = 'cobalt'] = [0, 0.5, 0.99].map(
    (at) => found[Math.floor(at * found.length)],
  )
  const values = (): string[] => {
    switch (operator) {
      case 'isempty':
      case 'isnotempty':
      case 'everchanged':
        return ['']
      case 'changedby':
        return [cast.sven.login, '%assignee%', cast.ada.login.toUpperCase()]
      case 'changedbefore':
      case 'changedafter':
        return ['-40d', new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10), '+1w']
      case 'changedfrom':
      case 'changedto':
        return changesIn(facts).get(field) ?? ['amber']
      case 'matches':
      case 'notmatches':
        return ['amber', '"birch and"', 'nowhere']
      case 'regexp':
      case 'notregexp':
        return [`^${escaped(middle.slice(0, 3))}`, 'am?b.r|^1', '[2-5]$']
      case 'lessthan':
      case 'lessthaneq':
      case 'greaterthan':
      case 'greaterthaneq':
        if (field === 'owner_idle_time') return ['30d', '-6w', '2026-01-01']
        return kind === 'time' || kind === 'day' ? [middle, '-30d', last] : [middle, first, last.toUpperCase()]
      case 'equals':
      case 'notequals':
        return [middle.toUpperCase(), last, kind === 'text' ? 'nowhere' : first]
      case 'anyexact':
        return [`${first}, ${last.toUpperCase()}`, middle, kind === 'text' ? 'nowhere,%,' : first]
      case 'substring':
      case 'notsubstring':
      case 'casesubstring':
        return [middle.slice(1, 4).toUpperCase(), first.slice(0, 2), '%', '_', "'"]
      default:
        return [
          `${middle} ${last}`,
          `${first.slice(1, 3)},${last.slice(0, 2).toUpperCase()}`,
          'amber',
          'light%, nowhere',
        ]
    }
  }
  return [...new Set(values())].filter(isWhole).map((value) => ({ field, operator, value }))
}

/** The search form skips lines without a value. */
function isWhole(value: string, _: number, all: readonly string[]) {
  return value.replace(/[\s,]/g, '') !== '' || all.length === 1
}

/** All values of the bugs in a field, in order, each once. */
function valuesIn(field: string, facts: readonly Facts[]): string[] {
  const asker = { login: null, isInsider: true, isTimeTracker: true, facts, now: Date.now() }
  const items = facts.flatMap((it) => SEARCHED_FIELDS[field]?.items(it, asker).map(({ value }) => value) ?? [])
  const kind = SEARCHED_FIELDS[field]?.kind
  const values = [...new Set(items)].filter((value) => value !== '')
  return kind === 'number' ? values.sort((a, b) => Number(a) - Number(b)) : values.sort()
}

/** The old and new values of changed fields, by the names of the search form. */
function changesIn(facts: readonly Facts[]): Map<string, string[]> {
  const returned = facts.flatMap(({ changes }) => changes)
  const names: Readonly<Record<string, string>> = {
    status: 'bug_status',
    severity: 'bug_severity',
    whiteboard: 'status_whiteboard',
    groups: 'bug_group',
    depends_on: 'dependson',
    blocks: 'blocked',
  }
  const changes = new Map<string, string[]>()
  for (const { field, removed, added } of returned) {
    const name = names[field] ?? field
    changes.set(name, [...(changes.get(name) ?? []), removed, added].filter((it) => it !== '').slice(0, 4))
  }
  return changes
}

function escaped(text: string) {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

export const ALL_OPERATORS: readonly OperatorName[] = OPERATOR_NAMES
