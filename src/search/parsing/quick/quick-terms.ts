import type { FieldDefinitions, FieldValue } from '../../../catalogue/fields/field.ts'
import { fold } from '../../../platform/text/fold.ts'
import type { Criterion, OperatorName, Query } from '../query.ts'
import { isUnquoted, plainText, type QuickText, splitAtCommas } from './quick-characters.ts'
import { type FieldMatch, quickNamesOf } from './quick-names.ts'
import { quicksearchError, type Term } from './quick-query.ts'

/** The fields and keywords that a quicksearch can name. */
export interface QuickVocabulary {
  readonly fields: FieldDefinitions
  readonly isKeyword: (word: string) => boolean
  /** Whether words without a field are also searched for in comments: the setting quicksearch_fulltext. */
  readonly isInComments: boolean
}

/** The query of one term. */
export function queryOf({ characters, isNegated }: Term, words: QuickVocabulary): Query {
  const query =
    bySign(characters, words) ?? byField(characters, words) ?? byForm(characters, words) ?? anywhere(characters, words)
  return isNegated ? { not: query } : query
}

/** A first character that stands for fields. */
function bySign([sign, ...rest]: QuickText, { isInComments }: QuickVocabulary): Query | undefined {
  if (sign === undefined || sign.isQuoted || rest.length === 0) return undefined
  const text = plainText(rest)
  const each = splitAtCommas(rest).map(plainText)
  switch (sign.char) {
    case '#':
      return { any: [contains('short_desc', text), ...(isInComments ? [saysPhrase(text)] : [])] }
    case ':':
      return { any: each.flatMap((name) => [contains('product', name), contains('component', name)]) }
    case '@':
      return { any: each.map((login) => contains('assigned_to', login)) }
    case '[':
      return { any: [contains('short_desc', text), contains('status_whiteboard', text)] }
    case '!':
      return { field: 'keywords', operator: 'anywords', value: text }
    default:
      return undefined
  }
}

/** `field:value`, `field=value` and similar terms. */
function byField(characters: QuickText, words: QuickVocabulary): Query | undefined {
  const found = comparisonIn(characters)
  if (found === undefined) return undefined
  const names = splitAtCommas(found.names)
  const named = names.map((name) => quickNamesOf(words.fields)(plainText(name)))
  const misunderstood = named.flatMap((it) => ('field' in it ? [] : [it]))
  if (misunderstood.length > 0 && isNoField(characters)) return undefined
  if (misunderstood.length > 0) throw quicksearchError(characters, misunderstood.map(whyNot).join('; '))
  const fields = named.flatMap((it) => ('field' in it ? [it.field] : []))
  const values = splitAtCommas(found.value).map(plainText)
  if (values.length === 0) throw quicksearchError(characters, `nothing stands after ${found.sign}`)
  const operator = SIGNS[found.sign]
  const any = { any: fields.flatMap((field) => values.map((value) => compares(field, operator, value))) }
  return found.sign === '!=' ? { not: any } : any
}

/** `!=` with several values means none of them, so it becomes the negation of `=`. */
const SIGNS = {
  ':': 'substring',
  '=': 'equals',
  '!=': 'equals',
  '>': 'greaterthan',
  '>=': 'greaterthaneq',
  '<': 'lessthan',
  '<=': 'lessthaneq',
} as const satisfies Record<string, OperatorName>

type Sign = keyof typeof SIGNS

interface Comparison {
  readonly names: QuickText
  readonly sign: Sign
  readonly value: QuickText
}

const NAMES = /^[a-z][\w.]*(,[a-z][\w.]*)*$/i

/** The term, split at its first sign, if the text before it can be names of fields. */
function comparisonIn(characters: QuickText): Comparison | undefined {
  const at = characters.findIndex((character, index) => signAt(character, characters[index + 1]) !== undefined)
  const sign = signAt(characters[at], characters[at + 1])
  if (at <= 0 || sign === undefined) return undefined
  const names = characters.slice(0, at)
  if (names.some(({ isQuoted }) => isQuoted) || !NAMES.test(plainText(names))) return undefined
  return { names, sign, value: characters.slice(at + sign.length) }
}

function signAt(character: QuickText[number] | undefined, next: QuickText[number] | undefined): Sign | undefined {
  if (character === undefined || character.isQuoted) return undefined
  const both = `${character.char}${isUnquoted(next, '=') ? '=' : ''}`
  if (both === '!=' || both === '>=' || both === '<=') return both
  return character.char === ':' || character.char === '=' || character.char === '>' || character.char === '<'
    ? character.char
    : undefined
}

