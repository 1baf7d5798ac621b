import { type RawBuilder, sql } from 'kysely'
import type { AuditedClass } from '../changes/audit.ts'
import type { LimitedDb } from '../platform/database/db.ts'

/** Where the names of configuration objects are. Bugs and what belongs to them are missing: their texts may be hidden. */
const NAMES = new Map<string, RawBuilder<unknown>>(
  Object.entries({
    User: sql`select id, login as name from users`,
    Group: sql`select id, name from groups`,
    OAuthClient: sql`select id, name from oauth_clients`,
    Keyword: sql`select id, name from keywords`,
    Classification: sql`select id, name from classifications`,
    Product: sql`select id, name from products`,
    Component: sql`select id, name from components`,
    Version: sql`select id, name from versions`,
    Milestone: sql`select id, name from milestones`,
    Rotation: sql`select id, name from rotations`,
    TriageQueue: sql`select id, name from triage_queues`,
    FlagType: sql`select id, name from flag_types`,
    Field: sql`select id, name from fields`,
    FieldValue: sql`select id, name from field_values`,
  } satisfies Partial<Record<AuditedClass, RawBuilder<unknown>>>),
)

interface AuditedObject {
  class: string
  id: number
}

/** Reads what the objects are called now. The result is null for those that are deleted or have no name. */
export async function readObjectNames(db: LimitedDb, objects: readonly AuditedObject[]) {
  const found = new Map<string, string>()
  for (const [name, all] of NAMES) {
    const ids = new Set(objects.filter((it) => it.class === name).map(({ id }) => id))
    if (ids.size === 0) continue
    const rows = await db.querySlowly((q, d) =>
      q
        .selectFrom(sql<{ id: number; name: string }>`(${all})`.as('object'))
        .select(['id', 'name'])
        .where('id', 'in', d.integersIn(JSON.stringify([...ids]))),
    )
    for (const row of rows) found.set(`${name} ${row.id}`, row.name)
  }
  return (name: string, id: number) => found.get(`${name} ${id}`) ?? null
}
