import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { ALGORITHMS } from './passkey-options.ts'
import type { NewCredential, PasskeyAnswer } from './passkey-params.ts'
import type { PasskeySite } from './passkey-site.ts'

// The library is large: the server loads this file some seconds after its start, or when a passkey is used before.

export interface VerifiedPasskey {
  credentialId: string
  /** In base64url, as COSE writes it. */
  publicKey: string
  counter: number
  isMultiDevice: boolean
  isBackedUp: boolean
}

/** Undefined if the answer is not one to this challenge, made by a page of this site. The challenge itself is checked before. */
export async function verifyNewPasskey(
  { id, clientDataJSON, challenge, attestationObject }: NewCredential,
  { origin, rpId }: PasskeySite,
): Promise<VerifiedPasskey | undefined> {
  const verified = await undefinedIfRefused(async () => {
    requireTopFrame(clientDataJSON)
    return verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON, attestationObject: withoutAttestation(attestationObject) },
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: false,
      supportedAlgorithmIDs: [...ALGORITHMS],
    })
  })
  if (!verified?.verified) return undefined
  const { credential, credentialDeviceType, credentialBackedUp } = verified.registrationInfo
  if (credential.id !== id) return undefined
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    isMultiDevice: credentialDeviceType === 'multiDevice',
    isBackedUp: credentialBackedUp,
  }
}

/** The same for a passkey that is known by its public key. Its counter is not checked here. */
export async function verifyPasskeyAnswer(
  { id, clientDataJSON, challenge, authenticatorData, signature }: PasskeyAnswer,
  { origin, rpId }: PasskeySite,
  publicKey: string,
  needsVerification: boolean,
): Promise<{ counter: number; isBackedUp: boolean } | undefined> {
  const verified = await undefinedIfRefused(async () => {
    requireTopFrame(clientDataJSON)
    return verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: needsVerification,
      // The library compares counters before it checks the signature. Ours are compared after it, in the database.
      credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: 0 },
    })
  })
  if (!verified?.verified) return undefined
  const { newCounter, credentialBackedUp } = verified.authenticationInfo
  return { counter: newCounter, isBackedUp: credentialBackedUp }
}

/** The library throws an error for each kind of wrong answer. */
async function undefinedIfRefused<Result>(verify: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await verify()
  } catch {
    return undefined
  }
}

function requireTopFrame(clientDataJSON: string) {
  const { crossOrigin } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { crossOrigin?: unknown }
  if (crossOrigin !== undefined && crossOrigin !== false) throw new Error('The page is in a frame of another site')
}

/** Which device it is does not matter here. A statement about it could make the library fetch lists of revoked certificates. */
function withoutAttestation(attestationObject: string): string {
  const sent = isoCBOR.decodeFirst<Map<string, unknown>>(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
  const authData = sent.get('authData')
  if (!(authData instanceof Uint8Array)) throw new Error('The authenticator data are missing')
  const bare = new Map<string, string | Map<string, string> | Uint8Array>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ])
  return Buffer.from(isoCBOR.encode(bare)).toString('base64url')
}
