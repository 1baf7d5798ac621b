import type { Db } from './db.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

/** `postgres://…` is PostgreSQL; anything else is the path of a SQLite file. */
/** A shared file has several processes that write to it. */
export function openDatabase(url: string, isShared = false): Db {
  return isPostgres(url) ? openPostgres(url) : openSqlite(url, isShared)
}

export function isPostgres(url: string) {
  return /^postgres(ql)?:\/\//.test(url)
}
