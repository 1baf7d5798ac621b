import { Type } from '@sinclair/typebox'
import { call } from '../../../access/call.ts'
import { secret } from '../../../platform/wire/params.ts'
import { receiveDelivery } from './receive-delivery.ts'

/** As large as the body of any other call: sources cut or split longer pushes. */
export const MOST_DELIVERY_BYTES = 4 * 1024 * 1024

export const receiveRoute = call({
  method: 'POST',
  idempotency: 'attempts',
  path: '/code/:source',
  pathParams: { source: 'Name of a source of code.' },
  resource: 'code',
  summary: 'Take a webhook of a source of code.',
  about:
    'For forges and review tools, not for people: the delivery proves itself by its signature or token, and credentials are ignored. It is applied after the response, which is the same whatever it names.',
  params: {
    secret: secret('The secret of the source, only for those that can neither sign nor send a header (Gerrit).'),
  },
  takesBytes: { most: MOST_DELIVERY_BYTES },
  answers: Type.Object({ accepted: Type.Literal(true) }, { additionalProperties: false }),
  status: 202,
  scope: 'write',
  isOpen: true,
  ignoresCredentials: true,
  async run({ db, path, params, bytes, headers, address, answerHeaders }) {
    answerHeaders['Cache-Control'] = 'no-store'
    await receiveDelivery(db, path.source ?? '', { body: bytes, headers, address, secret: params.secret })
    return { accepted: true as const }
  },
})
