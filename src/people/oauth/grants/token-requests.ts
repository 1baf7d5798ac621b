import { timingSafeEqual } from 'node:crypto'
import { queueAccountNotices } from '../../../access/account-notice.ts'
import { noteCredentialsEnded } from '../../../access/live-credential.ts'
import type { Settings } from '../../../platform/config/settings.ts'
import type { Db } from '../../../platform/database/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import { digest, randomWord } from '../../../platform/secrets/secrets.ts'
import { timeNow } from '../../../platform/time/clock.ts'
import { requireRoomForKey } from '../../own-limits.ts'
import { lockEnabledUser } from '../../users/user-store.ts'
import { findClient, noteClientUsed, type OAuthClient } from '../clients/client-store.ts'
import { OAuthError } from '../oauth-error.ts'
import { isServed, RESOURCES, type Resource, resourceAt } from '../resources.ts'
import { areGranted, narrowed, scopesInWords } from '../scopes.ts'
import { noteKeyOfCode, useCode } from './code-store.ts'
import { endGrant } from './end-grant.ts'
import {
  findGrantOfAccessToken,
  findRefreshToken,
  insertGrant,
  insertRefreshToken,
  renewGrant,
  useRefreshToken,
} from './grant-store.ts'
import { nextEnds } from './grant-times.ts'

/** What every request of a client to the endpoint for tokens is answered with. */
interface TokenContext {
  db: Db
  settings: Settings
  baseUrl: string
  client: OAuthClient
}

/** What a client gets for a code or a refresh token. */
export interface Tokens {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
  scope: string
}

const TOKEN_LENGTH = 43

type Fields = Readonly<Record<string, string | undefined>>

/** Exchanges a code. It is used up by the attempt, so that nobody can try verifiers on it. */
export async function exchangeCode(context: TokenContext, fields: Fields): Promise<Tokens> {
  const { db, settings, client } = context
  const { code, redirect_uri: redirectUri, code_verifier: verifier, resource } = fields
  if (code === undefined || verifier === undefined)
    throw new OAuthError('invalid_request', 'The parameters code and code_verifier are required.')
  const used = await useCode(db, code)
  if (used !== undefined && 'again' in used) {
    if (used.again.keyId !== null) await endGrant(db, used.again.keyId)
    throw refusedCode()
  }
  const row = used?.row
  if (row === undefined || row.expires_at <= timeNow() || row.client_id !== client.id) throw refusedCode()
  if (row.redirect_uri !== redirectUri || !isVerifierOf(row.challenge, verifier)) throw refusedCode()
  requireTarget(row.resource, resource, context)
  return asRefusal(() =>
    db.transaction(async (tx) => {
      await lockEnabledUser(tx, row.user_id)
      await requireRoomForKey(tx, row.user_id)
      // It may have been ended since it sent the request.
      if ((await findClient(tx, client.key))?.id !== client.id) throw refusedCode()
      const [secret, token, at] = [randomWord(TOKEN_LENGTH), randomWord(TOKEN_LENGTH), timeNow()]
      const { accessEnds, refreshEnds } = nextEnds(settings, at)
      const keyId = await insertGrant(tx, {
        ...{ userId: row.user_id, clientId: client.id, resource: row.resource, scopes: row.scopes },
        ...{ description: client.name, secret, expiresAt: accessEnds, grantEndsAt: refreshEnds },
      })
      if (!(await noteKeyOfCode(tx, row.digest, keyId))) throw refusedCode()
      await insertRefreshToken(tx, { token, keyId, scopes: row.scopes, expiresAt: refreshEnds })
      await noteClientUsed(tx, client.id)
      await queueAccountNotices(tx, { what: 'key_made', userId: row.user_id, who: row.user_id, keyId, at })
      return answered({ secret, refreshToken: token, scopes: row.scopes, accessEnds })
    }, 'accounts'),
  )
}

