import type { Caller, SignedIn } from '../../access/caller.ts'
import type { GroupGraph } from '../../access/visibility/group-graph.ts'
import type { Changes } from '../../changes/audit.ts'
import { changesBetween } from '../../changes/changes-between.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { enforce } from '../../platform/rule.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { requireRoomForSearch } from '../own-limits.ts'
import { isSharedWith, readPauses } from '../paused-shares.ts'
import { groupToShare } from '../share-with-group.ts'
import { changedSearch, type SavedEdit, type SavedKind, type SavedSearch, shareOf } from './saved-search.ts'
import { savedSearchRules } from './saved-search-rules.ts'
import { deleteSavedSearch, findSavedSearch, insertSavedSearch, updateSavedSearch } from './saved-search-store.ts'

/** The requested values. An empty group name means that the search is not shared. */
export interface RequestedSearch {
  name?: string | undefined
  query?: string | undefined
  shared_with?: string | undefined
  sort_key?: number | undefined
}

/** The owner of the search, and the groups at the time of the request. */
export interface SavedSearchContext {
  db: Db
  owner: SignedIn
  kind: SavedKind
  settings: Settings
  groups: GroupGraph
}

export async function createSavedSearch(context: SavedSearchContext, requested: RequestedSearch): Promise<number> {
  const edit = changedSearch({ name: '', query: '', sort_key: 0 }, requestedFields(requested))
  enforce(savedSearchRules, edit)
  return context.db.transaction(async (tx) => {
    await requireRoomForSearch(tx, context.owner.id, { searches: 1, characters: edit.query.length })
    const groupId = await groupToShareWith({ ...context, db: tx }, requested.shared_with)
    return insertSavedSearch(tx, context.owner.id, context.kind, edit, groupId)
  }, 'accounts')
}

export async function changeSavedSearch(
  context: SavedSearchContext,
  ref: string,
  requested: RequestedSearch,
): Promise<{ id: number; changes: Changes }> {
  const { db, kind, groups } = context
  return db.transaction(async (tx) => {
    const before = await getOwnSearch({ ...context, db: tx }, ref)
    const edit = changedSearch(before, requestedFields(requested))
    enforce(savedSearchRules, edit)
    const characters = edit.query.length - before.query.length
    await requireRoomForSearch(tx, context.owner.id, { searches: 0, characters })
    const groupId = await groupToShareWith({ ...context, db: tx }, requested.shared_with, before.group_id)
    await updateSavedSearch(tx, kind, { ...edit, id: before.id }, groupId)
    const shown = ({ name, query, sort_key }: SavedEdit, group: number | null) => ({
      name,
      query,
      shared_with: groupName(groups, group),
      sort_key,
    })
    return { id: before.id, changes: changesBetween(shown(before, before.group_id), shown(edit, groupId)) }
  }, 'accounts')
}

export async function removeSavedSearch(
  context: SavedSearchContext,
  ref: string,
): Promise<{ id: number; name: string }> {
  return context.db.transaction(async (tx) => {
    const { id, name } = await getOwnSearch({ ...context, db: tx }, ref)
    await deleteSavedSearch(tx, id)
    return { id, name }
  }, 'accounts')
}

/** The caller's own search, or one shared with a group of the caller. Other searches are reported as missing. */
export async function getSavedSearch(context: SavedSearchContext, ref: string): Promise<SavedSearch> {
  const { db, owner: caller, kind, settings, groups } = context
  const found = await findSavedSearch(db, idIn(ref) ?? 0, kind)
  if (!found || !(await maySee({ db, caller, settings, groups }, found)))
    throw errors.no_such_object({ what: `saved ${kind}`, ref })
  return found
}

/** Who asks for a search. */
export interface SearchReader {
  db: Db
  caller: Caller
  settings: Settings
  groups: GroupGraph
}

export async function maySee({ db, caller, settings, groups }: SearchReader, search: SavedSearch): Promise<boolean> {
  const share = shareOf(search)
  return (
    share.owner_id === caller.id || isSharedWith(share, await readPauses(db, { settings, groups }, [share]), caller)
  )
}

function groupName(groups: GroupGraph, id: number | null): string | null {
  return id === null ? null : (groups.groups.get(id)?.name ?? null)
}

async function getOwnSearch(context: SavedSearchContext, ref: string): Promise<SavedSearch> {
  const found = await getSavedSearch(context, ref)
  if (found.owner_id !== context.owner.id)
    throw errors.not_allowed({ need: 'only the owner of a shared search can change it' })
  return found
}

async function groupToShareWith(
  { db, owner, settings, groups }: SavedSearchContext,
  requested: string | undefined,
  before: number | null = null,
): Promise<number | null> {
  if (requested === undefined) return before
  if (requested.trim() === '') return null
  return groupToShare({ db, owner, settings, groups }, requested, before === null ? [] : [before])
}

function requestedFields({ name, query, sort_key }: RequestedSearch) {
  return {
    ...(name !== undefined && { name }),
    ...(query !== undefined && { query }),
    ...(sort_key !== undefined && { sort_key }),
  }
}
