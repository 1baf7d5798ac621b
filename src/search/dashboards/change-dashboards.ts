import type { SignedIn } from '../../access/caller.ts'
import { type Dashboard, type DashboardEdit, MOST_GROUPS, readTiles } from '../../people/dashboards/dashboard.ts'
import { dashboardRules } from '../../people/dashboards/dashboard-rules.ts'
import {
  deleteDashboard,
  findDashboard,
  insertDashboard,
  requireRoomForDashboard,
  shareDashboard,
  updateDashboard,
} from '../../people/dashboards/dashboard-store.ts'
import { isSharedWith, readPauses } from '../../people/paused-shares.ts'
import { groupToShare } from '../../people/share-with-group.ts'
import { errors } from '../../platform/errors.ts'
import { enforce } from '../../platform/rule.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { type SearchRequest, searchContextOf } from '../search-context.ts'
import { requireCountableTiles } from './check-tiles.ts'

/** The requested values. An empty list of groups means that the dashboard is not shared. */
export interface RequestedDashboard {
  name?: string | undefined
  tiles?: unknown
  shared_with?: readonly string[] | undefined
}

/** The caller, who is the owner of what they create, and what the searches of tiles are checked with. */
export interface DashboardContext extends SearchRequest {
  caller: SignedIn
  ifMatch: string | undefined
}

export async function createDashboard(context: DashboardContext, requested: RequestedDashboard): Promise<number> {
  const edit = editOf({ name: '', tiles: [] }, requested)
  enforce(dashboardRules, edit)
  await requireCountableTiles(await searchContextOf(context), edit.tiles, [])
  return context.db.transaction(async (tx) => {
    await requireRoomForDashboard(tx, context.caller.id)
    const groupIds = await groupsToShare({ ...context, db: tx }, requested.shared_with, [])
    const id = await insertDashboard(tx, context.caller.id, edit)
    await shareDashboard(tx, id, groupIds)
    return id
  }, 'accounts')
}

export async function changeDashboard(
  context: DashboardContext,
  ref: string,
  requested: RequestedDashboard,
): Promise<Dashboard> {
  if (requested.tiles !== undefined) await requireCountableChange(context, ref, requested)
  return context.db.transaction(async (tx) => {
    const before = await getOwnDashboard({ ...context, db: tx }, ref)
    requireUnchanged(context.ifMatch, before)
    const edit = editOf(before, requested)
    enforce(dashboardRules, edit)
    const groupIds = await groupsToShare({ ...context, db: tx }, requested.shared_with, before.groupIds)
    const version = before.version + 1
    await updateDashboard(tx, before.id, edit, version)
    await shareDashboard(tx, before.id, groupIds)
    return { ...before, ...edit, groupIds, version }
  }, 'accounts')
}

/** Searches are compiled before the transaction, which would keep other writers waiting. */
async function requireCountableChange(context: DashboardContext, ref: string, requested: RequestedDashboard) {
  const before = await getOwnDashboard(context, ref)
  requireUnchanged(context.ifMatch, before)
  await requireCountableTiles(await searchContextOf(context), editOf(before, requested).tiles, before.tiles)
}

export async function removeDashboard(context: DashboardContext, ref: string): Promise<{ id: number; name: string }> {
  return context.db.transaction(async (tx) => {
    const found = await getOwnDashboard({ ...context, db: tx }, ref)
    requireUnchanged(context.ifMatch, found)
    await deleteDashboard(tx, found.id)
    return { id: found.id, name: found.name }
  }, 'accounts')
}

/** The caller's own, or one that is shared with a group of the caller. Others are reported as missing. */
export async function getDashboard(
  { db, caller, settings, groups }: Pick<DashboardContext, 'db' | 'caller' | 'settings' | 'groups'>,
  ref: string,
): Promise<Dashboard> {
  const found = await findDashboard(db, idIn(ref) ?? 0)
  if (found?.owner_id === caller.id) return found
  if (!found || !isSharedWith(found, await readPauses(db, { settings, groups }, [found]), caller))
    throw errors.no_such_object({ what: 'dashboard', ref })
  return found
}

async function getOwnDashboard(context: DashboardContext, ref: string): Promise<Dashboard> {
  const found = await getDashboard(context, ref)
  if (found.owner_id !== context.caller.id)
    throw errors.not_allowed({ need: 'only the owner of a shared dashboard can change it' })
  return found
}

/** Throws status 412 if the dashboard has changed since the client read it. */
function requireUnchanged(ifMatch: string | undefined, { version }: Dashboard) {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const read = /^\s*(?:W\/)?"?(\d{1,15})(?:\.[^"]*)?"?\s*$/.exec(ifMatch)?.[1]
  if (Number(read) !== version) throw errors.dashboard_changed()
}

function editOf(before: DashboardEdit, requested: RequestedDashboard): DashboardEdit {
  return {
    name: (requested.name ?? before.name).trim(),
    tiles: requested.tiles === undefined ? before.tiles : readTiles(requested.tiles),
  }
}

async function groupsToShare(
  { db, caller: owner, settings, groups }: DashboardContext,
  requested: readonly string[] | undefined,
  before: readonly number[],
): Promise<readonly number[]> {
  if (requested === undefined) return before
  if (requested.length > MOST_GROUPS) throw errors.list_too_long({ name: 'shared_with', most: MOST_GROUPS })
  const ids = new Set<number>()
  for (const name of requested) ids.add(await groupToShare({ db, owner, settings, groups }, name, before))
  return [...ids].sort((one, other) => one - other)
}
