import { type Address, addressOf, type FieldsIn, fillPath, type Parameters } from '../shared/rest-address.ts'
import type { Answer, AnswerAt, NameOf, ParamsOf, PathOf, Selected } from './call-types.ts'
import { bodyIn, redirected } from './rest-error.ts'
import { type Retries, sendWithRetries } from './retries.ts'

export interface ClientOptions extends Partial<Retries> {
  /** Where the tracker is, with the path of its base address if it has one. */
  url: string
  apiKey?: string
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>
  /** Instead of the global function. */
  fetch?: typeof fetch
}

export interface RequestOptions {
  signal?: AbortSignal
  headers?: Readonly<Record<string, string>>
}

export interface PostOptions extends RequestOptions {
  /** Carried out once, even if the connection is lost and the request is sent again. The documentation says which calls offer this. */
  once?: boolean
}

/** Parameters can be left out if none is required. */
type Given<Params, Options> = object extends Params
  ? [params?: Params, options?: Options]
  : [params: Params, options?: Options]

const NOT_MODIFIED = 304

function isRedirection({ type, status }: Response) {
  return type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== NOT_MODIFIED)
}

/** Refuses names that are not there, also where the type of the parameters is inferred. */
type OnlyNamesOf<Known, Params> = { readonly [Name in Exclude<keyof Params, keyof Known>]: never }

/** A client of the REST API. Paths, parameters and responses have the types of the server's own definitions. */
export class Client {
  private readonly options: ClientOptions
  private readonly base: string

  constructor(options: ClientOptions) {
    this.options = options
    this.base = options.url.replace(/\/$/, '')
  }

  get<Path extends PathOf<'GET'>, const Params extends ParamsOf<NameOf<'GET', Path>>>(
    path: Path,
    params: Params & OnlyNamesOf<ParamsOf<NameOf<'GET', Path>>, Params>,
    options?: RequestOptions,
  ): Promise<Selected<Answer<NameOf<'GET', Path>>, FieldsIn<Params>>>
  get<Path extends PathOf<'GET'>>(
    path: object extends ParamsOf<NameOf<'GET', Path>> ? Path : never,
  ): Promise<Answer<NameOf<'GET', Path>>>
  get(path: string, params: Parameters = {}, options?: RequestOptions): Promise<unknown> {
    return this.json('GET', addressOf(path, params), undefined, options)
  }

  /** Reads an address that `addressOf` has made. */
  read<At extends Address>(address: At, options?: RequestOptions): Promise<AnswerAt<At>> {
    return this.json('GET', address, undefined, options)
  }

  post<Path extends PathOf<'POST'>>(
    path: Path,
    ...[params, options]: Given<ParamsOf<NameOf<'POST', Path>>, PostOptions>
  ): Promise<Answer<NameOf<'POST', Path>>> {
    const key: Record<string, string> = options?.once ? { 'Idempotency-Key': crypto.randomUUID() } : {}
    return this.write('POST', path, params, { ...options, headers: { ...key, ...options?.headers } })
  }

  put<Path extends PathOf<'PUT'>>(
    path: Path,
    ...[params, options]: Given<ParamsOf<NameOf<'PUT', Path>>, RequestOptions>
  ): Promise<Answer<NameOf<'PUT', Path>>> {
    return this.write('PUT', path, params, options)
  }

  delete<Path extends PathOf<'DELETE'>>(
    path: Path,
    ...[params, options]: Given<ParamsOf<NameOf<'DELETE', Path>>, RequestOptions>
  ): Promise<Answer<NameOf<'DELETE', Path>>> {
    return this.write('DELETE', path, params, options)
  }

  private write<Body>(method: string, path: string, params: unknown, options?: RequestOptions): Promise<Body> {
    const { address, rest } = fillPath(path, (params ?? {}) as Parameters)
    return this.json(method, address, rest, options)
  }

  private async json<Body>(method: string, address: string, body?: Parameters, options?: RequestOptions) {
    const response = await this.send(method, address, body, options)
    return bodyIn(response.status, await response.text()) as Body
  }

  /** The response itself, for what is not JSON. A redirection is not followed: the key would go there too, and a write would become a read. */
  async send(method: string, address: string, body?: Parameters, options: RequestOptions = {}): Promise<Response> {
    const { apiKey, headers, fetch: fetchWith = fetch, ...retries } = this.options
    const response = await sendWithRetries(fetchWith, `${this.base}${address}`, retries, {
      method,
      redirect: 'manual',
      headers: {
        Accept: 'application/json',
        ...(apiKey === undefined ? {} : { 'X-TRACKER-API-KEY': apiKey }),
        ...(body && { 'Content-Type': 'application/json' }),
        ...headers,
        ...options.headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(options.signal && { signal: options.signal }),
    })
    if (isRedirection(response)) throw redirected(response)
    return response
  }
}
