import { type SettingName, type Settings, settingsFrom } from '../platform/config/settings.ts'
import type { ConfigurationTransaction, Db } from '../platform/database/db.ts'
import { outdatedServer } from '../platform/database/oldest-writer.ts'
import { statement } from '../platform/database/statements/statement.ts'
import { type GroupGraph, readGroupGraph } from './visibility/group-graph.ts'

/** The counters of the state_versions row. */
export interface StateVersions {
  parameters_version: number
  groups_version: number
  catalogue_version: number
  /** The oldest release that may write. */
  oldest_writer: string
}

/** Something read from the database that stays true until the catalogue changes, or for ever. */
export interface CataloguePart<Value> {
  read(db: Db): Promise<Value>
}

/**
 * Returns parts of the catalogue as of the current request, synchronously if they are in memory. In a transaction,
 * missing parts must be read through it.
 */
export type Catalogue = <Value>(part: CataloguePart<Value>, tx?: Db) => Value | Promise<Value>

export interface CatalogueWithLimits {
  catalogue: Catalogue
  /** To be called when the transaction has committed. */
  keep(): void
}

/**
 * Caches the parameters, the group graph and parts of the catalogue. Every request reads the version counters in the
 * query that finds the caller, so that the next request of every process sees a change.
 */
export class Installation {
  private settings: Kept<Settings> | undefined
  private groups: Kept<GroupGraph> | undefined
  private readonly catalogue = new Map<CataloguePart<unknown>, Kept<unknown>>()
  private readonly db: Db

  constructor(db: Db) {
    this.db = db
    checkOldestWriter(db)
  }

  /** Those of the last request, which may have changed since; undefined before the first. */
  get lastSettings(): Settings | undefined {
    return this.settings?.value
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

  catalogueAt({ catalogue_version: version }: StateVersions): Catalogue {
    const read = async <Value>(part: CataloguePart<Value>, db: Db) => {
      const value = await part.read(db)
      this.catalogue.set(part, { version, value })
      return value
    }
    return <Value>(part: CataloguePart<Value>, tx?: Db) => {
      const kept = this.catalogue.get(part) as Kept<Value> | undefined
      return kept?.version === version ? kept.value : read(part, tx ?? this.db)
    }
  }

  /**
   * The same inside a transaction. Missing parts are read through it, because a second connection may not be free. They
   * enter the cache only after the commit, since the transaction may see its own changes.
   */
  catalogueWithin(tx: Db, { catalogue_version: version }: StateVersions): CatalogueWithLimits {
    const own = new Map<CataloguePart<unknown>, unknown>()
    const read = async <Value>(part: CataloguePart<Value>) => {
      if (!own.has(part)) own.set(part, await part.read(tx))
      return own.get(part) as Value
    }
    return {
      catalogue: <Value>(part: CataloguePart<Value>) => {
        const kept = this.catalogue.get(part) as Kept<Value> | undefined
        return kept?.version === version ? kept.value : read(part)
      },
      keep: () => {
        for (const [part, value] of own) this.catalogue.set(part, { version, value })
      },
    }
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

/** To be selected by every statement that looks up a caller. */
export const VERSION_COLUMNS = [
  'state_versions.parameters as parameters_version',
  'state_versions.groups as groups_version',
  'state_versions.catalogue as catalogue_version',
  'state_versions.oldest_writer',
] as const

export const currentStateVersions = statement<object>()((q) => q.selectFrom('state_versions').select(VERSION_COLUMNS))

export async function readStateVersions(db: Db): Promise<StateVersions> {
  const found = await db.firstCached(currentStateVersions, '', {})
  if (!found) throw new Error('The row of state_versions is missing')
  noteOldestWriter(db, found)
  return found
}

/** A newer release may have migrated the database while this server runs. Then this one only reads. */
export function noteOldestWriter(db: Db, { oldest_writer }: StateVersions) {
  db.refuseWrites(outdatedServer(oldest_writer))
}

export function requireCurrentServer({ oldest_writer }: StateVersions) {
  const outdated = outdatedServer(oldest_writer)
  if (outdated !== undefined) throw outdated
}

/** Every transaction that writes looks again: a migration may have ended since its request began. */
export function checkOldestWriter(db: Db) {
  db.checkWrites({
    statement: currentStateVersions,
    refusal: (versions) => (versions === undefined ? undefined : outdatedServer(versions.oldest_writer)),
  })
}

const moveParameters = statement<object>()((q) =>
  q.updateTable('state_versions').set((row) => ({ parameters: row('parameters', '+', 1) })),
)
const moveGroups = statement<object>()((q) =>
  q.updateTable('state_versions').set((row) => ({ groups: row('groups', '+', 1) })),
)

const upsertParameter = statement<{ name: SettingName; value: string }>()((q, p) =>
  q
    .insertInto('parameters')
    .values({ name: p.name, value: p.value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: p.value })),
)

/** `value` is in the stored form; the caller has checked it. */
export async function storeParameter(tx: ConfigurationTransaction, name: SettingName, value: string) {
  await tx.all(upsertParameter, { name, value })
}

/** To be called in the transaction that changes parameters, so that every process reads them again. */
export async function noteParametersChanged(tx: ConfigurationTransaction) {
  await tx.all(moveParameters, {})
}

const moveCatalogue = statement<object>()((q) =>
  q.updateTable('state_versions').set((row) => ({ catalogue: row('catalogue', '+', 1) })),
)

/**
 * The same for products, components, versions, milestones, fields, values, flag types, keywords, the workflow and user
 * names.
 */
export async function noteCatalogueChanged(tx: ConfigurationTransaction) {
  await tx.all(moveCatalogue, {})
}

/** The same for groups and memberships. */
export async function noteGroupsChanged(tx: ConfigurationTransaction) {
  await tx.all(moveGroups, {})
}
