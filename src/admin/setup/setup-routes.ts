import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { requireGroup } from '../../access/caller.ts'
import { recordAudit } from '../../changes/audit.ts'
import { deviceOf } from '../../people/sessions/device.ts'
import { insertToken } from '../../people/sessions/session-store.ts'
import { requireOwnPage, storeSession } from '../../people/sessions/sign-in.ts'
import { documentedAsRequired, secret } from '../../platform/wire/params.ts'
import { endSetup, isSetupOpen } from './setup-store.ts'
import { administratorFor } from './use-setup-code.ts'

const resource = 'admin'
const strict = { additionalProperties: false }

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
  summary: 'Whether the installation is still to be set up.',
  about: 'For members of admin.',
  params: {},
  answers: Type.Object({ is_open: Type.Boolean() }, strict),
  scope: 'admin',
  async run({ db, caller }) {
    requireGroup(caller, 'admin')
    return { is_open: await isSetupOpen(db) }
  },
})

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

export const setupRoutes = [postSetup, getSetup, deleteSetup] as const
