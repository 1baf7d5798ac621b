import { sql } from 'kysely'
import { statement } from '../../platform/database/statements/statement.ts'
import { statementFamily } from '../../platform/database/statements/statement-family.ts'
import type { IndexedColumn } from '../../platform/database/tables.ts'
import type { TextContext } from '../named-ids.ts'
import { MOST_PIECES_COMPARED, PIECES_LOOKED_FOR, PLACES_TO_COMPARE_PIECES } from '../thresholds.ts'

/** A case-folded text that a column with an index of parts should contain. */
export interface IndexedTextPart {
  readonly column: IndexedColumn
  readonly text: string
}

/** The pieces by which the index of parts finds a text; see PIECES_LOOKED_FOR. */
export interface SoughtPart extends IndexedTextPart {
  readonly pieces: readonly string[]
}

/** With the rarest pieces of each text. A text that the index cannot find is left out. */
export async function withRarePieces(context: TextContext, parts: readonly IndexedTextPart[]): Promise<SoughtPart[]> {
  const most = Math.max(PIECES_LOOKED_FOR, Math.floor(MOST_PIECES_COMPARED / Math.max(1, parts.length)))
  const all = parts.flatMap((part) => {
    const pieces = context.db.dialect.piecesOf(part.text)
    return pieces === undefined ? [] : [{ ...part, pieces: spreadOver(pieces, most) }]
  })
  const compared = all.filter(({ pieces }) => pieces.length > PIECES_LOOKED_FOR)
  if (compared.length === 0) return all
  const rarities = await raritiesOf(context, compared)
  return all.map((part) => {
    if (part.pieces.length <= PIECES_LOOKED_FOR) return part
    return { ...part, pieces: rarestOf(part.pieces, (piece) => rarities.get(keyOf(part.column, piece)) ?? NOT_ONE) }
  })
}

const NOT_ONE = Number.POSITIVE_INFINITY

/** How rare each piece is: the later the bug that has it for the 200th time, the rarer. Once looked up, it is kept, because it hardly changes. */
async function raritiesOf(
  { db, namedIds }: TextContext,
  parts: readonly SoughtPart[],
): Promise<ReadonlyMap<string, number>> {
  const rarities = new Map<string, number>()
  const unknown = new Map<IndexedColumn, Set<string>>()
  for (const { column, pieces } of parts)
    for (const piece of pieces) {
      const known = namedIds?.pieces.get(keyOf(column, piece))
      if (known === undefined) unknown.set(column, (unknown.get(column) ?? new Set()).add(piece))
      else rarities.set(keyOf(column, piece), known)
    }
  for (const [column, pieces] of unknown)
    for (let start = 0; start < pieces.size; start += PIECES_AT_ONCE) {
      const some = [...pieces].slice(start, start + PIECES_AT_ONCE)
      const params = Object.fromEntries(some.map((piece, number) => [`piece${number}`, db.dialect.matchOf([piece])]))
      const row = await db.first(raritiesStatement({ column, count: some.length }), params)
      for (const [number, piece] of some.entries()) {
        const rarity = row?.[`place${number}`] ?? NOT_ONE
        rarities.set(keyOf(column, piece), rarity)
        namedIds?.pieces.set(keyOf(column, piece), rarity)
      }
    }
  return rarities
}

/** Each takes about 25 µs. */
const PIECES_AT_ONCE = 12

const raritiesStatement = statementFamily(
  ({ column, count }: { column: IndexedColumn; count: number }) => `${column} ${count}`,
  ({ column, count }) =>
    statement<Record<string, string>>()((q, p, d) =>
      q
        .selectNoFrom(
          Array.from({ length: count }, (_, number) =>
            sql<number | null>`(${d.bugWithPiece(column, p[`piece${number}`] as never, PLACES_TO_COMPARE_PIECES)})`.as(
              `place${number}`,
            ),
          ),
        )
        .$castTo<Record<`place${number}`, number | null>>(),
    ),
)

function keyOf(column: IndexedColumn, piece: string) {
  return `${column} ${piece}`
}

/** So many of the pieces, from all over the text. */
function spreadOver(pieces: readonly string[], most: number): readonly string[] {
  if (pieces.length <= most) return pieces
  const step = (pieces.length - 1) / (most - 1)
  return Array.from({ length: most }, (_, number) => pieces[Math.round(number * step)] as string)
}

/** The rarest piece, and the rarest one that does not overlap it. */
function rarestOf(pieces: readonly string[], rarity: (piece: string) => number): readonly string[] {
  const [rarest = '', ...others] = pieces.toSorted((one, other) => (rarity(one) < rarity(other) ? 1 : -1))
  const other = others.find((piece) => !overlap(piece, rarest) && !overlap(rarest, piece)) ?? others[0] ?? ''
  return [rarest, other]
}

function overlap(one: string, other: string) {
  return [...one].slice(1).join('') === [...other].slice(0, -1).join('')
}
