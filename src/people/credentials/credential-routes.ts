import { Type } from '@sinclair/typebox'
import { type CallContext, call } from '../../access/call.ts'
import { requireGroup, requireLogin, requireUnlimited, type SignedIn } from '../../access/caller.ts'
import { requireLiveCredential } from '../../access/live-credential.ts'
import { requireRecentProof } from '../../access/recent-proof.ts'
import { recordAudit } from '../../changes/audit.ts'
import { digest } from '../../platform/secrets/secrets.ts'
import { closeLinksOfUser } from '../accounts/account-link-store.ts'
import { readGrantor, requireNotStronger } from '../grantor.ts'
import { closeCodesOfUser } from '../oauth/grants/code-store.ts'
import { unlinkAllProviders } from '../providers/unlink-provider.ts'
import { deleteOtherTokens, listTokens } from '../sessions/session-store.ts'
import { closeEmailChanges } from '../users/email/email-change-store.ts'
import { getTarget, isSelf } from '../users/user-targets.ts'
import { CREDENTIAL_KINDS } from './credential-kinds.ts'
import { type Credential, listCredentials } from './credential-store.ts'
import { added, endedInWords, endKeysAndMail } from './end-credentials.ts'

const resource = 'credential'
const pathParams = { user: 'Id or login name: the caller, or any user for members of editusers.' }
const Time = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])
const KINDS = Object.keys(CREDENTIAL_KINDS)

const ListedCredential = Type.Object(
  {
    kind: Type.Union(
      KINDS.map((kind) => Type.Literal(kind)),
      { description: 'What it is; docs/rules.md says what each can do and what ends it.' },
    ),
    id: Type.Integer({ description: 'Its id among those of its kind.' }),
    name: Type.String({ description: 'Description, URL, subject, device, login name or issuer.' }),
    created_at: Time,
    last_used: Time,
    key_id: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The API key that made or changed it, if one did.',
    }),
    allows: Type.Array(Type.String(), {
      description: 'The scopes of an API key, the events of a webhook; empty for other kinds.',
    }),
    resource: Type.Union([Type.String(), Type.Null()], {
      description: 'Where a program may use it that got it with OAuth: mcp or rest; null for all else.',
    }),
    expires_at: Time,
    is_current: Type.Boolean({ description: 'Whether it is the key or session in use.' }),
  },
  { title: 'Credential', additionalProperties: false },
)

export const Ended = Type.Record(Type.String(), Type.Integer(), {
  description: 'How many of each kind were ended. Kinds of which none was are missing.',
})

const getCredentials = call({
  method: 'GET',
  path: '/user/:user/credential',
  pathParams,
  resource,
  summary: 'List everything that acts or listens for a user.',
  about: 'Sessions, API keys, webhooks and whatever else goes on until it is ended. No secrets are returned.',
  params: {},
  answers: Type.Object({ credentials: Type.Array(ListedCredential) }, { additionalProperties: false }),
  scope: 'admin',
  async run(context) {
    const { db, settings, credentials } = context
    const { caller, owner } = await ownerIn(context)
    const isOwn = caller.id === owner.id
    const token = credentials.token === undefined || !isOwn ? undefined : digest(credentials.token)
    const current = (await listTokens(db, settings, owner.id)).find((session) => session.digest === token)?.id
    const found = await listCredentials(db, settings, owner.id)
    const isCurrent = ({ kind, id }: Credential) =>
      isOwn && ((kind === 'api_key' && id === caller.keyId) || (kind === 'session' && id === current))
    return { credentials: found.map((it) => ({ ...it, allows: wordsIn(it.allows), is_current: isCurrent(it) })) }
  },
})

const deleteCredentials = call({
  method: 'DELETE',
  path: '/user/:user/credential',
  pathParams,
  resource,
  summary: 'End everything that acts or listens for a user.',
  about:
    'All that the list contains, except the key or session in use, passkeys, authenticator apps, the link with a provider that the user must use, and the last way in which the caller can log in. With an API key of the user, links with providers stay. What was made with an ended key ends too, also if it belongs to another user.',
  params: {},
  answers: Type.Object({ id: Type.Integer(), ended: Ended }, { additionalProperties: false }),
  scope: 'admin',
  async run(context) {
    const { db, settings, credentials } = context
    requireUnlimited(requireLogin(context.caller), 'end what acts for a user')
    requireRecentProof(context)
    const { caller, owner } = await ownerIn(context)
    return db.transaction(async (tx) => {
      await requireLiveCredential(tx, context)
      const isOwn = caller.id === owner.id
      const user = await getTarget(tx, String(owner.id))
      if (!isOwn) await requireNotStronger(tx, await readGrantor(tx, caller.id), user)
      const token = isOwn && caller.source === 'token' ? credentials.token : undefined
      const session = await deleteOtherTokens(tx, owner.id, token)
      await closeEmailChanges(tx, owner.id)
      await closeLinksOfUser(tx, owner.id)
      await closeCodesOfUser(tx, owner.id)
      const others = await endKeysAndMail(tx, owner.id, isOwn ? caller.keyId : null)
      // Users remove their own links only in a session: see requireMayChangeFactors.
      const provider =
        isOwn && caller.source === 'api_key'
          ? 0
          : await unlinkAllProviders(tx, settings, { id: caller.id, token }, user, { keepsWayIn: isOwn })
      const ended = added({ session, provider }, others)
      const change = { credentials: { removed: endedInWords(ended), added: '' } }
      await recordAudit(tx, { who: caller.id, class: 'User', objectId: owner.id }, change)
      return { id: owner.id, ended }
    }, 'configuration')
  },
})

function wordsIn(list: string): string[] {
  return list.split(',').filter((word) => word !== '')
}

/** Other users get the same error whether the user exists or not. */
async function ownerIn(context: CallContext): Promise<{ caller: SignedIn; owner: { id: number } }> {
  const caller = requireLogin(context.caller)
  const ref = context.path.user ?? ''
  if (isSelf(caller, ref)) return { caller, owner: caller }
  requireGroup(caller, 'editusers')
  const owner = await getTarget(context.db, ref)
  // URLs of webhooks and subjects of mails are only for those who could log in as the user anyway.
  await requireNotStronger(context.db, await readGrantor(context.db, caller.id), owner)
  return { caller, owner }
}

export const credentialRoutes = [getCredentials, deleteCredentials] as const
