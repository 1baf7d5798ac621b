import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

export type Endpoint = 'discovery' | 'token' | 'jwks' | 'userinfo'

/** How an endpoint misbehaves; undefined answers as the standard says. */
export type Answer = ((response: ServerResponse) => void) | undefined

/** A provider of OpenID Connect that answers as a test wants, with tokens that it signs itself. */
export class HostileProvider {
  readonly clientId = 'bugs'
  readonly answers = new Map<Endpoint, Answer>()
  /** Fields that replace those of the metadata and of the id token. */
  metadata: Record<string, unknown> = {}
  claims: JWTPayload = {}
  userinfo: Record<string, unknown> | undefined
  /** Makes the id token, in place of the right signature. */
  sign: ((claims: JWTPayload) => Promise<string> | string) | undefined
  nonce = ''
  bytesSent = 0
  requests: string[] = []
  private readonly keys = generateKeyPair('RS256', { extractable: true })
  private readonly server: Server = createServer((request, response) => {
    this.requests.push(request.url ?? '')
    void this.answer(request.url ?? '', response)
  })

  async open(): Promise<this> {
    this.server.listen(0, '127.0.0.1')
    await once(this.server, 'listening')
    this.server.unref()
    return this
  }

  close() {
    this.server.close()
    this.server.closeAllConnections()
  }

  get issuer() {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  reset() {
    this.answers.clear()
    Object.assign(this, { metadata: {}, claims: {}, userinfo: undefined, sign: undefined, bytesSent: 0, requests: [] })
  }

  /** Sends a hundred megabytes, as long as the other side reads them. */
  readonly floods: Answer = (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    const chunk = Buffer.alloc(65_536, ' ')
    const more = () => {
      while (this.bytesSent < 100_000_000 && !response.destroyed) {
        this.bytesSent += chunk.length
        if (!response.write(chunk)) return response.once('drain', more)
      }
      return response.end()
    }
    more()
  }

  async signed(claims: JWTPayload): Promise<string> {
    const { privateKey } = await this.keys
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(privateKey)
  }

  private async answer(path: string, response: ServerResponse) {
    const endpoint = ENDPOINTS[path]
    if (endpoint === undefined) return response.writeHead(404).end()
    const hostile = this.answers.get(endpoint)
    if (hostile) return hostile(response)
    const body = await this.bodyOf(endpoint)
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  }

  private async bodyOf(endpoint: Endpoint): Promise<unknown> {
    const { issuer } = this
    if (endpoint === 'discovery')
      return {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        userinfo_endpoint: `${issuer}/userinfo`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        ...this.metadata,
      }
    if (endpoint === 'jwks')
      return { keys: [{ ...(await exportJWK((await this.keys).publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] }
    if (endpoint === 'userinfo') return this.userinfo ?? {}
    const claims = this.idClaims()
    const id_token = await (this.sign ?? ((all) => this.signed(all)))(claims)
    return { access_token: 'access', token_type: 'Bearer', id_token }
  }

  private idClaims(): JWTPayload {
    const now = Math.floor(Date.now() / 1000)
    const usual = { iss: this.issuer, aud: this.clientId, sub: 'jo', nonce: this.nonce, iat: now, exp: now + 300 }
    const all: JWTPayload = { ...usual, auth_time: now, email_verified: true, ...this.claims }
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  }
}

const ENDPOINTS: Record<string, Endpoint> = {
  '/.well-known/openid-configuration': 'discovery',
  '/token': 'token',
  '/jwks': 'jwks',
  '/userinfo': 'userinfo',
}
