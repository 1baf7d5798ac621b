import type { TSchema } from '@sinclair/typebox'
import type { CallConfig } from '../config/config.ts'
import type { Settings } from '../config/settings.ts'
import type { Contents } from '../contents/contents.ts'
import type { Db } from '../database/db.ts'
import type { ReadLimits } from '../database/slow-reads/read-limits.ts'
import type { ApiError } from '../errors.ts'
import type { ServerParts } from '../server-parts.ts'
import type { FieldSelection } from './field-selection.ts'
import type { ResponseMemory } from './http/response-memory.ts'
import type { ParamValues, Shape } from './params.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The scopes to which an API key may be limited: reading, writing, administering, and proposing what others decide on. */
export type Scope = 'read' | 'write' | 'admin' | 'propose'

/**
 * What the header Idempotency-Key does to a POST: `once` runs it in a transaction and stores the response, so that it
 * can be sent again. The others ignore the header. `reads` changes nothing. `attempts` counts attempts or uses
 * something up (a code, a challenge, a link), which a transaction would undo after a refusal. `repeatable` does
 * nothing the second time, and runs in many transactions.
 */
export type Idempotency = 'once' | 'reads' | 'attempts' | 'repeatable'

/** A POST says how it can be repeated. Other methods ignore the header. */
type CallMethod =
  | { method: 'POST'; idempotency: Idempotency }
  | { method: Exclude<Method, 'POST'>; idempotency?: undefined }

/**
 * A call of the REST API as data: its path, parameters, response and action. Everything else (authentication, formats,
 * errors, field selection, documentation, checks in the tests) is derived from this.
 */
export type Call<CallerPart extends object, Params extends Shape = Shape, Ahead = unknown> = CallMethod &
  CallParts<CallerPart, Params, Ahead>

interface CallParts<CallerPart extends object, Params extends Shape, Ahead> {
  /** Below /rest, with variables as `:name`. */
  path: string
  /** The page of the documentation that describes it. */
  resource: string
  summary: string
  about?: string
  /** A description of each path variable. */
  pathParams?: Readonly<Record<string, string>>
  params: Params
  /** Unknown parameters are ignored, as in most calls of Bugzilla, refused, or kept. */
  unknownParams?: 'ignored' | 'refused' | 'kept'
  /**
   * The body may contain a file and be larger than others: the parameter, the limit, and the error for a larger one.
   */
  takesFile?: { in: string; limit: (settings: Settings) => { bytes: number; refusal: () => ApiError } }
  /** The body is read as bytes, up to this limit, because its signature is about them. It contains no parameters. */
  takesBytes?: { most: number }
  /** The body may be a form, for callers who cannot send JSON. */
  takesForm?: boolean
  status?: number
  answers: TSchema
  /** It returns a file instead of JSON. */
  answersFile?: boolean
  /**
   * The parameter `link_code` stands for the header of our own pages, which browsers do not send with pictures and downloads. This
   * returns what the code must be for (see access/authentication/file-link.ts).
   */
  linkedFile?: (path: Readonly<Record<string, string>>) => string
  /**
   * Response formats besides JSON: the media type by the name for the parameter `ctype`. The call gets the requested
   * one as `form`, and writes it itself.
   */
  otherForms?: Readonly<Record<string, string>>
  /** include_fields and exclude_fields apply to the response. */
  selectsFields?: boolean
  /** The header If-Match makes it refuse to change an object that has changed since. */
  readsIfMatch?: boolean
  /** A search, or as expensive as one: the requests of anonymous callers have a limit of their own, so that crawlers leave bugs readable. */
  isSearch?: boolean
  scope: Scope
  /** Anonymous callers may make it even if the parameter requirelogin is on, and even if its scope is not read. */
  isOpen?: boolean
  /**
   * Every caller is anonymous here, so that a client with expired credentials can still connect. While the parameter
   * requirelogin is on, a call that is not open reads them.
   */
  ignoresCredentials?: boolean
  /** A GET that changes something, as in Bugzilla: the cookie does not count here, because any link in a comment can make the request. */
  ignoresCookie?: boolean
  /** Allowed in a session that can only be used to add a second factor. */
  servesSetup?: boolean
  /** The call reads login, password and token itself; they do not identify the caller. */
  readsCredentials?: boolean
  /** An expired token is not an error here; the caller is then anonymous. */
  takesDeadTokens?: boolean
  /**
   * Slow work outside of the database, such as storing a file. It runs before `run`, which gets its result, and never
   * in a transaction. It may run twice.
   */
  ahead?: (context: CallContext<Params> & CallerPart) => Promise<Ahead>
  /** For credentials that may propose but not write. Without it, the call is refused to them. */
  proposes?: ProposingPart<CallContext<Params> & CallerPart>
  run: (context: CallContext<Params> & CallerPart, ahead: Ahead) => Promise<unknown> | unknown
}

