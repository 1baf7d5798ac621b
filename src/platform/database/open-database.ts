import type { Db } from './db.ts'
import { openPostgres } from './postgres/postgres.ts'
import { type DeferredSync, openSqlite } from './sqlite/sqlite.ts'

/**
 * `postgres://…` is PostgreSQL; anything else is the path of a SQLite file. A shared file has several processes or threads that write to it.
 * Who can do again what a power cut takes away may be patient.
 */
export function openDatabase(url: string, isShared = false, deferredSync?: DeferredSync): Db {
  return isPostgres(url) ? openPostgres(url) : openSqlite(url, isShared, deferredSync)
}

export function isPostgres(url: string) {
  return /^postgres(ql)?:\/\//.test(url)
}
