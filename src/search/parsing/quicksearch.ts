import { listKeywords } from '../../catalogue/keywords/keyword-store.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import type { SearchContext } from '../search-context.ts'
import { MOST_CRITERIA, requireShortQuicksearch } from '../search-limits.ts'
import { criteriaIn, type Query } from './query.ts'
import { type QuickQuery, quicksearchError, sentenceOf } from './quick/quick-query.ts'
import { openBugs, statusesIn } from './quick/quick-statuses.ts'
import { type QuickVocabulary, queryOf } from './quick/quick-terms.ts'

/** The query of one line of text, as typed into a search box. */
export async function quicksearch({ db, fields }: Pick<SearchContext, 'db' | 'fields'>, line: string): Promise<Query> {
  const keywords = new Set((await listKeywords(db)).map(({ name }) => fold(name)))
  return readQuicksearch(line, { fields, isKeyword: (word) => keywords.has(fold(word)), isInComments: true })
}

export function readQuicksearch(input: string, words: QuickVocabulary): Query {
  const line = input.replace(/[\s,]+$/, '')
  const start = /^[\s,]*/.exec(line)?.[0].length ?? 0
  if (start === line.length) throw errors.quicksearch_empty()
  if (/^[\d\s,]+$/.test(line)) return { field: 'bug_id', operator: 'anyexact', value: line.match(/\d+/g) ?? [] }
  requireShortQuicksearch(line)
  // Leading commas are replaced by spaces, so that errors name the position in the line as it was typed.
  return readSentence(sentenceOf(' '.repeat(start) + line.slice(start)), words)
}

function readSentence(sentence: QuickQuery, words: QuickVocabulary): Query {
  const first = statusesIn(sentence, words.fields)
  const queries = ofSentence(first === undefined ? sentence : sentence.slice(1), words)
  const limits = first === undefined ? (isAboutStatus(queries) ? [] : [openBugs(words.fields)]) : [first]
  return { all: [...limits, ...queries] }
}

function ofSentence(sentence: QuickQuery, words: QuickVocabulary): Query[] {
  let count = 0
  return sentence.map((group) => {
    const any = group.map((term) => {
      const query = queryOf(term, words)
      count += criteriaIn(query).length
      if (count > MOST_CRITERIA)
        throw quicksearchError(term.characters, 'up to here it asks for more than can be looked for at once')
      return query
    })
    return any.length === 1 && any[0] !== undefined ? any[0] : { any }
  })
}

function isAboutStatus(queries: readonly Query[]) {
  return criteriaIn({ all: queries }).some(({ field }) => field === 'bug_status' || field === 'resolution')
}
