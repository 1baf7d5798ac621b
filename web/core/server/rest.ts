// Every page reads and writes through these functions. Addresses, parameters and responses have the types of the client (client/).
import { signal } from '@preact/signals'
import type { Answer, AnswerAt, NameOf, ParamsOf, PathOf } from '../../../client/call-types.ts'
import { bodyIn as bodyOfText, RestError, successIn } from '../../../client/rest-error.ts'
import { type Address, fillPath, type Parameters } from '../../../shared/rest-address.ts'
import { forget, knownAnswer, remember, root, takeFirst } from './known-answers.ts'
import type { ErrorName } from './types.ts'

export { RestError }

/** Messages are written for people and may change, so that pages decide by the reason. */
export function isRefusedFor(fault: unknown, ...reasons: readonly ErrorName[]) {
  return fault instanceof RestError && fault.reason !== undefined && reasons.includes(fault.reason)
}

/** The server did not answer at all. */
export class NoConnection extends Error {
  constructor() {
    super('The server does not answer.')
  }
}

/** Shows the server that one of its pages sends the request: a page of another origin cannot send this header. */
export const OWN_PAGE = { 'X-Lacewing-Page': '1' }

const NOT_MODIFIED = 304

/** Whether the last request reached the server. */
export const isConnected = signal(true)
/** Whether the page was made for a user who is logged in. */
export const isSignedIn = signal(false)
/** Whether the session has ended while the page was open. */
export const isSessionOver = signal(false)

/** Whether the session can only be used to add a second factor. */
export const mustAddFactor = signal(false)

/** A change that waits until its user has typed the password again. */
export interface WaitingForProof {
  goOn(): void
  giveUp(): void
}

export const waitingForProof = signal<WaitingForProof | undefined>(undefined)

export async function get<At extends Address>(address: At, abort?: AbortSignal): Promise<AnswerAt<At>> {
  type Body = AnswerAt<At>
  const answer = takeFirst(address)
  if (answer !== undefined) {
    const body = noting<Body>(() => successIn(answer[0], answer[1]))
    remember(address, { body, etag: answer[2], characters: 0 })
    return body
  }
  // Browsers keep no answer to the cookie, so that the page asks itself whether it has changed.
  const before = knownAnswer(address)
  const response = await send('GET', address, undefined, abort, before?.etag ? { 'If-None-Match': before.etag } : {})
  if (before !== undefined && response.status === NOT_MODIFIED) {
    remember(address, before)
    return before.body as Body
  }
  const text = await response.text()
  if (isRefusal(response.status)) forget(address)
  const body = answerIn<Body>(response.status, text)
  remember(address, { body, etag: response.headers.get('ETag') ?? '', characters: text.length })
  return body
}

/** Too many requests and too much load pass. */
function isRefusal(status: number) {
  return status >= 400 && status < 429
}

/** For responses that are not kept, such as a distant part of a long list, so that they do not displace others. */
export async function getOnce<At extends Address>(address: At, abort?: AbortSignal): Promise<AnswerAt<At>> {
  return bodyIn(await send('GET', address, undefined, abort))
}

/** A response that is saved as a file. */
export async function getFile(address: string): Promise<Blob> {
  const response = await send('GET', address, undefined, undefined, { Accept: '*/*' })
  return response.ok ? response.blob() : bodyIn<Blob>(response)
}

type Headers = Record<string, string>

export function post<Path extends PathOf<'POST'>>(
  path: Path,
  params: ParamsOf<NameOf<'POST', Path>>,
  headers: Headers = {},
): Promise<Answer<NameOf<'POST', Path>>> {
  return write('POST', path, params, headers)
}

export function put<Path extends PathOf<'PUT'>>(
  path: Path,
  params: ParamsOf<NameOf<'PUT', Path>>,
  headers: Headers = {},
): Promise<Answer<NameOf<'PUT', Path>>> {
  return write('PUT', path, params, headers)
}

export function remove<Path extends PathOf<'DELETE'>>(
  path: Path,
  params: ParamsOf<NameOf<'DELETE', Path>>,
): Promise<Answer<NameOf<'DELETE', Path>>> {
  const { address, rest } = fillPath(path, params as Parameters)
  return request('DELETE', address, Object.keys(rest).length > 0 ? rest : undefined)
}

function write<Body>(method: string, path: string, params: unknown, headers: Headers): Promise<Body> {
  const { address, rest } = fillPath(path, params as Parameters)
  return request(method, address, rest, headers)
}

async function request<Body>(
  method: string,
  address: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Body> {
  const attempt = async () => bodyIn<Body>(await send(method, address, body, undefined, headers))
  try {
    return await attempt()
  } catch (fault) {
    if (!isRefusedFor(fault, 'proof_needed')) throw fault
    await proof(fault)
    return attempt()
  }
}

/** Asks for the password (frame/confirm-password.tsx). The change is refused if the reader does not want to type it. */
function proof(fault: unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (settle: () => void) => () => {
      waitingForProof.value = undefined
      settle()
    }
    waitingForProof.value = { goOn: done(resolve), giveUp: done(() => reject(fault)) }
  })
}

function send(
  method: string,
  address: string,
  body?: object,
  abort?: AbortSignal,
  headers: Record<string, string> = {},
): Promise<Response> {
  return reach(root + address, {
    method,
    credentials: 'same-origin',
    // What ends with the page is deleted although the page is left.
    keepalive: method === 'DELETE',
    headers: {
      Accept: 'application/json',
      ...OWN_PAGE,
      ...(body && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
    ...(abort && { signal: abort }),
  })
}

async function bodyIn<Body>(response: Response): Promise<Body> {
  return answerIn(response.status, await response.text())
}

/** The body of an answer, or the error in it. */
export function answerIn<Body>(status: number, text: string): Body {
  return noting(() => bodyOfText(status, text))
}

async function reach(address: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(address, init)
    isConnected.value = true
    return response
  } catch (fault) {
    if ((fault as Error).name === 'AbortError') throw fault
    isConnected.value = false
    throw new NoConnection()
  }
}

/** Notes what an error means for the whole page: that the session is over, or that a second factor must be added. */
function noting<Body>(read: () => unknown): Body {
  try {
    return read() as Body
  } catch (fault) {
    const isOver = isRefusedFor(fault, 'token_invalid') || (isLoginRequired(fault) && isSignedIn.value)
    if (isOver) isSessionOver.value = true
    if (isRefusedFor(fault, 'factor_required')) mustAddFactor.value = true
    throw fault
  }
}

/** Whether the reader may not see what they asked for, or it is gone. */
export function isRefused(fault: unknown) {
  return fault instanceof RestError && isRefusal(fault.status) && !isLoginRequired(fault)
}

export function isLoginRequired(fault: unknown) {
  return isRefusedFor(fault, 'login_required', 'login_unread', 'token_invalid')
}

/** A key with which a POST is carried out once, even if it is sent again. */
export function idempotencyKey() {
  return { 'Idempotency-Key': randomName() }
}

/** A unique name. crypto.randomUUID exists only where the page came by https. */
export function randomName() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
