import { type Static, Type } from '@sinclair/typebox'
import type { CallContext } from '../../access/call.ts'
import { isIn } from '../../access/caller.ts'
import { readGroupGraph } from '../../access/visibility/group-graph.ts'
import { lastRemovalId, listRemovalsSince } from '../../catalogue/removals/removal-store.ts'
import { searchesRenamedIn } from '../../catalogue/rename-in-searches.ts'
import { countMembers } from '../../people/member-counts.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { countHidden } from './count-hidden.ts'
import { countBugsWithEach, countUsesBeforeRemoval } from './count-uses.ts'
import type { RequestedChange } from './requested-changes.ts'

const Count = Type.Integer({ minimum: 0 })

export const Effects = Type.Object(
  {
    changes: Type.Array(
      Type.Object(
        {
          class: Type.String(),
          id: Type.Integer(),
          field: Type.String(),
          removed: Type.String(),
          added: Type.String(),
          bugs: Type.Optional(Type.Integer({ minimum: 0, description: 'How many bugs have the object.' })),
        },
        { additionalProperties: false },
      ),
      { description: 'As the audit log lists them.' },
    ),
    bugs_changed: Type.Optional(Type.Integer({ minimum: 0, description: 'How many bugs get a line of history.' })),
    bugs_deleted: Type.Optional(Count),
    restrictions: Type.Optional(
      Type.Array(Type.Object({ group: Type.String(), added: Count, removed: Count }, { additionalProperties: false }), {
        description: 'How many bugs become restricted to a group, or are no longer.',
      }),
    ),
    members: Type.Optional(
      Type.Array(Type.Object({ group: Type.String(), before: Count, after: Count }, { additionalProperties: false }), {
        description: 'Groups whose number of members changes, inherited ones included.',
      }),
    ),
    hidden: Type.Optional(
      Type.Array(
        Type.Object(
          { field: Type.String(), display_name: Type.String(), value: Type.Optional(Type.String()), bugs: Count },
          { additionalProperties: false },
        ),
        {
          description:
            'Fields and values whose visibility changes, with the number of bugs that have a value in the field, or the value, where it is then not shown. They keep it.',
        },
      ),
    ),
    removals: Type.Optional(
      Type.Array(
        Type.Object(
          {
            class: Type.String(),
            id: Type.Integer(),
            name: Type.String(),
            replaced_with: Type.Union([Type.String(), Type.Null()]),
            bugs: Count,
          },
          { additionalProperties: false },
        ),
        { description: 'What is removed in steps afterwards, with the number of bugs that are changed or deleted.' },
      ),
    ),
    milliseconds: Type.Optional(
      Type.Integer({ minimum: 0, description: 'How long it took, while other writes waited.' }),
    ),
    searches_changed: Type.Optional(
      Type.Integer({ minimum: 0, description: 'How many saved searches and series follow a new name.' }),
    ),
  },
  { title: 'ConfigurationEffects', additionalProperties: false },
)
export type Effects = Static<typeof Effects>

const lastIds = statement<object>()((q) =>
  q.selectNoFrom((row) => [
    row
      .selectFrom('outbox')
      .select((it) => it.fn.max('id').as('id'))
      .as('outbox'),
    row
      .selectFrom('bug_changes')
      .select((it) => it.fn.max('id').as('id'))
      .as('history'),
  ]),
)
const eventsSince = statement<{ after: number }>()((q, p) =>
  q
    .selectFrom('outbox')
    .select((row) => ['kind', row.fn.count<number>('bug_id').distinct().as('bugs')])
    .where('id', '>', p.after)
    .groupBy('kind'),
)
const restrictionsSince = statement<{ after: number }>()((q, p) =>
  q
    .selectFrom('bug_changes')
    .select((row) => ['removed', 'added', row.fn.count<number>('bug_id').distinct().as('bugs')])
    .where('id', '>', p.after)
    .where('field', '=', 'groups')
    .groupBy(['removed', 'added']),
)
const auditSince = statement<{ after: number }>()((q, p) =>
  q
    .selectFrom('audit_log')
    .select(['class', 'object_id', 'field', 'removed', 'added'])
    .where('id', '>', p.after)
    .orderBy('id'),
)

/** What a transaction is compared with: the state before its changes. */
export class EffectsBefore {
  private readonly audit: number
  private readonly numbers: NumbersBefore | undefined
  private readonly startedAt = performance.now()
  /** How many bugs have each object, by its class and id. */
  private readonly counts = new Map<string, number | undefined>()

  private constructor(audit: number, numbers: NumbersBefore | undefined) {
    this.audit = audit
    this.numbers = numbers
  }

