import { Type } from '@sinclair/typebox'
import { MOST_COLUMNS, MOST_TILES, TILE_KINDS } from '../../../shared/tile-kinds.ts'
import { type CallContext, call } from '../../access/call.ts'
import { requireLogin } from '../../access/caller.ts'
import { type Dashboard, LONGEST_TILE_QUERY, MOST_GROUPS } from '../../people/dashboards/dashboard.ts'
import { type ListedDashboard, listDashboards } from '../../people/dashboards/dashboard-store.ts'
import { isSharedWith, PausedShares, type PauseOf, presentShares, readPauses } from '../../people/paused-shares.ts'
import { Created, Deleted } from '../../platform/wire/openapi/schemas.ts'
import { anyItems, documentedAsRequired, skippingBlanks, text, texts } from '../../platform/wire/params.ts'
import {
  changeDashboard,
  createDashboard,
  type DashboardContext,
  getDashboard,
  removeDashboard,
} from './change-dashboards.ts'

const TILE = {
  title: Type.String({ description: 'One line of at most 80 characters.' }),
  kind: Type.String({ description: `One of ${TILE_KINDS.join(', ')}.` }),
  query: Type.String({
    description: `Parameters of the report or search in the form of a URL query string; at most ${LONGEST_TILE_QUERY} characters.`,
  }),
}
const chart = Type.String({ description: 'How it is drawn; what is possible depends on the kind.' })
const width = Type.Integer({ description: `In columns, from 1 to ${MOST_COLUMNS}.` })
const Tile = Type.Object({ ...TILE, chart, width }, { title: 'DashboardTile', additionalProperties: false })
const WantedTile = Type.Object({ ...TILE, chart: Type.Optional(chart), width: Type.Optional(width) })

const FIELDS = {
  id: Type.Integer(),
  name: Type.String(),
  owner_id: Type.Integer(),
  owner: Type.String({ description: 'Login name.' }),
  shared_with: Type.Array(Type.String(), {
    description:
      'Names of the groups whose members may read it. Other users than the owner get those that they are in.',
  }),
  paused_shares: PausedShares,
  can_change: Type.Boolean({ description: 'Whether the caller may change it.' }),
  version: Type.Integer({ description: 'Grows with every change; for the header If-Match.' }),
}
const Listed = Type.Object(FIELDS, { title: 'ListedDashboard', additionalProperties: false })
const Whole = Type.Object({ ...FIELDS, tiles: Type.Array(Tile) }, { title: 'Dashboard', additionalProperties: false })
const Dashboards = Type.Object({ dashboards: Type.Array(Whole) }, { additionalProperties: false })

const resource = 'dashboard'
const path = { id: 'Id of a dashboard.' }
const params = {
  name: text('One line of at most 64 characters; unique among the dashboards of the owner.'),
  tiles: anyItems('The tiles in their order.', WantedTile, MOST_TILES),
  shared_with: skippingBlanks(
    texts('Names of the groups whose members may read it; an empty list if it is not shared.', MOST_GROUPS),
  ),
}

const getDashboards = call({
  method: 'GET',
  path: '/dashboard',
  resource,
  summary: 'List dashboards.',
  about: 'The caller’s own by name, then those that other users share, by owner and name; without their tiles.',
  params: {},
  answers: Type.Object({ dashboards: Type.Array(Listed) }, { additionalProperties: false }),
  selectsFields: true,
  scope: 'read',
  async run(context) {
    const { db, select } = context
    const reader = requireLogin(context.caller)
    const found = await listDashboards(db, reader.id, reader.groups.ids)
    const pauseOf = await readPauses(db, context, found)
    const seen = found.filter((it) => it.owner_id === reader.id || isSharedWith(it, pauseOf, reader))
    return { dashboards: seen.map((it) => select.pick(presentListed(it, pauseOf, context))) }
  },
})

const getOneDashboard = call({
  method: 'GET',
  path: '/dashboard/:id',
  pathParams: path,
  resource,
  summary: 'Get one dashboard.',
  about:
    'Its tiles have no numbers: a reader gets them with the calls for reports and searches, with their own rights.',
  params: {},
  answers: Dashboards,
  selectsFields: true,
  scope: 'read',
  async run(context) {
    const found = await getDashboard(dashboardContext(context), context.path.id ?? '')
    context.answerHeaders.ETag = String(found.version)
    return { dashboards: [context.select.pick(await present(found, context))] }
  },
})

const postDashboard = call({
  method: 'POST',
  idempotency: 'once',
  path: '/dashboard',
  resource,
  summary: 'Create a dashboard.',
  about: 'Sharing is for members of the group in the parameter querysharegroup.',
  params: { ...params, name: documentedAsRequired(params.name) },
  unknownParams: 'refused',
  answers: Created,
  status: 201,
  scope: 'write',
  run: async (context) => ({ id: await createDashboard(dashboardContext(context), context.params) }),
})

const putDashboard = call({
  method: 'PUT',
  path: '/dashboard/:id',
  pathParams: path,
  resource,
  summary: 'Change a dashboard.',
  about: 'For its owner. The tiles and the groups are replaced by those that are given.',
  params,
  unknownParams: 'refused',
  answers: Dashboards,
  readsIfMatch: true,
  scope: 'write',
  async run(context) {
    const changed = await changeDashboard(dashboardContext(context), context.path.id ?? '', context.params)
    return { dashboards: [await present(changed, context)] }
  },
})

const deleteDashboard = call({
  method: 'DELETE',
  path: '/dashboard/:id',
  pathParams: path,
  resource,
  summary: 'Delete a dashboard.',
  about: 'For its owner.',
  params: {},
  answers: Deleted,
  readsIfMatch: true,
  scope: 'write',
  run: (context) => removeDashboard(dashboardContext(context), context.path.id ?? ''),
})

function dashboardContext(context: CallContext): DashboardContext {
  return { ...context, caller: requireLogin(context.caller) }
}

type Reading = Pick<CallContext, 'db' | 'caller' | 'settings' | 'groups'>

async function present(dashboard: Dashboard, reading: Reading) {
  const pauseOf = await readPauses(reading.db, reading, [dashboard])
  return { ...presentListed(dashboard, pauseOf, reading), tiles: dashboard.tiles }
}

function presentListed(dashboard: ListedDashboard, pauseOf: PauseOf, { caller, groups }: Reading) {
  const { id, name, owner_id, owner, version } = dashboard
  const shares = presentShares(dashboard, pauseOf, caller, groups)
  return { id, name, owner_id, owner, ...shares, can_change: owner_id === caller.id, version }
}

export const dashboardRoutes = [getDashboards, getOneDashboard, postDashboard, putDashboard, deleteDashboard] as const
