import { sql } from 'kysely'
import { isInsider } from '../../access/visibility/reader-rights.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { statementFamily } from '../../platform/database/statements/statement-family.ts'
import type { IdRange, ListOrder, TextList, TextPart, TextsToFind } from '../../platform/dialects/dialect.ts'
import type { WordTerm } from '../../platform/text/word-terms.ts'
import { placeOf } from '../../platform/text/words.ts'
import type { SearchContext } from '../search-context.ts'
import { type SoughtPart, withRarePieces } from '../text/rare-pieces.ts'
import type { TextGroup } from './text-search.ts'

/** The bugs that indexes find for a group of texts. */
export interface GroupIds {
  /** Those that have one of its words or aliases. */
  readonly certain: ReadonlySet<number>
  /** Those that may have one of its parts, with the former. */
  readonly possible: ReadonlySet<number>
}

export interface ListedIds {
  readonly groups: readonly GroupIds[]
  /** Within this part of the range the groups have all bugs. Undefined if that is unknown. */
  readonly complete: IdRange | undefined
}

/** Which part of the lists is read. */
export interface ListedPart {
  readonly range: IdRange
  readonly order: ListOrder
  /** How many ids of each list. */
  readonly most: number
}

/** The first bugs in the lists of all groups. Undefined if there is no index for a text, or too much would be read. */
export async function readLists(
  context: SearchContext,
  groups: readonly TextGroup[],
  part: ListedPart,
): Promise<ListedIds | undefined> {
  const lists: SoughtList[] = []
  for (const [number, group] of groups.entries()) {
    const parts = await withRarePieces(context, group.parts)
    if (parts.length < group.parts.length) return undefined
    lists.push(...listsOf(context, { ...group, parts }, number))
  }
  const { range, order, most } = part
  const { from, to } = range
  const params: Record<string, string | number> = {
    ...{ from, to, fromPlace: placeOf(from, 0), toPlace: placeOf(to + 1, 0) - 1, most },
  }
  for (const [number, { sought }] of lists.entries()) {
    params[`match${number}`] = sought.match
    params[`part${number}`] = sought.part
  }
  const shape = { kinds: lists.map(({ list }) => list), order }
  const rows = await context.db.allOfFewRows(listsStatement(shape), params)
  const row = rows?.[0]
  return row && groupedIds(lists, row, groups.length, part)
}

interface SoughtList {
  readonly group: number
  readonly list: TextList
  readonly sought: TextsToFind
  /** The list may have bugs without the text. */
  readonly isTested: boolean
}

/** Only insiders find the words of private comments. */
function listsOf(
  { db, caller, settings }: SearchContext,
  { parts, terms, aliases }: Omit<TextGroup, 'parts'> & { parts: readonly SoughtPart[] },
  group: number,
): SoughtList[] {
  const find = (list: TextList, sought: WordTerm | TextPart, isTested = false) => ({
    group,
    list,
    sought: db.dialect.textsToFind(sought),
    isTested,
  })
  return [
    ...parts.map((part) => find(part.column, part, true)),
    ...terms.map((term) => find('bug_words', term)),
    ...(isInsider(caller, settings) ? terms.map((term) => find('private_words', term)) : []),
    ...aliases.map((text) => find('aliases', { text, pieces: [] })),
  ]
}

interface ListsShape {
  readonly kinds: readonly TextList[]
  readonly order: ListOrder
}

/** Each list as JSON, and what waits to be indexed beside it. */
type ListsRow = Record<`listed${number}` | `waiting${number}`, string> & Record<`isOrdered${number}`, number>

const listsStatement = statementFamily(
  ({ kinds, order }: ListsShape) => `${kinds} ${order}`,
  ({ kinds, order }) =>
    statement<Record<string, string | number>>('planned for its values')((q, p, d) => {
      const columns = kinds.flatMap((kind, number) => {
        const param = (name: string) => p[name] as never
        const bound = {
          ...{ match: param(`match${number}`), part: param(`part${number}`), most: param('most') },
          ...{ from: param('from'), to: param('to'), fromPlace: param('fromPlace'), toPlace: param('toPlace') },
        }
        const { listed, waiting, isOrdered } = d.firstListed(kind, bound, order)
        return [
          d.jsonListOf(listed).as(`listed${number}`),
          sql.lit(isOrdered ? 1 : 0).as(`isOrdered${number}`),
          ...(waiting === undefined ? [] : [d.jsonListOf(waiting).as(`waiting${number}`)]),
        ]
      })
      return q.selectNoFrom(columns).$castTo<ListsRow>()
    }),
)

function groupedIds(
  lists: readonly SoughtList[],
  row: ListsRow,
  count: number,
  { range, order, most }: ListedPart,
): ListedIds {
  const groups = Array.from({ length: count }, () => ({ certain: new Set<number>(), possible: new Set<number>() }))
  let complete: IdRange | undefined = range
  for (const [number, { group, isTested }] of lists.entries()) {
    const { certain, possible } = groups[group] as (typeof groups)[number]
    const listed = idsIn(row[`listed${number}`])
    for (const id of [...listed, ...idsIn(row[`waiting${number}`])]) {
      possible.add(id)
      if (!isTested) certain.add(id)
    }
    if (listed.length >= most)
      complete = complete && row[`isOrdered${number}`] === 1 ? upTo(complete, listed, order === 'desc') : undefined
  }
  return { groups, complete }
}

function idsIn(json: string | undefined): readonly number[] {
  return json === undefined ? [] : (JSON.parse(json) as number[])
}

/** The part of the range up to the last id of a list. */
function upTo({ from, to }: IdRange, listed: readonly number[], descending: boolean): IdRange {
  const last = listed.reduce((one, other) => (descending ? Math.min(one, other) : Math.max(one, other)))
  return descending ? { from: Math.max(from, last), to } : { from, to: Math.min(to, last) }
}
