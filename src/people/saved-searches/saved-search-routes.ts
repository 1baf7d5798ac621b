import { Type } from '@sinclair/typebox'
import { type CallContext, call } from '../../access/call.ts'
import { requireLogin } from '../../access/caller.ts'
import { Created, Deleted, updated } from '../../platform/wire/openapi/schemas.ts'
import { documentedAsRequired, flag, integer, text } from '../../platform/wire/params.ts'
import { isSharedWith, PausedShares, type PauseOf, presentShares, readPauses } from '../paused-shares.ts'
import {
  changeSavedSearch,
  createSavedSearch,
  getSavedSearch,
  removeSavedSearch,
  type SavedSearchContext,
} from './change-saved-searches.ts'
import { type SavedKind, type SavedSearch, shareOf } from './saved-search.ts'
import { listSavedSearches, listSharedSearches } from './saved-search-store.ts'

const FIELDS = {
  id: Type.Integer(),
  name: Type.String(),
  query: Type.String({ description: 'Parameters of a search in the form of a URL query string.' }),
}
const Search = Type.Object(
  {
    ...FIELDS,
    owner_id: Type.Integer({ description: 'The sharer_id with which other users run this search.' }),
    owner: Type.String({ description: 'Login name.' }),
    shared_with: Type.Union([Type.String({ description: 'Name of a group.' }), Type.Null()]),
    paused_shares: PausedShares,
    sort_key: Type.Integer({ description: 'The searches of a user are ordered by it, then by name.' }),
  },
  { title: 'SavedSearch', additionalProperties: false },
)
const Report = Type.Object(FIELDS, { title: 'SavedReport', additionalProperties: false })

const searchPath = { id: 'Id of a saved search.' }
const searchParams = {
  name: text('At most 64 characters, none of < > &; unique among the searches of the owner.'),
  query: text('Parameters of a search in the form of a URL query string.'),
  shared_with: text('Name of a group whose members may use the search; empty if it is not shared.'),
  sort_key: integer('The searches of a user are ordered by sort_key, then by name. 0 to 32767; 0 by default.'),
}

const getSearches = call({
  method: 'GET',
  path: '/saved_search',
  resource: 'saved_search',
  summary: 'List saved searches.',
  about:
    'The caller’s own by sort_key and name, then those that other users share, by owner, and by sort_key and name.',
  params: { shared: flag('false leaves out searches that other users share.') },
  answers: Type.Object({ saved_searches: Type.Array(Search) }, { additionalProperties: false }),
  selectsFields: true,
  scope: 'read',
  async run(context) {
    const { db, owner } = savedSearchContext(context, 'search')
    const own = await listSavedSearches(db, owner.id, 'search')
    const shared = context.params.shared === false ? [] : await listSharedSearches(db, owner.id, owner.groups.ids)
    const pauseOf = await readPauses(db, context, [...own, ...shared].map(shareOf))
    const seen = shared.filter((it) => isSharedWith(shareOf(it), pauseOf, owner))
    return { saved_searches: [...own, ...seen].map((it) => context.select.pick(presentSearch(it, pauseOf, context))) }
  },
})

const getSearch = call({
  method: 'GET',
  path: '/saved_search/:id',
  pathParams: searchPath,
  resource: 'saved_search',
  summary: 'Get one saved search.',
  params: {},
  answers: Type.Object({ saved_searches: Type.Array(Search) }, { additionalProperties: false }),
  selectsFields: true,
  scope: 'read',
  async run(context) {
    const found = await getSavedSearch(savedSearchContext(context, 'search'), context.path.id ?? '')
    const pauseOf = await readPauses(context.db, context, [shareOf(found)])
    return { saved_searches: [context.select.pick(presentSearch(found, pauseOf, context))] }
  },
})

const postSearch = call({
  method: 'POST',
  idempotency: 'once',
  path: '/saved_search',
  resource: 'saved_search',
  summary: 'Save a search.',
  about:
    'Run it with the parameter `savedsearch` of a search. Sharing is for members of the group in the parameter querysharegroup.',
  params: {
    ...searchParams,
    name: documentedAsRequired(searchParams.name),
    query: documentedAsRequired(searchParams.query),
  },
  answers: Created,
  status: 201,
  scope: 'write',
  run: async (context) => ({ id: await createSavedSearch(savedSearchContext(context, 'search'), context.params) }),
})