/** What a call does instead of writing. */
export interface ProposingPart<Context, Draft = unknown> {
  /** What would be done, found without doing it. It runs before the transaction of an Idempotency-Key, and never in one. */
  draft: (context: Context) => Promise<Draft>
  store: (context: Context, draft: Draft) => Promise<Proposed>
  /** The response if something was stored, with the status 202. */
  answers: TSchema
}

/** The result of a call that proposes. If nothing was stored, because it was a dry run or changes nothing, it is the usual response. */
export interface Proposed {
  isStored: boolean
  value: unknown
}

/** A parsed and validated request of a call. The layer above adds the caller as `CallerPart`. */
export interface CallContext<Params extends Shape = Shape> {
  db: Db
  /** The request itself, with the limits of its slow reads (see Db.within) and the memory of its response. */
  request: { readonly readLimits: ReadLimits; readonly memory: Pick<ResponseMemory, 'hold' | 'holdStep'> }
  /** The file store, which is outside of the database. */
  contents: Contents
  serverParts: ServerParts
  config: CallConfig
  params: ParamValues<Params>
  /** The body of a call that takes bytes; empty in others. */
  bytes: Buffer
  /** The headers of a call that takes bytes, by their names in lower case; empty in others. */
  headers: Readonly<Record<string, string | undefined>>
  /** Every parameter as it was sent, for calls whose parameter names are not known in advance. */
  rawParams: Readonly<Record<string, unknown>>
  path: Readonly<Record<string, string>>
  select: FieldSelection
  /** The requested one of the call's other formats; undefined for JSON in any wrapping. */
  form: string | undefined
  /** Whether the response is shown as an HTML page. */
  isPage: boolean
  settings: Settings
  credentials: Credentials
  /** The address of the client. */
  address: string
  baseUrl: string
  /**
   * The header If-Match: the version that the client has read. The change is refused if the object has changed since.
   */
  ifMatch: string | undefined
  /** The header Last-Event-ID: the last event that the client has got of an interrupted stream. */
  lastEventId: string | undefined
  userAgent: string | undefined
  /** The header Cookie. */
  cookies: string | undefined
  /** Whether a page of this server made the request: only then may it store or remove the cookie of a session. */
  isFromOwnPage: boolean
  /** An unquoted ETag is put in front of the digest of the response. */
  answerHeaders: Record<string, string | string[]>
}

/** The credentials of a request. */
export interface Credentials {
  apiKey?: string
  token?: string
  login?: string
  password?: string
  restrictsToAddress?: boolean
  /** Whether the API key is in the address or the body, which programs with OAuth must not do: others can see addresses. */
  isKeyInParameters?: boolean
  /** Set by the server: what the request uses, if it is not a call by itself. An access token of OAuth works only for what it is for. */
  resource?: string
  /** Set by the server: by what failures are counted, instead of the network. See access/authentication/known-device.ts. */
  countedAs?: string | undefined
}
