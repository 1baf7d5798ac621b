import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** Settings with which searches among many bugs are slow; docs/operating.md says which are good. */
const ADVICE: readonly { name: string; isPoor(value: number, text: string): boolean; better: string }[] = [
  { name: 'shared_buffers', isPoor: (blocks) => blocks * 8192 < 256 * 2 ** 20, better: 'a quarter of the memory' },
  { name: 'work_mem', isPoor: (kilobytes) => kilobytes < 16 * 1024, better: '32MB' },
  { name: 'random_page_cost', isPoor: (cost) => cost > 2, better: '1.1, unless its disks turn' },
  { name: 'autovacuum', isPoor: (_, text) => text === 'off', better: 'on' },
  { name: 'plan_cache_mode', isPoor: (_, text) => text !== 'auto', better: 'auto' },
]

export interface PoorSetting {
  readonly name: string
  /** As PostgreSQL shows it. */
  readonly value: string
  readonly better: string
}

/** The settings of the database server that make searches slow. None on SQLite. */
export async function listPoorSettings(db: Db): Promise<PoorSetting[]> {
  if (db.dialect.engine === 'sqlite') return []
  const rows = await db.query((q) => ({
    compile: () =>
      sql<{
        name: string
        setting: string
        shown: string
      }>`select name, setting, current_setting(name) as shown from pg_settings
        where name in (${sql.join(ADVICE.map(({ name }) => name))})`.compile(q),
  }))
  return ADVICE.flatMap(({ name, isPoor, better }) => {
    const found = rows.find((row) => row.name === name)
    return found !== undefined && isPoor(Number(found.setting), found.setting)
      ? [{ name, value: found.shown, better }]
      : []
  })
}
