import type { Db } from './db.ts'
import { openPostgres } from './postgres.ts'
import { type Durability, openSqlite } from './sqlite.ts'

/**
 * `postgres://…` is PostgreSQL; anything else is the path of a SQLite file. A shared file has several processes or threads that write to it.
 * Who can do again what a power cut takes away need not wait for the disk.
 */
export function openDatabase(url: string, isShared = false, durability: Durability = 'at once'): Db {
  return isPostgres(url) ? openPostgres(url) : openSqlite(url, isShared, durability)
}

export function isPostgres(url: string) {
  return /^postgres(ql)?:\/\//.test(url)
}