/** `std::vector`, `https://…`, `mailto:…` and `localhost:8080` look like a field and a value, but are not. */
function isNoField(characters: QuickText) {
  return /^(\w+:(\/\/|:)|mailto:|(localhost|[\w-]+(\.[\w-]+)+):\d+(\W|$))/i.test(plainText(characters))
}

function whyNot(named: Exclude<FieldMatch, { field: string }>) {
  if ('unknown' in named)
    return `there is no field ${named.unknown}, and text with such a character must stand in quotation marks`
  return `it can mean ${named.severalOf.join(' or ')}`
}

function compares(field: string, operator: OperatorName, value: string): Query {
  const isNothing = value === '' || (field === 'resolution' && value === '---')
  if (isNothing && (operator === 'substring' || operator === 'equals')) return { field, operator: 'isempty', value: '' }
  if (operator !== 'substring') return { field, operator, value }
  if (field === 'content') return { field, operator: 'matches', value }
  if (field === 'owner_idle_time') return { field, operator: 'greaterthan', value }
  if (field === 'flagtypes.name') return flagWith(value) ?? contains(field, value)
  return contains(field, value)
}

/** Priorities and flags are recognised by their form. */
function byForm(characters: QuickText, { fields }: QuickVocabulary): Query | undefined {
  if (characters.some(({ isQuoted }) => isQuoted)) return undefined
  const text = plainText(characters)
  return ofPriority(text, fields.valuesOf('priority')) ?? flagWith(text)
}

/** `P1` is the priority of that name, or otherwise the first one; `P1-3` are several. */
function ofPriority(text: string, priorities: readonly FieldValue[]): Query | undefined {
  const [, first, last = first] = /^P(\d{1,2})(?:-P?(\d{1,2}))?$/i.exec(text) ?? []
  const names: string[] = []
  for (let number = Number(first); number <= Number(last); number++) {
    const named = priorities.find(({ name }) => fold(name) === `p${number}`) ?? priorities[number - 1]
    if (named !== undefined) names.push(named.name)
  }
  return names.length === 0 ? undefined : { field: 'priority', operator: 'anyexact', value: names }
}

/** `review?` is a requested flag, `review?edna` one whose requestee is edna. */
function flagWith(text: string): Query | undefined {
  const [, flag, requestee] = /^([^?]+\?)([^?]*)$/.exec(text) ?? []
  if (flag === undefined) return undefined
  if (!requestee) return contains('flagtypes.name', flag)
  return { sameItem: [contains('flagtypes.name', flag), contains('requestees.login_name', requestee)] }
}

/** A word without a field is searched for in all fields with words. */
function anywhere(characters: QuickText, words: QuickVocabulary): Query {
  const each = splitAtCommas(characters)
    .map(plainText)
    .filter((word) => word !== '')
  if (each.length === 0) throw quicksearchError(characters, 'there is nothing in it to look for')
  return { any: each.flatMap((word) => anywhereWord(word, words)) }
}

/** compat: words that are in the names of so many products or components that they would find everything. */
const NO_PRODUCTS: ReadonlySet<string> = new Set(['row', 'new'])
const NO_COMPONENTS: ReadonlySet<string> = new Set(['hang'])

function anywhereWord(word: string, { isKeyword, isInComments }: QuickVocabulary): Query[] {
  const key = fold(word)
  const isLong = word.length > 2
  return [
    ...(isLong && !NO_PRODUCTS.has(key) ? [contains('product', word)] : []),
    ...(isLong && !NO_COMPONENTS.has(key) ? [contains('component', word)] : []),
    ...(isKeyword(word) ? [contains('keywords', word)] : []),
    contains('alias', word),
    contains('short_desc', word),
    contains('status_whiteboard', word),
    ...(isAddress(word) ? [contains('bug_file_loc', word)] : []),
    ...(isInComments ? [saysPhrase(word)] : []),
  ]
}

function isAddress(word: string) {
  return /^(\d{1,3}(\.\d{1,3}){3}\b|localhost\b|mailto:|[a-z][a-z0-9+.-]*:\/\/|([\w-]+\.)+[a-z]{2,}(?=[:/?#]|$))/i.test(
    word,
  )
}

function contains(field: string, value: string): Criterion {
  return { field, operator: 'substring', value }
}

function saysPhrase(text: string): Criterion {
  return { field: 'content', operator: 'matches', value: `"${text.replaceAll('"', ' ').trim()}"` }
}
