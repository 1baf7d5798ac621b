import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { text } from '../../platform/wire/params.ts'
import { requireRoomForFactor } from '../factors/change-factors.ts'
import { FACTOR_NAME, RecoveryCodes, requireMayChangeFactors, requireName } from '../factors/factor-routes.ts'
import { listFactors } from '../factors/factor-store.ts'
import { addPasskey } from './add-passkey.ts'
import { createChallenge } from './passkey-challenge.ts'
import { CreationOptions, creationOptions } from './passkey-options.ts'
import { newCredential } from './passkey-params.ts'
import { requirePasskeySite } from './passkey-site.ts'

const resource = 'passkey'

const postChallenge = call({
  method: 'POST',
  idempotency: 'attempts',
  path: '/factor/passkey/challenge',
  servesSetup: true,
  resource,
  summary: 'Add a passkey: first step.',
  about: 'The answer of the browser is then sent to POST /rest/factor/passkey. It works once, for five minutes.',
  params: {},
  answers: Type.Object({ options: CreationOptions }, { additionalProperties: false }),
  status: 201,
  scope: 'write',
  async run(context) {
    const { db, baseUrl, credentials } = context
    const user = requireMayChangeFactors(context)
    const site = requirePasskeySite(baseUrl)
    await requireRoomForFactor(db, user.id)
    const challenge = await createChallenge(db, 'passkey_add', { userId: user.id, token: credentials.token })
    return { options: await creationOptions(db, site, challenge, user, await listFactors(db, user.id)) }
  },
})

const postPasskey = call({
  method: 'POST',
  idempotency: 'attempts',
  path: '/factor/passkey',
  servesSetup: true,
  resource,
  summary: 'Add a passkey: second step.',
  about: 'From now on a login with the password alone is not enough, and the passkey is enough to log in on the pages.',
  params: { credential: newCredential, name: text(FACTOR_NAME) },
  answers: Type.Object({ id: Type.Integer(), ...RecoveryCodes.properties }, { additionalProperties: false }),
  status: 201,
  scope: 'write',
  async run(context) {
    const { params } = context
    const user = requireMayChangeFactors(context)
    const { id, codes } = await addPasskey(context, user.id, params.credential, requireName(params.name, 'Passkey'))
    return { id, recovery_codes: codes }
  },
})

export const passkeyRoutes = [postChallenge, postPasskey] as const
