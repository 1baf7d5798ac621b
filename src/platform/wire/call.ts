import type { TSchema } from '@sinclair/typebox'
import type { Settings } from '../config/settings.ts'
import type { Contents } from '../contents/contents.ts'
import type { Db } from '../database/db.ts'
import type { ReadLimits } from '../database/slow-reads/read-limits.ts'
import type { ApiError } from '../errors.ts'
import type { FieldSelection } from './field-selection.ts'
import type { Read, Shape } from './params.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What a key may be limited to: reading, writing, administering. */
export type Scope = 'read' | 'write' | 'admin'

/**
 * A call of the interface, as data: where it is, what it takes, what it answers and what it does. Everything else (who asks,
 * forms, errors, field selection, documentation, checks in the tests) follows from this and is written nowhere else.
 */
export interface Call<Scene extends object, Params extends Shape = Shape, Ahead = unknown> {
  method: Method
  /** Below /rest, with variables as `:name`. */
  path: string
  /** The page of the documentation it stands on. */
  resource: string
  summary: string
  about?: string
  /** What each variable of the path is. */
  pathParams?: Readonly<Record<string, string>>
  params: Params
  /** Parameters that are not in `params` are ignored, as most calls of the original do, or refused. */
  unknownParams?: 'ignored' | 'refused' | 'kept'
  /** Its body may hold a file, and be larger than others: in which parameter, how large, and the error for one that is larger still. */
  takesFile?: { in: string; limit: (settings: Settings) => { bytes: number; refusal: () => ApiError } }
  status?: number
  answers: TSchema
  /** It answers a file instead of JSON. */
  answersFile?: boolean
  /**
   * Forms that it answers besides JSON, each with its media type, under the name that the parameter `ctype` has for it. The call finds the
   * one that was asked for in `form`, and writes it itself.
   */
  otherForms?: Readonly<Record<string, string>>
  /** The call's answer can be narrowed with include_fields and exclude_fields. */
  selectsFields?: boolean
  /** The header If-Match makes it refuse to change what has changed since. */
  readsIfMatch?: boolean
  scope: Scope
  /** Anonymous callers may make it even when the parameter requirelogin is on, and even if its scope is not read. */
  isOpen?: boolean
  /**
   * Every caller is anonymous here, so that a client with credentials that are no longer valid can still connect. While the parameter
   * requirelogin is on, a call that is not open reads them.
   */
  ignoresCredentials?: boolean
  /** Reads login, password and token itself, instead of letting them say who is asking. */
  readsCredentials?: boolean
  /** A token that is no longer valid is no error here; it only does not say who is asking. */
  takesDeadTokens?: boolean
  /**
   * What takes long and is no work of the database, such as storing a file: done before `run`, which gets what comes of it, and never in a
   * transaction. It may be done twice.
   */
  ahead?: (context: CallContext<Params> & Scene) => Promise<Ahead>
  run: (context: CallContext<Params> & Scene, ahead: Ahead) => Promise<unknown> | unknown
}

/** A call that was made, read and understood. Who made it is added by the floor above, as the scene. */
export interface CallContext<Params extends Shape = Shape> {
  db: Db
  /** The request itself: what limits its slow reads (see Db.within). */
  request: { readonly readLimits: ReadLimits }
  /** Of files, which are not in the database. */
  contents: Contents
  params: Read<Params>
  /** Every parameter as it came, for calls whose names are not known beforehand. */
  given: Readonly<Record<string, unknown>>
  path: Readonly<Record<string, string>>
  select: FieldSelection
  /** Which of the call's other forms is wanted; undefined for JSON, whatever that is then wrapped in. */
  form: string | undefined
  /** Whether somebody reads the answer as an HTML page. */
  isPage: boolean
  settings: Settings
  credentials: Credentials
  /** Where the request really came from. */
  address: string
  baseUrl: string
  /** What the client has read and wants to change only if it is still the same: the header If-Match. */
  ifMatch: string | undefined
  /** The last event that the client has got of a stream which was cut: the header Last-Event-ID. */
  lastEventId: string | undefined
  /** Whether a page of this server made the request: only then may it store or remove the cookie of a session. */
  isFromOwnPage: boolean
  /** A bare word under ETag goes in front of the digest of what is answered. */
  answerHeaders: Record<string, string | string[]>
}

/** Whatever in a request says who is asking. */
export interface Credentials {
  apiKey?: string
  token?: string
  login?: string
  password?: string
  restrictsToAddress?: boolean
}
