import type { Db } from './db.ts'
import { openPostgres } from './postgres/postgres.ts'
import { type DeferredSync, openSqlite } from './sqlite/sqlite.ts'

/**
 * `postgres://…` is PostgreSQL; any other text is the path of a SQLite file. `isShared`: several processes or threads
 * write to the file. `deferredSync` is for writers that can repeat what a power cut loses. `poolerUrl`: a pooler in front of PostgreSQL.
 */
export function openDatabase(url: string, isShared = false, deferredSync?: DeferredSync, poolerUrl?: string): Db {
  return isPostgres(url) ? openPostgres(url, { poolerUrl }) : openSqlite(url, isShared, deferredSync)
}

export function isPostgres(url: string) {
  return /^postgres(ql)?:\/\//.test(url)
}