/** Renews access. A refresh token works once; one that is sent again was stolen from its client, or by it, and ends the grant. */
export async function refreshGrant(context: TokenContext, fields: Fields): Promise<Tokens> {
  const { db, settings, client } = context
  const { refresh_token: token, scope, resource } = fields
  if (token === undefined) throw new OAuthError('invalid_request', 'The parameter refresh_token is required.')
  const row = await findRefreshToken(db, token)
  if (row === undefined || row.client_id !== client.id || row.revoked_at !== null) throw refusedRefresh()
  if (row.used_at !== null) {
    await endGrant(db, row.key_id)
    throw refusedRefresh()
  }
  const { accessEnds, refreshEnds } = nextEnds(settings, row.begun_at)
  const now = timeNow()
  if (row.expires_at <= now || accessEnds <= now || row.disabled_text !== '') throw refusedRefresh()
  if (scope !== undefined && !areGranted(scope, row.scopes))
    throw new OAuthError('invalid_scope', 'The scope must be a part of what was granted.')
  requireTarget(row.resource ?? '', resource, context)
  const scopes = scope === undefined ? row.scopes : narrowed(row.scopes, scope)
  const tokens = await db.transaction(async (tx) => {
    if (!(await useRefreshToken(tx, token))) return undefined
    const [secret, next] = [randomWord(TOKEN_LENGTH), randomWord(TOKEN_LENGTH)]
    const grant = { id: row.key_id, secret, scopes, expiresAt: accessEnds, grantEndsAt: refreshEnds }
    if (!(await renewGrant(tx, grant))) throw refusedRefresh()
    await insertRefreshToken(tx, { token: next, keyId: row.key_id, scopes: row.scopes, expiresAt: refreshEnds })
    await noteClientUsed(tx, client.id)
    // Streams that were opened with the token before end.
    await noteCredentialsEnded(tx)
    return answered({ secret, refreshToken: next, scopes, accessEnds })
  }, 'accounts')
  if (tokens !== undefined) return tokens
  await endGrant(db, row.key_id)
  throw refusedRefresh()
}

/** Ends the grant that a token belongs to. A token that is unknown, or of another client, is no error, so that nobody learns about it. */
export async function revokeToken({ db, client }: Pick<TokenContext, 'db' | 'client'>, { token }: Fields) {
  if (token === undefined) throw new OAuthError('invalid_request', 'The parameter token is required.')
  const refresh = await findRefreshToken(db, token)
  const found =
    refresh === undefined
      ? await findGrantOfAccessToken(db, token)
      : { id: refresh.key_id, client_id: refresh.client_id }
  if (found !== undefined && found.client_id === client.id) await endGrant(db, found.id)
}

function answered(it: { secret: string; refreshToken: string; scopes: string; accessEnds: string }): Tokens {
  return {
    access_token: it.secret,
    token_type: 'Bearer',
    expires_in: (Date.parse(it.accessEnds) - Date.parse(timeNow())) / 1000,
    refresh_token: it.refreshToken,
    scope: scopesInWords(it.scopes),
  }
}

/** RFC 7636. */
function isVerifierOf(challenge: string, verifier: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false
  const [one, other] = [Buffer.from(digest(verifier)), Buffer.from(challenge)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** A token is only for what the user has consented to, and only while that is served. */
function requireTarget(granted: string, named: string | undefined, { settings, baseUrl }: TokenContext) {
  const resource = RESOURCES.find((it) => it === granted) as Resource | undefined
  if (resource === undefined || !isServed(resource, settings))
    throw new OAuthError('invalid_target', 'The resource is not served.')
  if (named !== undefined && resourceAt(named, baseUrl) !== resource)
    throw new OAuthError('invalid_target', 'The resource is another one than the user has consented to.')
}

function refusedCode() {
  return new OAuthError('invalid_grant', 'The code is unknown, used or expired, or does not belong to this request.')
}

function refusedRefresh() {
  return new OAuthError('invalid_grant', 'The refresh token is unknown, used or expired, or its access has ended.')
}

/** A disabled account, or one with too many keys. */
async function asRefusal<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (fault) {
    if (!(fault instanceof ApiError) || fault.status >= 500) throw fault
    const why = fault.reason === 'own_limit' ? fault.message : 'The account cannot give access.'
    throw new OAuthError('invalid_grant', why)
  }
}
