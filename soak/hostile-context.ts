import { setTimeout as sleep } from 'node:timers/promises'
import type { BodyAt } from '../test/support/body-types.ts'
import type { HostileBugs } from '../test/support/hostile-requests.ts'
import { send } from './client.ts'
import { type HostileKind, type Outcome, sendHostile } from './hostile-client.ts'
import type { HostileTally } from './hostile-tally.ts'
import type { Storage } from './storage.ts'

/** What the kinds of attack need that are more than one request. */
export interface HostileContext {
  readonly port: number
  readonly place: Storage
  readonly maildir: string
  readonly bugs: HostileBugs
  readonly accounts: readonly Account[]
  readonly tally: HostileTally
  /** Names are made with it, so that each round has its own products, groups and fields. */
  readonly round: number
}

export interface Account {
  readonly id: number
  readonly login: string
  readonly password: string
  readonly key: string
}

/** Sends a request, counts it, and returns its response. */
export async function attempt<const Verb extends HostileKind['method'], const Path extends string>(
  { port, tally }: HostileContext,
  hostile: Attempt<Verb, Path>,
  key?: string,
): Promise<Outcome & { json: Attempted<Verb, Path> }> {
  const { body, ...rest } = hostile
  const request = {
    ...rest,
    title: `${hostile.method} ${hostile.path}`,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
  const outcome = await sendHostile(port, request, key)
  tally.note(request, outcome)
  return { ...outcome, json: parsed(outcome.text) }
}

interface Attempt<Verb extends HostileKind['method'], Path extends string> extends Omit<HostileKind, 'body' | 'title'> {
  readonly method: Verb
  readonly path: Path
  readonly body?: object
}

/** An attempt that is refused, or breaks off, has none of the fields. */
type Attempted<Verb extends string, Path extends string> = Partial<BodyAt<Verb, `/rest${Path}`>>

function parsed(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** What an administrator does before and after an attack. A server that is busy gets the request again. */
export async function arrange<const Verb extends string, const Path extends string>(
  port: number,
  method: Verb,
  path: Path,
  body?: unknown,
): Promise<BodyAt<Verb, `/rest${Path}`>> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const answered = await send(port, method, path, body)
    if (answered !== undefined && answered.status < 300) return answered.body
    if (answered !== undefined && answered.status !== 503)
      throw new Error(`${method} ${path} failed: ${JSON.stringify(answered)}`)
    await sleep(AGAIN_MILLISECONDS)
  }
  throw new Error(`${method} ${path}: the server was busy for too long`)
}

const MOST_TRIES = 40
const AGAIN_MILLISECONDS = 500
