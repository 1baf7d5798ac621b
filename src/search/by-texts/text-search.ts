import { fieldNameOf } from '../../../shared/bug-fields/field-names.ts'
import { INDEXED_TEXTS } from '../../bug-fields/indexed-texts.ts'
import { fold } from '../../platform/text/fold.ts'
import { searchWordsIn, type WordTerm } from '../../platform/text/word-terms.ts'
import { addIds } from '../column-search.ts'
import { operatorInput } from '../conditions/operators.ts'
import type { Criterion, Query, Search } from '../parsing/query.ts'
import { idsNamed } from '../references.ts'
import type { SearchContext } from '../search-context.ts'
import { isReference } from '../searchable-field.ts'
import { findSearchable } from '../searchable-fields.ts'
import type { IndexedTextPart } from '../text/rare-pieces.ts'
import { MOST_TEXTS_LISTED } from '../thresholds.ts'

/** A search for words and parts of texts that indexes find, perhaps among the bugs with certain ids in columns. */
export interface TextSearch {
  /** By column; see column-search.ts. */
  readonly ids: ReadonlyMap<string, readonly number[]>
  /** All of them must hold. */
  readonly groups: readonly TextGroup[]
}

/** What is looked for in several fields, such as a word of a quicksearch. A bug has to have one of these. */
export interface TextGroup {
  readonly parts: IndexedTextPart[]
  readonly terms: WordTerm[]
  /** Parts of aliases. */
  readonly aliases: string[]
}

/** The search by texts; undefined if it asks for anything else, so that other plans carry it out. */
export async function textSearchOf(context: SearchContext, { where }: Search): Promise<TextSearch | undefined> {
  const found = { ids: new Map<string, readonly number[]>(), groups: [] as TextGroup[] }
  if (!(await addQuery(context, where, found)) || found.groups.length === 0) return undefined
  const texts = found.groups.flatMap(({ parts, terms, aliases }) => [...parts, ...terms, ...aliases])
  return texts.length > MOST_TEXTS_LISTED ? undefined : found
}

interface FoundParts {
  readonly ids: Map<string, readonly number[]>
  readonly groups: TextGroup[]
}

/** Returns false if the query asks for more. */
async function addQuery(context: SearchContext, query: Query, found: FoundParts): Promise<boolean> {
  if ('all' in query) {
    for (const part of query.all) if (!(await addQuery(context, part, found))) return false
    return true
  }
  if ('any' in query) {
    const group: TextGroup = { parts: [], terms: [], aliases: [] }
    for (const part of query.any) if (!(await addToGroup(context, part, group))) return false
    return addGroups(found, [group])
  }
  if (!('operator' in query)) return false
  const groups = groupsOf(query)
  return groups === undefined ? addIds(context, query, found.ids) : addGroups(found, groups)
}

/** A group without anything to look for holds for no bug; that is left to other plans. */
function addGroups(found: FoundParts, groups: readonly TextGroup[]): boolean {
  found.groups.push(...groups)
  return (
    groups.length > 0 && groups.every(({ parts, terms, aliases }) => parts.length + terms.length + aliases.length > 0)
  )
}

const INDEXED = new Map(INDEXED_TEXTS.map(({ column, searchName }) => [searchName, column]))

/** Undefined for a criterion that is not about an indexed text. */
function groupsOf({ field, operator, value }: Criterion): TextGroup[] | undefined {
  const name = fieldNameOf(field)
  const { text, words } = operatorInput(value)
  if (name === 'content' && operator === 'matches') {
    const { all, none } = searchWordsIn(text)
    return none.length > 0 ? undefined : all.map((term) => ({ parts: [], terms: [term], aliases: [] }))
  }
  const column = INDEXED.get(name)
  if (column === undefined) return undefined
  const group = (texts: readonly string[]): TextGroup => ({
    parts: texts.map((it) => ({ column, text: fold(it) })),
    terms: [],
    aliases: [],
  })
  if (operator === 'substring') return [group([text])]
  if (operator === 'anywordssubstr') return [group(words)]
  return operator === 'allwordssubstr' ? words.map((word) => group([word])) : undefined
}

/** Returns false if what the criterion asks for cannot be in a group. */
async function addToGroup(context: SearchContext, query: Query, group: TextGroup): Promise<boolean> {
  if ('any' in query) {
    for (const part of query.any) if (!(await addToGroup(context, part, group))) return false
    return true
  }
  if (!('operator' in query)) return false
  const groups = groupsOf(query)
  if (groups === undefined) return query.operator === 'substring' && addPlain(context, query, group)
  const [only, ...others] = groups
  if (only === undefined || others.length > 0) return false
  group.parts.push(...only.parts)
  group.terms.push(...only.terms)
  return true
}

/** A part of an alias, or of a name in the catalogue that nothing has. */
async function addPlain(context: SearchContext, { field, value, sentAs }: Criterion, group: TextGroup) {
  const input = operatorInput(value)
  if (fieldNameOf(field) === 'alias') {
    group.aliases.push(fold(input.text))
    return true
  }
  const searchable = findSearchable(context, field, sentAs)
  if (searchable === undefined || !isReference(searchable.value)) return false
  const { to, isOptional, isPerson } = searchable.value
  if (isOptional || isPerson || to.keptAs === undefined) return false
  const { ids } = await idsNamed(context, to, 'substring', input)
  return ids?.length === 0
}
