import { fieldNameOf } from '../../../shared/bug-fields/field-names.ts'
import { isInsider } from '../../access/visibility/reader-rights.ts'
import { INDEXED_TEXTS } from '../../bug-fields/indexed-texts.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import { type SearchWords, searchWordsIn } from '../../platform/text/word-terms.ts'
import { type Criterion, criteriaIn, type Query } from '../parsing/query.ts'
import type { SearchContext } from '../search-context.ts'
import { type KnownTexts, keyOf, nothingKnown, readIndexedTexts } from '../text/known-texts.ts'
import { matchesWords } from '../text/matches-words.ts'
import type { IndexedTextPart } from '../text/rare-pieces.ts'
import type { ItemCondition } from './change-conditions.ts'
import { operatorInput } from './operators.ts'

/** Full text: the field `content` with the operator `matches`. Neither is used without the other. */
export function contentCondition(context: SearchContext, criterion: Criterion): ItemCondition {
  if (!isContent(criterion))
    throw errors.content_operator_wrong({ criterion: criterion.field, operator: criterion.operator })
  const { db, caller, settings, texts } = context
  const reader = { isInsider: isInsider(caller, settings) }
  return { items: undefined, holds: matchesWords(db.dialect, wordsOf(criterion), reader, texts), isIndexed: false }
}

/** All words that the query searches for. Bugs are ranked by them. */
export function wordsWanted(query: Query): SearchWords {
  const wanted = criteriaIn(query)
    .filter((it) => isContent(it) && it.operator === 'matches')
    .map(wordsOf)
  return { all: wanted.flatMap(({ all }) => all), none: [] }
}

function isContent({ field, operator }: Criterion) {
  return fieldNameOf(field) === 'content' && (operator === 'matches' || operator === 'notmatches')
}

function wordsOf({ value }: Criterion): SearchWords {
  return searchWordsIn(operatorInput(value).text)
}

/** Counts how common the words and texts of a query are, for the planner. */
export function textsKnownFor(context: SearchContext, query: Query): Promise<KnownTexts> {
  return readIndexedTexts(context, textsIn(query))
}

/** The same for the bugs whose summaries have all words of the query. Nothing is counted: these words are certain to match. */
export function textsOfMostRelevant(query: Query): KnownTexts {
  const unwanted = criteriaIn(query)
    .filter(isContent)
    .flatMap((it) => wordsOf(it).none)
  return {
    ...nothingKnown,
    common: new Set(unwanted.map(keyOf)),
    certain: new Set(wordsWanted(query).all.map(keyOf)),
  }
}

/** Where bugs are tested one by one for every word and text, nothing is counted. Undefined for a query without texts. */
export function textsUncounted(query: Query): KnownTexts | undefined {
  const { parts, terms } = textsIn(query)
  return parts.length + terms.length === 0 ? undefined : { ...nothingKnown, common: new Set(terms.map(keyOf)) }
}

function textsIn(query: Query) {
  const criteria = criteriaIn(query)
  const terms = criteria.filter(isContent).flatMap((it) => [...wordsOf(it).all, ...wordsOf(it).none])
  return { parts: criteria.flatMap(partsOf), terms }
}

/** The fields with an index of the parts of their texts. */
const INDEXED = new Map(INDEXED_TEXTS.map(({ column, searchName }) => [searchName, column]))

function partsOf({ field, operator, value }: Criterion): readonly IndexedTextPart[] {
  const column = INDEXED.get(fieldNameOf(field))
  if (column === undefined) return []
  const { text, words } = operatorInput(value)
  const texts = operator === 'substring' ? [text] : WORDS.has(operator) ? words : []
  return texts.map((it) => ({ column, text: fold(it) }))
}

const WORDS: ReadonlySet<string> = new Set(['anywordssubstr', 'allwordssubstr'])
