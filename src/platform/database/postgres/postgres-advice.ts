import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** Settings with which searches among many bugs are slow; docs/operating.md says which are good. */
const ADVICE: readonly Advice[] = [
  { name: 'shared_buffers', isPoor: (blocks) => blocks * 8192 < 256 * 2 ** 20, better: 'a quarter of the memory' },
  { name: 'work_mem', isPoor: (kilobytes) => kilobytes < 16 * 1024, better: '32MB' },
  { name: 'random_page_cost', isPoor: (cost) => cost > 2, better: '1.1, unless its disks turn' },
  { name: 'autovacuum', isPoor: (_, text) => text === 'off', better: 'on' },
  { name: 'plan_cache_mode', isPoor: (_, text) => text !== 'auto', better: 'auto' },
]

/** Settings that Lacewing chooses itself for connections of its own, and that a pooler must set for the connections that it shares. */
const ADVICE_FOR_POOLERS: readonly Advice[] = [
  { name: 'jit', isPoor: (_, text) => text === 'on', better: 'off, by connect_query of the pooler' },
  {
    name: 'statement_timeout',
    isPoor: (milliseconds) => milliseconds === 0,
    better: '30s, by connect_query of the pooler',
  },
]

interface Advice {
  name: string
  isPoor(value: number, text: string): boolean
  better: string
}

export interface PoorSetting {
  readonly name: string
  /** As PostgreSQL shows it. */
  readonly value: string
  readonly better: string
}

/** The settings of the database server that make searches slow. None on SQLite. */
export async function listPoorSettings(db: Db): Promise<PoorSetting[]> {
  return db.dialect.engine === 'sqlite' ? [] : poorSettings(db, ADVICE)
}

/** The settings of the connections that a pooler shares. */
export function listPoolerSettings(db: Db): Promise<PoorSetting[]> {
  return poorSettings(db, ADVICE_FOR_POOLERS)
}

async function poorSettings(db: Db, advice: readonly Advice[]): Promise<PoorSetting[]> {
  const rows = await db.query((q) => ({
    compile: () =>
      sql<{
        name: string
        setting: string
        shown: string
      }>`select name, setting, current_setting(name) as shown from pg_settings
        where name in (${sql.join(advice.map(({ name }) => name))})`.compile(q),
  }))
  return advice.flatMap(({ name, isPoor, better }) => {
    const found = rows.find((row) => row.name === name)
    return found !== undefined && isPoor(Number(found.setting), found.setting)
      ? [{ name, value: found.shown, better }]
      : []
  })
}
