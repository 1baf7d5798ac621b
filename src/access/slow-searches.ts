import type { Db } from '../platform/database/db.ts'
import type { ServerPart } from '../platform/server-parts.ts'
import { masked, maskedOf } from '../platform/text/masked.ts'
import { timeNow } from '../platform/time/clock.ts'
import { storeSlowSearches } from './slow-search-store.ts'

export interface SlowSearch {
  userId: number | null
  path: string
  /** The parameters, without credentials. */
  query: string
  milliseconds: number
}

const WRITE_AFTER_MILLISECONDS = 5_000
const MOST_WAITING = 100
const LONGEST_QUERY = 2_000

/**
 * Searches that took long, for those who run the tracker. They are collected in memory and written together, so that a search costs no
 * write. If too many come at once, some are not noted.
 */
export class SlowSearches {
  private readonly db: Db
  private waiting: (SlowSearch & { at: string })[] = []
  private timer: NodeJS.Timeout | undefined

  constructor(db: Db) {
    this.db = db
  }

  note(search: SlowSearch) {
    if (this.waiting.length >= MOST_WAITING) return
    this.waiting.push({ ...search, query: search.query.slice(0, LONGEST_QUERY), at: timeNow() })
    this.timer ??= setTimeout(() => void this.write().catch(() => {}), WRITE_AFTER_MILLISECONDS).unref()
  }

  async write() {
    clearTimeout(this.timer)
    this.timer = undefined
    if (this.waiting.length === 0) return
    const rows = this.waiting.map(({ userId, ...search }) => ({ ...search, user_id: userId }))
    this.waiting = []
    await storeSlowSearches(this.db, rows)
  }
}

/** Without secrets, also one in a pasted address, under a misspelt name or in place of a name. */
export function shownQuery(params: Readonly<Record<string, unknown>>, secrets: readonly string[]): string {
  const shown = Object.entries(params).map(([name, value]): [string, string] => {
    const pair = masked(maskedOf(`${name}=${String(value)}`, secrets))
    const at = pair.indexOf('=')
    return [pair.slice(0, Math.max(at, 0)), pair.slice(at + 1)]
  })
  return String(new URLSearchParams(shown))
}

export const slowSearches: ServerPart<SlowSearches> = { open: (db) => new SlowSearches(db) }
