// Passkeys: the browser answers a challenge of the server. The library is loaded when the first one is used.
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { post } from '../server/rest.ts'
import { sessionOpened } from './session.ts'

export type PasskeyRequest = PublicKeyCredentialRequestOptionsJSON

const library = () => import('@simplewebauthn/browser')

/** Whether the browser allows them here: only at an https address, or at localhost. */
export function hasPasskeys() {
  return typeof globalThis.PublicKeyCredential === 'function'
}

/** Adds a passkey to the reader's account. Returns the recovery codes, if they are new. */
export async function addPasskey(name: string): Promise<string[]> {
  const { options } = await post('/factor/passkey/challenge', {})
  const credential = await inWords(async () =>
    (await library()).startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }),
  )
  const { recovery_codes } = await post('/factor/passkey', { credential, name })
  return recovery_codes
}

/** Logs in with a passkey alone, or with one of those that `request` names. */
export async function logInWithPasskey(isKept: boolean, request?: PasskeyRequest) {
  const optionsJSON = request ?? (await requestFrom('/session/passkey/challenge'))
  const credential = await inWords(async () => (await library()).startAuthentication({ optionsJSON }))
  await finish(credential, isKept)
}

/** The passkeys with which a login can go on after the password; undefined if the account has none. */
export async function passkeysAfterPassword(login: string, password: string): Promise<PasskeyRequest | undefined> {
  return requestFrom('/session/passkey/challenge', { login, password }).catch(() => undefined)
}

/** Confirms a sensitive change with a passkey instead of the password. */
export async function proveWithPasskey() {
  const optionsJSON = await requestFrom('/session/proof/challenge')
  const credential = await inWords(async () => (await library()).startAuthentication({ optionsJSON }))
  await post('/session/proof', { credential })
}

/** A challenge works for five minutes. */
const RENEWED_MILLISECONDS = 4 * 60_000

/**
 * Offers passkeys among the login names that the browser completes, where it can do so. Nothing is shown if the reader does not choose one.
 * Returns a function that ends the offer.
 */
export function offerPasskeys(isKept: () => boolean, onDone: () => void, onFault: (fault: Error) => void): () => void {
  let isOver = false
  const offer = async () => {
    const { browserSupportsWebAuthnAutofill, startAuthentication } = await library()
    if (isOver || !(await browserSupportsWebAuthnAutofill())) return
    const optionsJSON = await requestFrom('/session/passkey/challenge')
    if (isOver) return
    const credential = await startAuthentication({ optionsJSON, useBrowserAutofill: true }).catch(() => undefined)
    if (credential === undefined || isOver) return
    await finish(credential, isKept()).then(onDone, onFault)
  }
  const begin = () => void offer().catch(() => undefined)
  begin()
  const renewal = setInterval(begin, RENEWED_MILLISECONDS)
  return () => {
    isOver = true
    clearInterval(renewal)
    void library().then(({ WebAuthnAbortService }) => WebAuthnAbortService.cancelCeremony())
  }
}

async function finish(credential: AuthenticationResponseJSON, isKept: boolean) {
  await post('/session/passkey', { credential, is_kept: isKept })
  await sessionOpened()
}

type ChallengePath = '/session/passkey/challenge' | '/session/proof/challenge'

async function requestFrom(
  path: ChallengePath,
  body: { login?: string; password?: string } = {},
): Promise<PasskeyRequest> {
  return (await post(path, body)).options as PasskeyRequest
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['NotAllowedError', 'No passkey was used. Try again, and unlock it when the browser asks.'],
  ['AbortError', 'No passkey was used. Try again.'],
  ['InvalidStateError', 'This device has a passkey for your account already.'],
  [
    'SecurityError',
    'Passkeys do not work at this address. Open the pages at the address that the administrator has set.',
  ],
])

/** Browsers give the same reason for almost everything, so that pages do not learn what passkeys there are. */
async function inWords<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (fault) {
    const { name, message } = fault as Error
    throw new Error(WORDS.get(name) ?? message)
  }
}
