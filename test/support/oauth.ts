import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type { AnyBody } from './body-types.ts'
import { cast, type Name, PASSWORD } from './cast.ts'
import type { Client, Reply, World } from './world.ts'

export const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin' }
export const REDIRECT = 'http://127.0.0.1:33418/callback'

/** A program that asks users of a world for access, as far as it goes without a browser. */
export class OAuthProgram {
  readonly world: World
  readonly id: string
  readonly secret: string | undefined
  readonly redirectUri: string
  readonly verifier = randomBytes(32).toString('base64url')

  private constructor(world: World, id: string, secret: string | undefined, redirectUri: string) {
    this.world = world
    this.id = id
    this.secret = secret
    this.redirectUri = redirectUri
  }

  static async register(world: World, more: Record<string, unknown> = {}): Promise<OAuthProgram> {
    const redirect_uris = [REDIRECT]
    const metadata = { client_name: 'Some agent', redirect_uris, token_endpoint_auth_method: 'none', ...more }
    const { status, body, text } = (await world.nobody.post('/oauth/register', metadata)) as Reply<AnyBody>
    assert.equal(status, 201, text)
    return new OAuthProgram(world, body.client_id, body.client_secret, body.redirect_uris[0])
  }

  get challenge() {
    return createHash('sha256').update(this.verifier).digest('base64url')
  }

  /** What the program sends with the browser. */
  request(more: Record<string, string> = {}): Record<string, string> {
    return {
      client_id: this.id,
      redirect_uri: this.redirectUri,
      response_type: 'code',
      code_challenge: this.challenge,
      code_challenge_method: 'S256',
      scope: 'read write',
      state: 'a state',
      resource: `${this.world.url}/mcp`,
      ...more,
    }
  }

  /** What the user answers on the page. Returns the address at which the program gets it. */
  async answer(session: Client, more: Record<string, unknown> = {}): Promise<URL> {
    const body = { ...this.request(), allow: true, chosen_scope: 'write', ...more }
    const reply = await session.post('/rest/oauth/authorization', body)
    assert.equal(reply.status, 201, reply.text)
    return new URL(reply.body.url)
  }

  async codeFrom(session: Client, more: Record<string, unknown> = {}): Promise<string> {
    return (await this.answer(session, more)).searchParams.get('code') ?? ''
  }

  /** Exchanges a code. */
  exchange(code: string, more: Record<string, string> = {}): Promise<Reply<AnyBody>> {
    return this.token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: this.redirectUri,
      code_verifier: this.verifier,
      ...more,
    })
  }

  refresh(refreshToken: string, more: Record<string, string> = {}): Promise<Reply<AnyBody>> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...more })
  }

  token(fields: Record<string, string>, path = '/oauth/token', headers: Record<string, string> = {}) {
    const own: Record<string, string> = { client_id: this.id }
    if (this.secret !== undefined) own.client_secret = this.secret
    return form(this.world.nobody, path, { ...own, ...fields }, headers)
  }

  /** The whole way: the tokens that the program has in the end. */
  async accessOf(session: Client, more: Record<string, unknown> = {}): Promise<AnyBody> {
    const { status, body, text } = await this.exchange(await this.codeFrom(session, more))
    assert.equal(status, 200, text)
    return body
  }
}

export function form(
  client: Client,
  path: string,
  fields: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<Reply<AnyBody>> {
  const body = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString()
  return client.send('POST', path, body, {
    'Content-Type': 'application/x-www-form-urlencoded',
    ...headers,
  }) as Promise<Reply<AnyBody>>
}

/** A user in the pages, with the cookie of a session. */
export async function inPages(world: World, login: string, password: string = PASSWORD): Promise<Client> {
  const { status, headers } = await world.nobody.post('/rest/session', { login, password }, OWN_PAGE)
  assert.equal(status, 201)
  return world.as({ ...OWN_PAGE, Cookie: (headers.get('set-cookie') ?? '').split(';')[0] as string })
}

export function castInPages(world: World, name: Name): Promise<Client> {
  return inPages(world, cast[name].login)
}

export function bearer(world: World, token: string): Client {
  return world.as({ Authorization: `Bearer ${token}` })
}