  /**
   * `audit` is the last entry of the audit log. Only members of admin get numbers of bugs and people: they count also what
   * others may not see.
   */
  static async read(
    tx: Db,
    audit: number,
    { caller }: Pick<CallContext, 'caller'>,
    changes: readonly RequestedChange[],
  ): Promise<EffectsBefore> {
    return new EffectsBefore(audit, isIn(caller, 'admin') ? await readNumbers(tx, changes) : undefined)
  }

  /** To be called before each change: what it deletes cannot be counted afterwards. */
  async countUses(tx: Db, change: RequestedChange) {
    const use = this.numbers === undefined ? undefined : await countUsesBeforeRemoval(tx, change)
    if (use !== undefined) this.counts.set(`${use.className} ${use.id}`, use.bugs)
  }

  async compare(tx: Db): Promise<Effects> {
    const audit = await tx.all(auditSince, { after: this.audit })
    if (this.numbers === undefined) return { changes: audit.map(presentChange) }
    const { counts } = this
    const uncounted = audit.filter((it) => !counts.has(`${it.class} ${it.object_id}`))
    for (const [className, entries] of Map.groupBy(uncounted, (it) => it.class)) {
      const ids = [...new Set(entries.map((it) => it.object_id))]
      for (const [id, bugs] of await countBugsWithEach(tx, className, ids)) counts.set(`${className} ${id}`, bugs)
    }
    const changes = audit.map((entry) => {
      const bugs = counts.get(`${entry.class} ${entry.object_id}`)
      return { ...presentChange(entry), ...(bugs !== undefined && { bugs }) }
    })
    const numbers = { ...(await numbersSince(tx, this.numbers)), hidden: await countHidden(tx, audit) }
    return { changes, ...numbers, milliseconds: Math.round(performance.now() - this.startedAt) }
  }
}

interface AuditEntry {
  class: string
  object_id: number
  field: string
  removed: string | null
  added: string | null
}

function presentChange({ class: className, object_id: id, field, removed, added }: AuditEntry) {
  return { class: `Tracker::${className}`, id, field, removed: removed ?? '', added: added ?? '' }
}

interface NumbersBefore {
  outbox: number
  history: number
  removals: number
  /** Of all groups; undefined if no change can be about members. */
  members: ReadonlyMap<string, number> | undefined
}

async function readNumbers(tx: Db, changes: readonly RequestedChange[]): Promise<NumbersBefore> {
  const last = await tx.first(lastIds, {})
  const members = changes.some(canChangeMembers) ? await countMembersOfAll(tx) : undefined
  return { outbox: last?.outbox ?? 0, history: last?.history ?? 0, removals: await lastRemovalId(tx), members }
}

/** A new product may get a group of its own. */
function canChangeMembers({ call: { resource, method } }: RequestedChange) {
  return resource === 'group' || (resource === 'product' && method === 'POST')
}

async function numbersSince(tx: Db, before: NumbersBefore): Promise<Omit<Effects, 'changes'>> {
  const events = await tx.all(eventsSince, { after: before.outbox })
  const countOf = (isCounted: (kind: string) => boolean) =>
    events.filter(({ kind }) => isCounted(kind)).reduce((sum, { bugs }) => sum + Number(bugs), 0)
  return {
    bugs_changed: countOf((kind) => kind !== 'bug.delete'),
    bugs_deleted: countOf((kind) => kind === 'bug.delete'),
    restrictions: restrictionsIn(await tx.all(restrictionsSince, { after: before.history })),
    members: before.members === undefined ? [] : differences(before.members, await countMembersOfAll(tx)),
    searches_changed: searchesRenamedIn(tx),
    ...(await removalsSince(tx, before.removals)),
  }
}

async function removalsSince(tx: Db, after: number) {
  const removals = (await listRemovalsSince(tx, after)).map((it) => ({
    class: `Tracker::${it.class}`,
    id: it.object_id,
    name: it.name,
    replaced_with: it.replacement_name,
    bugs: it.bugs,
  }))
  return removals.length > 0 ? { removals } : {}
}

async function countMembersOfAll(tx: Db): Promise<Map<string, number>> {
  const graph = await readGroupGraph(tx)
  const countsOf = await countMembers(tx, graph, [...graph.ids])
  return new Map([...graph.groups.values()].map(({ id, name }) => [name, countsOf(id).members]))
}

function differences(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>) {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((group) => ({ group, before: before.get(group) ?? 0, after: after.get(group) ?? 0 }))
    .filter((it) => it.before !== it.after)
}

function restrictionsIn(lines: readonly { removed: string; added: string; bugs: number }[]) {
  const byGroup = new Map<string, { group: string; added: number; removed: number }>()
  for (const side of ['added', 'removed'] as const)
    for (const line of lines) {
      const group = line[side]
      if (group === '') continue
      const sum = byGroup.get(group) ?? { group, added: 0, removed: 0 }
      sum[side] += Number(line.bugs)
      byGroup.set(group, sum)
    }
  return [...byGroup.values()]
}
