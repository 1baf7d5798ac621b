import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { requireGroup, requireUnlimited } from '../../access/caller.ts'
import { requireRecentProof } from '../../access/recent-proof.ts'
import { flag, required, texts } from '../../platform/wire/params.ts'
import { INVITATION_RESULTS, invitePeople } from './invite-people.ts'

const MOST_PEOPLE = 100

const Invitation = Type.Object(
  {
    address: Type.String(),
    real_name: Type.String(),
    result: Type.Union(
      INVITATION_RESULTS.map((result) => Type.Literal(result)),
      { description: 'What became of it. With dry_run, new is what would be invited.' },
    ),
    message: Type.String({ description: 'Why it is not allowed or malformed; else empty.' }),
    id: Type.Optional(Type.Integer({ description: 'The id of the new account.' })),
  },
  { title: 'Invitation', additionalProperties: false },
)

export const postPeople = call({
  method: 'POST',
  idempotency: 'once',
  path: '/admin/people',
  resource: 'user',
  summary: 'Invite several people.',
  about:
    'For members of editusers, not with an API key that lacks a scope or has an end. Each new address gets an account and a mail with a link to choose a password. Entries that cannot be invited stop no other.',
  params: {
    people: required(texts('Addresses, or names with addresses in angle brackets.', MOST_PEOPLE)),
    groups: texts('Names or ids of groups that all of them get.'),
    dry_run: flag('Return what would become of each without inviting anybody.'),
  },
  unknownParams: 'refused',
  answers: Type.Object({ people: Type.Array(Invitation) }, { additionalProperties: false }),
  scope: 'admin',
  async run(context) {
    const { caller, params } = context
    const { id } = requireGroup(caller, 'editusers')
    const { people, groups = [], dry_run: isDryRun = false } = params
    if (!isDryRun) {
      requireUnlimited(caller, 'create an account')
      requireRecentProof(context)
    }
    return { people: await invitePeople(context, id, { people, groups, isDryRun }) }
  },
})
