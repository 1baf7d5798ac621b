import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { type Caller, isIn, requireLogin } from '../../access/caller.ts'
import type { ConfigurationTransaction, Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { required, text } from '../../platform/wire/params.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { startSteps } from './begin-removal.ts'
import type { Removal, RemovedClass } from './removal.ts'
import { presentRemoval, RemovalShape } from './removal-json.ts'
import { changeRemovalState, findRemoval, listRemovals } from './removal-store.ts'

const resource = 'admin'
const Removals = Type.Object({ removals: Type.Array(RemovalShape) }, { additionalProperties: false })
const MOST_LISTED = 100

const getRemovals = call({
  method: 'GET',
  path: '/admin/removals',
  resource,
  summary: 'List what is removed in steps.',
  about: `All for members of admin, and for others their own. The last ${MOST_LISTED}, newest first.`,
  params: {},
  answers: Removals,
  scope: 'admin',
  async run({ db, caller }) {
    const { id } = requireLogin(caller)
    const removals = await listRemovals(db, MOST_LISTED, isIn(caller, 'admin') ? undefined : id)
    return { removals: removals.map((removal) => presentRemoval(removal, caller)) }
  },
})

const pathParams = { id: 'Id of a removal.' }

const getRemoval = call({
  method: 'GET',
  path: '/admin/removals/:id',
  pathParams,
  resource,
  summary: 'Get one removal.',
  about: 'For members of admin, and for the user who began it.',
  params: {},
  answers: Removals,
  scope: 'admin',
  run: async ({ db, caller, path }) => ({
    removals: [presentRemoval(await getOwn(db, caller, path.id ?? ''), caller)],
  }),
})

const putRemoval = call({
  method: 'PUT',
  path: '/admin/removals/:id',
  pathParams,
  resource,
  summary: 'Stop a removal, or let it go on.',
  about:
    'For members of admin, and for the user who began it, who must still be in the group that may remove such objects. What is done stays done, and the object stays closed.',
  params: { state: required(text('stopped or running.')) },
  unknownParams: 'refused',
  answers: Removals,
  scope: 'admin',
  async run({ db, caller, path, params: { state } }) {
    if (state !== 'stopped' && state !== 'running')
      throw errors.bad_value({ name: 'state', value: state, right: 'it must be stopped or running' })
    const removal = await db.transaction((tx) => changeState(tx, caller, path.id ?? '', state), 'configuration')
    return { removals: [presentRemoval(removal, caller)] }
  },
})

/** Members may begin a removal without rights in single products. */
const EDITORS: Readonly<Record<RemovedClass, string>> = {
  Product: 'editcomponents',
  Component: 'editcomponents',
  Milestone: 'editcomponents',
  FieldValue: 'admin',
  Keyword: 'editkeywords',
}

async function changeState(
  tx: ConfigurationTransaction,
  caller: Caller,
  ref: string,
  state: 'stopped' | 'running',
): Promise<Removal> {
  const removal = await getOwn(tx, caller, ref)
  const group = EDITORS[removal.class]
  if (!isIn(caller, 'admin') && !isIn(caller, group))
    throw errors.not_allowed({ need: `it needs membership in ${group}` })
  if (removal.state === 'done') throw errors.removal_over({ name: removal.name })
  if (removal.state === state) return removal
  await changeRemovalState(tx, removal.id, state)
  if (state === 'running') await startSteps(tx, removal.id)
  return getOwn(tx, caller, ref)
}

/** The same error for one of somebody else and for a missing one. */
async function getOwn(db: Db, caller: Caller, ref: string): Promise<Removal> {
  const { id: who } = requireLogin(caller)
  const id = idIn(ref)
  const removal = id === undefined ? undefined : await findRemoval(db, id)
  if (removal === undefined || !(isIn(caller, 'admin') || removal.user_id === who))
    throw errors.no_such_id({ what: 'removal', ref })
  return removal
}

export const removalRoutes = [getRemovals, getRemoval, putRemoval] as const