const putSearch = call({
  method: 'PUT',
  path: '/saved_search/:id',
  pathParams: searchPath,
  resource: 'saved_search',
  summary: 'Change a saved search.',
  about: 'For its owner.',
  params: searchParams,
  unknownParams: 'refused',
  answers: updated('saved_searches'),
  scope: 'write',
  run: async (context) => ({
    saved_searches: [
      await changeSavedSearch(savedSearchContext(context, 'search'), context.path.id ?? '', context.params),
    ],
  }),
})

const deleteSearch = call({
  method: 'DELETE',
  path: '/saved_search/:id',
  pathParams: searchPath,
  resource: 'saved_search',
  summary: 'Delete a saved search.',
  about: 'For its owner.',
  params: {},
  answers: Deleted,
  scope: 'write',
  run: (context) => removeSavedSearch(savedSearchContext(context, 'search'), context.path.id ?? ''),
})

const reportPath = { id: 'Id of a saved report.' }
const reportParams = {
  name: text('At most 64 characters, none of < > &; unique among the reports of the owner.'),
  query: text('Parameters of a report in the form of a URL query string.'),
}

const getReports = call({
  method: 'GET',
  path: '/saved_report',
  resource: 'saved_report',
  summary: 'List the caller’s saved reports.',
  params: {},
  answers: Type.Object({ saved_reports: Type.Array(Report) }, { additionalProperties: false }),
  selectsFields: true,
  scope: 'read',
  async run(context) {
    const { db, owner } = savedSearchContext(context, 'report')
    const own = await listSavedSearches(db, owner.id, 'report')
    return { saved_reports: own.map((it) => context.select.pick(presentSaved(it))) }
  },
})

const getReport = call({
  method: 'GET',
  path: '/saved_report/:id',
  pathParams: reportPath,
  resource: 'saved_report',
  summary: 'Get one saved report.',
  params: {},
  answers: Type.Object({ saved_reports: Type.Array(Report) }, { additionalProperties: false }),
  selectsFields: true,
  scope: 'read',
  async run(context) {
    const found = await getSavedSearch(savedSearchContext(context, 'report'), context.path.id ?? '')
    return { saved_reports: [context.select.pick(presentSaved(found))] }
  },
})

const postReport = call({
  method: 'POST',
  idempotency: 'once',
  path: '/saved_report',
  resource: 'saved_report',
  summary: 'Save a report.',
  params: { name: documentedAsRequired(reportParams.name), query: documentedAsRequired(reportParams.query) },
  answers: Created,
  status: 201,
  scope: 'write',
  run: async (context) => ({ id: await createSavedSearch(savedSearchContext(context, 'report'), context.params) }),
})

const putReport = call({
  method: 'PUT',
  path: '/saved_report/:id',
  pathParams: reportPath,
  resource: 'saved_report',
  summary: 'Change a saved report.',
  params: reportParams,
  unknownParams: 'refused',
  answers: updated('saved_reports'),
  scope: 'write',
  run: async (context) => ({
    saved_reports: [
      await changeSavedSearch(savedSearchContext(context, 'report'), context.path.id ?? '', context.params),
    ],
  }),
})

const deleteReport = call({
  method: 'DELETE',
  path: '/saved_report/:id',
  pathParams: reportPath,
  resource: 'saved_report',
  summary: 'Delete a saved report.',
  params: {},
  answers: Deleted,
  scope: 'write',
  run: (context) => removeSavedSearch(savedSearchContext(context, 'report'), context.path.id ?? ''),
})

function savedSearchContext(
  { db, caller, settings, groups }: Pick<CallContext, 'db' | 'caller' | 'settings' | 'groups'>,
  kind: SavedKind,
): SavedSearchContext {
  return { db, owner: requireLogin(caller), kind, settings, groups }
}

/** Get User returns saved searches in the same form. */
export function presentSaved({ id, name, query }: SavedSearch) {
  return { id, name, query }
}

function presentSearch(
  search: SavedSearch,
  pauseOf: PauseOf,
  { caller, groups }: Pick<CallContext, 'caller' | 'groups'>,
) {
  const { owner_id, owner, sort_key } = search
  const { shared_with, paused_shares } = presentShares(shareOf(search), pauseOf, caller, groups)
  return { ...presentSaved(search), owner_id, owner, shared_with: shared_with[0] ?? null, paused_shares, sort_key }
}

export const savedSearchRoutes = [
  getSearches,
  getSearch,
  postSearch,
  putSearch,
  deleteSearch,
  getReports,
  getReport,
  postReport,
  putReport,
  deleteReport,
] as const
