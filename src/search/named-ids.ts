import type { CataloguePart } from '../access/installation.ts'
import { BoundedCache } from '../platform/bounded-cache.ts'
import type { LimitedDb } from '../platform/database/db.ts'
import type { Sql } from './conditions/condition.ts'

/** The rows that a name matches: their ids, unless they are many, and in any case SQL that lists them. */
export interface Listed {
  ids: readonly number[] | undefined
  list: Sql
}

/** What was looked up by names. It stays true until the catalogue changes. */
export interface NamedIds {
  readonly rows: BoundedCache<Listed>
  /** By criterion; see column-search.ts. */
  readonly criteria: BoundedCache<ColumnIds>
  /** How rare pieces of texts are; see text/rare-pieces.ts. */
  readonly pieces: BoundedCache<number>
  /** See text/estimates.ts. */
  readonly estimates: BoundedCache<number>
}

/** What a criterion asks of a column of the bug: to have one of these ids. */
export interface ColumnIds {
  readonly column: string
  readonly ids: readonly number[]
}

/** What is needed to learn how frequent texts are. */
export interface TextContext {
  readonly db: LimitedDb
  readonly namedIds?: NamedIds
  /** In milliseconds. */
  readonly now: number
}

export const keptNamedIds: CataloguePart<NamedIds> = {
  read: async () => ({
    rows: new BoundedCache<Listed>(MOST_KEPT),
    criteria: new BoundedCache<ColumnIds>(MOST_KEPT),
    pieces: new BoundedCache<number>(MOST_PIECES_KEPT),
    estimates: new BoundedCache<number>(MOST_PIECES_KEPT),
  }),
}

const MOST_KEPT = 2000
const MOST_PIECES_KEPT = 10_000
