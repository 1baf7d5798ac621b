import { sql } from 'kysely'
import type { LimitedDb } from '../../platform/database/db.ts'
import { type Bound, IDS, withIds } from '../../platform/database/slow-reads/text-scan.ts'
import type { Dialect } from '../../platform/dialects/dialect.ts'
import { indexDriven } from '../conditions/candidates.ts'
import { bugsWith } from '../conditions/compile.ts'
import type { Condition } from '../conditions/condition.ts'
import type { ScanState } from '../conditions/text-conditions.ts'
import type { SearchContext } from '../search-context.ts'
import { BUGS_IN_FIRST_SCAN, MOST_BUGS_IN_A_SCAN, SCAN_GROWTH, SCAN_MILLISECONDS } from '../thresholds.ts'
import { listIds } from './list-ids.ts'

/**
 * Filters bugs by a condition that needs texts to be read; see text-conditions.ts. Each read is of a few bugs, so that it is short and needs
 * little memory, and reads of other requests run in between.
 */
export class TextFilter {
  private readonly db: LimitedDb
  private readonly read: Bound
  private width = BUGS_IN_FIRST_SCAN

  constructor(db: LimitedDb, condition: Condition) {
    const { builder } = db.dialect
    const bugs = sql`select bugs.id as value from bugs where bugs.id in (select value from json_each(${IDS})) and ${condition}`
    const { sql: text, parameters } = sql`select ${db.dialect.jsonListOf(bugs)} as ids`.compile(builder)
    this.db = db
    this.read = { sql: text, values: parameters }
  }

  /** In the order of `ids`, and at most `most` of them. */
  async of(ids: readonly number[], most = Number.POSITIVE_INFINITY): Promise<number[]> {
    const found: number[] = []
    for (let start = 0; start < ids.length && found.length < most; ) {
      const some = ids.slice(start, start + this.width)
      start += some.length
      found.push(...(await this.ofSome(some)))
    }
    return found.slice(0, most)
  }

  private async ofSome(ids: readonly number[]): Promise<number[]> {
    const { spent } = this.db.limits
    const before = spent.milliseconds
    const { sql: text, values } = withIds(this.read, ids)
    const [row] = await this.db.querySlowly<{ ids: string }>((q) => ({
      compile: () => ({ ...sql<{ ids: string }>``.compile(q), sql: text, parameters: values }),
    }))
    this.width = nextWidth(ids.length, spent.milliseconds - before)
    const found = new Set(JSON.parse(row?.ids ?? '[]') as number[])
    return ids.filter((id) => found.has(id))
  }
}

/** As many bugs as take SCAN_MILLISECONDS, if the next ones are like the last ones. */
function nextWidth(width: number, milliseconds: number): number {
  const wanted = (width * SCAN_MILLISECONDS) / Math.max(milliseconds, 1)
  return Math.ceil(Math.min(wanted, width * SCAN_GROWTH, MOST_BUGS_IN_A_SCAN))
}

/** The ids of all bugs that the caller may see and for which the condition holds, in ascending order. */
export async function idsScanned(context: SearchContext, { atMost, rest }: ScanState): Promise<number[]> {
  const all = { limit: undefined, offset: undefined, after: undefined }
  const bugs = await listIds(context, bugsWith(context, indexDriven(atMost)), [BY_ID], all)
  return new TextFilter(context.db, rest).of(bugs)
}

const BY_ID = { by: sql<number>`bugs.id`, kind: 'number', descending: false } as const

export function isAmongIds(dialect: Dialect, ids: readonly number[]): Condition {
  return sql`bugs.id in ${dialect.integersIn(JSON.stringify(ids))}`
}
