// The conditions of the advanced search: the rows f1, o1, v1 … of an address as a tree, and back.

export type Join = 'AND' | 'OR' | 'AND_G'

export interface Condition {
  field: string
  operator: string
  value: string
  isNegated: boolean
}

export interface Bracket {
  join: Join
  isNegated: boolean
  parts: Part[]
}

export type Part = Condition | Bracket

export function isBracket(part: Part): part is Bracket {
  return 'parts' in part
}

const ROW = /^[fonvj](\d+)$/

/** Rows in the order of their numbers; brackets that are not closed end with the last row. */
export function readCriteria(query: URLSearchParams): Bracket {
  const root: Bracket = { join: joinOf(query.get('j_top')), isNegated: false, parts: [] }
  const open = [root]
  for (const row of rowNumbers(query)) {
    const field = query.get(`f${row}`) ?? ''
    const isNegated = query.get(`n${row}`) === '1'
    if (field === 'OP') {
      const bracket: Bracket = { join: joinOf(query.get(`j${row}`)), isNegated, parts: [] }
      open.at(-1)?.parts.push(bracket)
      open.push(bracket)
    } else if (field === 'CP') {
      if (open.length > 1) open.pop()
    } else if (field !== '') {
      const condition = {
        field,
        operator: query.get(`o${row}`) ?? 'equals',
        value: query.getAll(`v${row}`).join(','),
        isNegated,
      }
      open.at(-1)?.parts.push(condition)
    }
  }
  return root
}

function rowNumbers(query: URLSearchParams): number[] {
  const numbers = [...query.keys()].flatMap((name) => (name.startsWith('f') && ROW.test(name) ? [name.slice(1)] : []))
  return [...new Set(numbers)].map(Number).sort((one, other) => one - other)
}

function joinOf(text: string | null): Join {
  return text === 'OR' || text === 'AND_G' ? text : 'AND'
}

/** The query with these conditions instead of its own. */
export function withCriteria(query: URLSearchParams, root: Bracket): URLSearchParams {
  const next = withoutCriteria(query)
  if (root.parts.length === 0) return next
  if (root.join !== 'AND') next.set('j_top', root.join)
  let row = 0
  const write = (part: Part) => {
    row++
    if (part.isNegated) next.set(`n${row}`, '1')
    if (!isBracket(part)) {
      next.set(`f${row}`, part.field)
      next.set(`o${row}`, part.operator)
      next.set(`v${row}`, part.value)
      return
    }
    next.set(`f${row}`, 'OP')
    if (part.join !== 'AND') next.set(`j${row}`, part.join)
    for (const inner of part.parts) write(inner)
    row++
    next.set(`f${row}`, 'CP')
  }
  for (const part of root.parts) write(part)
  return next
}

/** The query, and this field has this value. */
export function withCondition(query: URLSearchParams, field: string, value: string): URLSearchParams {
  const own = readCriteria(query)
  const condition = value === '' ? { operator: 'isempty', value } : { operator: 'equals', value }
  const parts: Part[] = [{ field, isNegated: false, ...condition }]
  if (own.parts.length > 0) parts.unshift(own)
  return withCriteria(query, { join: 'AND', isNegated: false, parts })
}

export function withoutCriteria(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => !ROW.test(name) && name !== 'j_top'))
}

/** Each operator in words, as it stands between the field and the value. */
export const OPERATORS: readonly (readonly [name: string, words: string])[] = [
  ['equals', 'is'],
  ['notequals', 'is not'],
  ['anyexact', 'is one of'],
  ['substring', 'contains'],
  ['notsubstring', 'does not contain'],
  ['casesubstring', 'contains, same case'],
  ['anywordssubstr', 'contains any of'],
  ['allwordssubstr', 'contains all of'],
  ['nowordssubstr', 'contains none of'],
  ['anywords', 'has any word of'],
  ['allwords', 'has all words of'],
  ['nowords', 'has no word of'],
  ['regexp', 'matches the pattern'],
  ['notregexp', 'does not match the pattern'],
  ['lessthan', 'is before or less than'],
  ['lessthaneq', 'is at most'],
  ['greaterthan', 'is after or more than'],
  ['greaterthaneq', 'is at least'],
  ['isempty', 'is empty'],
  ['isnotempty', 'is not empty'],
  ['matches', 'has the words'],
  ['notmatches', 'does not have the words'],
  ['changedafter', 'changed after'],
  ['changedbefore', 'changed before'],
  ['changedfrom', 'changed from'],
  ['changedto', 'changed to'],
  ['changedby', 'changed by'],
  ['everchanged', 'was ever changed'],
]

const WITHOUT_VALUE = new Set(['isempty', 'isnotempty', 'everchanged'])

export function needsValue(operator: string) {
  return !WITHOUT_VALUE.has(operator)
}

export function operatorWords(operator: string) {
  return OPERATORS.find(([name]) => name === operator)?.[1] ?? operator
}

/** A condition as people say it. */
export function wordsOf(part: Part, label: (field: string) => string): string {
  const not = part.isNegated ? 'not ' : ''
  if (isBracket(part)) {
    const between = part.join === 'OR' ? ' or ' : ' and '
    return `${not}(${part.parts.map((inner) => wordsOf(inner, label)).join(between)})`
  }
  const value = needsValue(part.operator) ? ` ${part.value === '' ? 'nothing' : part.value}` : ''
  return `${not}${label(part.field)} ${operatorWords(part.operator)}${value}`
}

export function newCondition(): Condition {
  return { field: '', operator: 'substring', value: '', isNegated: false }
}
