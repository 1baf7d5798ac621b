import type { Db } from '../platform/database/db.ts'
import { statement } from '../platform/database/statement.ts'
import { type Settings, settingsFrom } from '../platform/settings.ts'
import { type GroupGraph, readGroupGraph } from './group-graph.ts'

/** The counters of the state_versions row. */
export interface StateVersions {
  parameters_version: number
  groups_version: number
}

/**
 * The parameters and the group graph, kept in memory. Every request reads the two counters (with whatever else it reads to find
 * out who is asking), so that a change by any process is seen by the next request of every process.
 */
export class Installation {
  private settings: Kept<Settings> | undefined
  private groups: Kept<GroupGraph> | undefined
  private readonly db: Db

  constructor(db: Db) {
    this.db = db
  }

  async settingsAt(versions: StateVersions): Promise<Settings> {
    if (this.settings?.version !== versions.parameters_version) {
      this.settings = { version: versions.parameters_version, value: await readSettings(this.db) }
    }
    return this.settings.value
  }

  async groupsAt(versions: StateVersions): Promise<GroupGraph> {
    if (this.groups?.version !== versions.groups_version) {
      this.groups = { version: versions.groups_version, value: await readGroupGraph(this.db) }
    }
    return this.groups.value
  }
}

interface Kept<Value> {
  version: number
  value: Value
}

const allParameters = statement<object>()((q) => q.selectFrom('parameters').selectAll())

export async function readSettings(db: Db): Promise<Settings> {
  const stored = await db.all(allParameters, {})
  return settingsFrom(new Map(stored.map(({ name, value }) => [name, value])))
}

const versions = statement<object>()((q) =>
  q
    .selectFrom('state_versions')
    .select(['state_versions.parameters as parameters_version', 'state_versions.groups as groups_version']),
)

export async function readVersions(db: Db): Promise<StateVersions> {
  const found = await db.first(versions, {})
  if (!found) throw new Error('The row of state_versions is missing')
  return found
}

const moveParameters = statement<object>()((q) =>
  q.updateTable('state_versions').set((row) => ({ parameters: row('parameters', '+', 1) })),
)
const moveGroups = statement<object>()((q) =>
  q.updateTable('state_versions').set((row) => ({ groups: row('groups', '+', 1) })),
)

/** To be called in the transaction that changes parameters or groups: every process then reads them anew. */
export async function noteParametersChanged(tx: Db) {
  await tx.all(moveParameters, {})
}

const moveCatalogue = statement<object>()((q) =>
  q.updateTable('state_versions').set((row) => ({ catalogue: row('catalogue', '+', 1) })),
)

/** The same for products, components, versions, milestones, fields, values, flag types, keywords and the workflow. */
export async function noteCatalogueChanged(tx: Db) {
  await tx.all(moveCatalogue, {})
}

export async function noteGroupsChanged(tx: Db) {
  await tx.all(moveGroups, {})
}
