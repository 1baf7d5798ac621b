import { Type } from '@sinclair/typebox'
import { SETUP_STEPS, type SetupStep } from '../../../shared/setup-steps.ts'
import { call } from '../../access/call.ts'
import { requireGroup } from '../../access/caller.ts'
import { recordAudit } from '../../changes/audit.ts'
import { deviceOf } from '../../people/sessions/device.ts'
import { insertToken } from '../../people/sessions/session-store.ts'
import { requireOwnPage, storeSession } from '../../people/sessions/sign-in.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { documentedAsRequired, required, secret, texts } from '../../platform/wire/params.ts'
import { endSetup, isSetupOpen, listDoneSteps, noteStepsDone } from './setup-store.ts'
import { administratorFor } from './use-setup-code.ts'

const resource = 'admin'
const strict = { additionalProperties: false }

const SetupState = Type.Object(
  {
    is_open: Type.Boolean({ description: 'Whether the assistant has not been finished yet.' }),
    done: Type.Array(Type.Union(SETUP_STEPS.map((step) => Type.Literal(step))), {
      description: 'The steps of the assistant that are done; none after its end.',
    }),
  },
  strict,
)

const postSetup = call({
  method: 'POST',
  idempotency: 'attempts',
  path: '/setup',
  resource,
  summary: 'Log the first administrator in with the code of the first start.',
  about:
    'Stores the token of a session in a cookie, as POST /rest/session does. Only pages of this server can make this call. The code works once, and the refusal does not say whether there is one.',
  params: { code: documentedAsRequired(secret('The code that the first start has shown.')) },
  answers: Type.Object({ id: Type.Integer() }, strict),
  status: 201,
  scope: 'write',
  isOpen: true,
  ignoresCredentials: true,
  async run(context) {
    const { db, params, settings, address, userAgent } = context
    requireOwnPage(context)
    const { id, login } = await administratorFor(db, params.code ?? '', address)
    const session = { address: null, lastAddress: address, device: deviceOf(userAgent), mustAddFactor: false }
    const token = await insertToken(db, settings, id, session)
    await storeSession(context, { login, token, isKept: false })
    return { id }
  },
})

const getSetup = call({
  method: 'GET',
  path: '/admin/setup',
  resource,
  summary: 'Whether the installation is still to be set up, and which steps are done.',
  about: 'For members of admin.',
  params: {},
  answers: SetupState,
  scope: 'admin',
  async run({ db, caller }) {
    requireGroup(caller, 'admin')
    return stateOf(db)
  },
})

const putSetup = call({
  method: 'PUT',
  path: '/admin/setup',
  resource,
  summary: 'Note that steps of the set-up are done.',
  about:
    'For members of admin. The assistant begins at the first step that is not done. After the set-up has ended nothing is noted.',
  params: { done: required(texts(`Steps that are done: ${SETUP_STEPS.join(', ')}.`, SETUP_STEPS.length)) },
  unknownParams: 'refused',
  answers: SetupState,
  scope: 'admin',
  async run({ db, caller, params }) {
    requireGroup(caller, 'admin')
    const steps = params.done.map(requireStep)
    return db.transaction(async (tx) => {
      await noteStepsDone(tx, steps)
      return stateOf(tx)
    }, 'configuration')
  },
})

async function stateOf(db: Db) {
  return { is_open: await isSetupOpen(db), done: await listDoneSteps(db) }
}

function requireStep(name: string): SetupStep {
  const step = SETUP_STEPS.find((it) => it === name)
  if (step === undefined)
    throw errors.bad_value({ name: 'done', value: name, right: `each must be one of ${SETUP_STEPS.join(', ')}` })
  return step
}

const deleteSetup = call({
  method: 'DELETE',
  path: '/admin/setup',
  resource,
  summary: 'End the set-up.',
  about: 'For members of admin. The code of the first start no longer works.',
  params: {},
  answers: Type.Object({ was_open: Type.Boolean() }, strict),
  scope: 'admin',
  async run({ db, caller }) {
    const admin = requireGroup(caller, 'admin')
    return db.transaction(async (tx) => {
      const was_open = await endSetup(tx)
      if (was_open)
        await recordAudit(
          tx,
          { who: admin.id, class: 'Parameter', objectId: 0 },
          { setup: { removed: 'open', added: 'done' } },
        )
      return { was_open }
    }, 'configuration')
  },
})

export const setupRoutes = [postSetup, getSetup, putSetup, deleteSetup] as const
