import { createHmac } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { readSecret } from '../../access/installation-secrets.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Factor } from '../factors/factor-store.ts'
import { CHALLENGE_MINUTES } from './passkey-challenge.ts'
import type { PasskeySite } from './passkey-site.ts'

// The options of WebAuthn, as JSON, that a page passes to navigator.credentials.create() and get().

/** EdDSA, ES256 and RS256, in the numbers of COSE. */
export const ALGORITHMS: readonly number[] = [-8, -7, -257]
const TIMEOUT_MILLISECONDS = CHALLENGE_MINUTES * 60_000

const Text = Type.String()
const Credential = Type.Object(
  { type: Type.Literal('public-key'), id: Text, transports: Type.Array(Text) },
  { additionalProperties: false },
)

export const CreationOptions = Type.Object(
  {
    challenge: Text,
    rp: Type.Object({ id: Text, name: Text }, { additionalProperties: false }),
    user: Type.Object({ id: Text, name: Text, displayName: Text }, { additionalProperties: false }),
    pubKeyCredParams: Type.Array(
      Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer() }, { additionalProperties: false }),
    ),
    timeout: Type.Integer(),
    attestation: Type.Literal('none'),
    excludeCredentials: Type.Array(Credential),
    authenticatorSelection: Type.Object(
      { residentKey: Text, requireResidentKey: Type.Boolean(), userVerification: Text },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false, description: 'For navigator.credentials.create(), as WebAuthn writes it in JSON.' },
)

export const RequestOptions = Type.Object(
  {
    challenge: Text,
    rpId: Text,
    timeout: Type.Integer(),
    userVerification: Text,
    allowCredentials: Type.Array(Credential),
  },
  { additionalProperties: false, description: 'For navigator.credentials.get(), as WebAuthn writes it in JSON.' },
)

interface PasskeyUser {
  id: number
  login: string
  realName: string
}

/** A key without a PIN or a fingerprint reader, or without room for names, can be added too: it works after the password. */
export async function creationOptions(
  db: Db,
  site: PasskeySite,
  challenge: string,
  user: PasskeyUser,
  factors: readonly Factor[],
) {
  return {
    challenge,
    rp: { id: site.rpId, name: site.rpId },
    user: { id: await userHandleOf(db, user.id), name: user.login, displayName: user.realName || user.login },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: TIMEOUT_MILLISECONDS,
    attestation: 'none',
    excludeCredentials: descriptionsOf(site, factors),
    authenticatorSelection: { residentKey: 'preferred', requireResidentKey: false, userVerification: 'preferred' },
  }
}

/** Without factors, the browser offers all passkeys that it has for the site. */
export function requestOptions(
  site: PasskeySite,
  challenge: string,
  { needsVerification, factors }: { needsVerification: boolean; factors: readonly Factor[] },
) {
  return {
    challenge,
    rpId: site.rpId,
    timeout: TIMEOUT_MILLISECONDS,
    userVerification: needsVerification ? 'required' : 'preferred',
    allowCredentials: descriptionsOf(site, factors),
  }
}

/** Passkeys that work at this site. */
export function passkeysAt({ rpId }: PasskeySite, factors: readonly Factor[]): Factor[] {
  return factors.filter((it) => it.kind === 'passkey' && it.rp_id === rpId)
}

function descriptionsOf(site: PasskeySite, factors: readonly Factor[]) {
  return passkeysAt(site, factors).map(({ credential_id, transports }) => ({
    type: 'public-key',
    id: credential_id ?? '',
    transports: transports === '' ? [] : transports.split(','),
  }))
}

/** The name under which a passkey stores its user. It must not say who that is. */
export async function userHandleOf(db: Db, userId: number): Promise<string> {
  const secret = await readSecret(db, 'second_factor')
  return createHmac('sha256', secret).update(`passkeys of user ${userId}`).digest('base64url')
}
