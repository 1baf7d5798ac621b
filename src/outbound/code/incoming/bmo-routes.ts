import { Type } from '@sinclair/typebox'
import { type CallContext, call } from '../../../access/call.ts'
import { type BmoResult, receivePullRequest, receivePush } from './receive-as-bmo.ts'
import type { ArrivedDelivery } from './receive-delivery.ts'
import { MOST_DELIVERY_BYTES } from './receive-route.ts'

const strict = { additionalProperties: false }

const answers = Type.Object(
  {
    error: Type.Integer({ description: '1 if nothing was done.' }),
    message: Type.Optional(Type.String()),
    id: Type.Optional(Type.Integer({ description: 'The attachment.' })),
    bugs: Type.Optional(
      Type.Record(Type.String(), Type.Object({ id: Type.Integer(), text: Type.String() }, strict), {
        description: 'The comment on each bug.',
      }),
    ),
  },
  { title: 'BmoDelivery', ...strict },
)

function bmoRoute<const Path extends string>(
  path: Path,
  summary: string,
  about: string,
  receive: (context: CallContext, arrived: ArrivedDelivery) => Promise<BmoResult>,
) {
  return call({
    method: 'POST',
    idempotency: 'attempts',
    path,
    resource: 'code',
    summary,
    about: `${about} At the path of BMO: the source is the active one of GitHub whose secret has signed the delivery, and credentials are ignored. Unlike POST /rest/code/(source), it is applied before the response.`,
    params: {},
    takesBytes: { most: MOST_DELIVERY_BYTES },
    answers,
    status: 200,
    scope: 'write',
    isOpen: true,
    ignoresCredentials: true,
    async run(context) {
      const { bytes: body, headers, address, answerHeaders } = context
      answerHeaders['Cache-Control'] = 'no-store'
      return receive(context, { body, headers, address, secret: undefined })
    },
  })
}

export const bmoRoutes = [
  bmoRoute(
    '/github/pull_request',
    'Take a pull request of GitHub, as BMO does.',
    'Attaches the pull request to the bug that its title names.',
    receivePullRequest,
  ),
  bmoRoute(
    '/github/push_comment',
    'Take a push of GitHub, as BMO does.',
    'Comments on the bugs that the pushed commits name, and resolves them if the source does so.',
    receivePush,
  ),
] as const
