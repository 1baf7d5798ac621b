import { Refusal } from '../../platform/refusal.ts'
import { NoAnswer, withoutKey } from '../rest-client/rest-faults.ts'
import { isObject, type Json, type RestAnswer, type RestServer, reasonIn } from '../rest-client/rest-server.ts'
import type { FetchStore } from './fetch-store.ts'
import { propertyOf, restText } from './rest-values.ts'

/** The server that is read, and with which key. */
export interface Source {
  readonly server: RestServer
  readonly key: string | undefined
  /** Names of products; empty for all. */
  readonly products: readonly string[]
}

export async function fetchRequired(source: Source, store: FetchStore, call: string): Promise<Json> {
  const known = store.answer(call)
  if (known !== undefined) return known
  const { body } = await successfulAnswerTo(source, call)
  store.saveAnswer(call, body)
  return body
}

/** What a source may refuse to show: an error is kept as one. */
export async function fetchOptional(source: Source, store: FetchStore, call: string) {
  if (store.answer(call) === undefined) store.saveAnswer(call, (await callSource(source, call)).body)
}

/** An answer that is no error. */
export async function successfulAnswerTo(source: Source, call: string): Promise<RestAnswer> {
  const answer = await callSource(source, call)
  if (isError(answer.body) || answer.status >= 400)
    throw new Refusal(
      withoutKey(
        `${source.server.address} refuses ${call.slice(0, 100)}: ${restText(propertyOf(answer.body, 'message')).slice(0, 300) || `status ${answer.status}`}`,
        source.key,
      ),
      reasonIn(answer.body),
    )
  return answer
}

/** Throws a Refusal if the source is gone: what was read stays. */
export async function callSource(source: Source, call: string): Promise<RestAnswer> {
  try {
    return await source.server.get(call, source.key)
  } catch (fault) {
    if (!(fault instanceof NoAnswer)) throw fault
    throw new Refusal(`${fault.message} What was read so far is kept: give the same command again to go on.`)
  }
}

export function isError(body: Json): boolean {
  return !isObject(body) || body.error === true || body.error === 1
}
