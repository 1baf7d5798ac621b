// Signing in through a provider of OpenID Connect: the browser goes there and comes back to /login/return/NAME.

import { ownAddress } from '../router.ts'
import { root } from '../server/known-answers.ts'
import { post } from '../server/rest.ts'
import { sessionOpened } from './session.ts'

interface Begun {
  flow: string
  to: string
}

const keyOf = (name: string) => `sign-in ${name}`

/** Sends the browser to the provider. Only the same tab can finish the login. */
export async function beginSignIn(name: string, to: string) {
  const { url, flow } = await post('/session/provider/:name', { name, is_kept: true })
  const begun: Begun = { flow, to }
  sessionStorage.setItem(keyOf(name), JSON.stringify(begun))
  location.assign(url)
}

/** In place of the password, for a change that needs it again. */
export function proveWithProvider(name: string, abort: AbortSignal) {
  return inWindow(name, { is_proof: true }, abort)
}

/** For a page that must not be left, because the reader has begun something in it. */
export async function signInInWindow(name: string, abort: AbortSignal) {
  await inWindow(name, { is_kept: true }, abort)
  await sessionOpened()
}

/**
 * The reader logs in at the provider in another window, so that nothing that was typed in this one is lost. To be called while a click is
 * handled: browsers open no window later.
 */
async function inWindow(name: string, kind: { is_proof: true } | { is_kept: true }, abort: AbortSignal) {
  sessionStorage.removeItem(keyOf(name))
  const opened = window.open('', '_blank', 'popup,width=560,height=720')
  if (opened === null) throw new Error('The browser has blocked the window. Allow windows of this site, and try again.')
  try {
    const { url, flow } = await post('/session/provider/:name', { name, ...kind })
    const response = responseFor(new URL(url).searchParams.get('state') ?? '', abort)
    opened.location.href = url
    await finishSignIn(name, flow, await response)
  } catch (fault) {
    opened.close()
    throw fault
  }
}

const channel = () => new BroadcastChannel('responses of providers')

/** The response that the other window gets. */
function responseFor(state: string, abort: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const responses = channel()
    responses.onmessage = ({ data }: MessageEvent<{ query?: string }>) => {
      if (data.query === undefined || new URLSearchParams(data.query).get('state') !== state) return
      responses.postMessage({ taken: data.query })
      responses.close()
      resolve(data.query)
    }
    abort.addEventListener('abort', () => {
      responses.close()
      reject(new Error('You have not logged in again.'))
    })
  })
}

const HAND_OVER_MILLISECONDS = 1000

/** Gives the response to the window that waits for it. Returns false if there is none, as when this window has begun itself. */
export function handOver(name: string, query: string): Promise<boolean> {
  if (sessionStorage.getItem(keyOf(name)) !== null) return Promise.resolve(false)
  return new Promise((resolve) => {
    const responses = channel()
    const done = (isTaken: boolean) => {
      responses.close()
      resolve(isTaken)
    }
    responses.onmessage = ({ data }: MessageEvent<{ taken?: string }>) => {
      if (data.taken === query) done(true)
    }
    setTimeout(() => done(false), HAND_OVER_MILLISECONDS)
    responses.postMessage({ query })
  })
}

/** The login that this tab has begun, which it can finish once, with where the reader wanted to go. */
export function takeBegun(name: string): Begun {
  const { flow, to } = JSON.parse(sessionStorage.getItem(keyOf(name)) ?? '{"flow":"none","to":"/"}') as Begun
  sessionStorage.removeItem(keyOf(name))
  return { flow, to: ownAddress(to) }
}

/** The response does not stay in the address. */
export function hideResponse(name: string) {
  history.replaceState(null, '', `${root}/login/return/${encodeURIComponent(name)}`)
}

/** Sends the response of the provider to the server. */
export function finishSignIn(name: string, flow: string, query: string) {
  return post('/session/provider/:name/return', { name, flow, query })
}
