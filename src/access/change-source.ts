import { CHANGE_SOURCES, type ChangeSourceKind } from '../../shared/change-sources.ts'
import type { ChangeSource } from '../platform/queues/current-caller.ts'
import type { Caller } from './caller.ts'

/** By what the changes of this caller are made. Whatever acts for a user without a request names its own source, with `runFromSource`. */
export function sourceOfCaller({ keyId }: Caller, isFromOwnPage: boolean): ChangeSource {
  if (keyId !== null) return changeSource('key', keyId)
  return isFromOwnPage ? BY_PAGE : BY_LOGIN
}

/** A source of changes. `id` says which one, if there are several of its kind. */
export function changeSource(kind: ChangeSourceKind, id: number | null = null): ChangeSource {
  return { kind: CHANGE_SOURCES.indexOf(kind), id }
}

const BY_PAGE = changeSource('page')
const BY_LOGIN = changeSource('login')
export const BY_SERVER = changeSource('server')
export const BY_MAIL = changeSource('mail')
