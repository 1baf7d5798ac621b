import type { Db } from './db.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

/** `postgres://…` is PostgreSQL; anything else is the path of a SQLite file. */
export function openDatabase(url: string): Db {
  return isPostgres(url) ? openPostgres(url) : openSqlite(url)
}

export function isPostgres(url: string) {
  return /^postgres(ql)?:\/\//.test(url)
}
