import type { BugTransaction, Db } from '../platform/database/db.ts'
import { statement } from '../platform/database/statements/statement.ts'
import { errors } from '../platform/errors.ts'
import { MEMBER_GROUPS } from './authentication/authenticated-request.ts'
import type { CallContext } from './call.ts'
import type { Caller } from './caller.ts'
import {
  type Catalogue,
  type CataloguePart,
  currentStateVersions,
  readSettings,
  type StateVersions,
} from './installation.ts'
import { type GroupGraph, readGroupGraph } from './visibility/group-graph.ts'

/** The caller, and the configuration that decides what they may write. */
export type WriteBasis = Pick<CallContext, 'db' | 'caller' | 'settings' | 'groups' | 'catalogue' | 'versions'>

/**
 * The only way to write bugs. No other transaction changes the configuration (catalogue, group controls, flag types,
 * groups, rights, parameters) until this one ends. `work` uses the basis it gets: it is read anew if the configuration
 * has changed since the request began.
 */
export function writeBugs<Basis extends WriteBasis, Result>(
  basis: Basis,
  work: (tx: BugTransaction, current: Basis) => Promise<Result>,
): Promise<Result> {
  return basis.db.transaction(
    (transaction, versions) => {
      const tx = transaction as BugTransaction
      if (versions === undefined) throw new Error('The row of state_versions is missing')
      if (isSame(versions, basis.versions))
        return work(tx, { ...basis, db: tx, catalogue: catalogueThrough(tx, basis.catalogue) })
      return reloadBasis(tx, basis, versions).then((current) => work(tx, current))
    },
    'bugs',
    currentStateVersions,
  )
}

function isSame(one: StateVersions, other: StateVersions) {
  return (
    one.catalogue_version === other.catalogue_version &&
    one.groups_version === other.groups_version &&
    one.parameters_version === other.parameters_version
  )
}

/**
 * What is not in memory is read through the transaction: another connection may not be free before the transaction
 * ends.
 */
function catalogueThrough(tx: Db, catalogue: Catalogue): Catalogue {
  return (part) => catalogue(part, tx)
}

/** Nothing read here is cached: on SQLite, a change that is visible here may still fail to commit. */
async function reloadBasis<Basis extends WriteBasis>(
  tx: BugTransaction,
  basis: Basis,
  versions: StateVersions,
): Promise<Basis> {
  const settings = await readSettings(tx)
  const groups = await readGroupGraph(tx)
  const caller = await reloadCaller(tx, basis.caller, groups)
  return { ...basis, db: tx, versions, settings, groups, caller, catalogue: uncachedCatalogue(tx) }
}

function uncachedCatalogue(tx: Db): Catalogue {
  const parts = new Map<CataloguePart<unknown>, Promise<unknown>>()
  return <Value>(part: CataloguePart<Value>) => {
    const value = (parts.get(part) as Promise<Value> | undefined) ?? part.read(tx)
    parts.set(part, value)
    return value
  }
}

const rights = statement<{ id: number }>()((q, p, d) =>
  q
    .selectFrom('users')
    .select(['disabled_text', d.jsonListOf(MEMBER_GROUPS).as('group_ids')])
    .where('id', '=', p.id),
)

async function reloadCaller(tx: Db, caller: Caller, groups: GroupGraph): Promise<Caller> {
  if (caller.id === null) return caller
  const row = await tx.first(rights, { id: caller.id })
  if (row?.disabled_text !== '') throw errors.account_disabled({ reason: 'ask the administrator.' })
  return { ...caller, groups: groups.membership(JSON.parse(row.group_ids) as number[]) }
}
