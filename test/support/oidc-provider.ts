import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'
import Provider, { type Configuration, type JWK } from 'oidc-provider'

export interface ProviderUser {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
  groups?: string[]
}

/** A real provider of OpenID Connect, in this process. It logs in the user of `user` without asking. */
export class TestProvider {
  readonly clientId = 'bugs'
  readonly clientSecret = 'a secret of the client, long enough'
  user: ProviderUser = { sub: 'nobody' }
  /** How long ago users who log in now have logged in, according to the provider. */
  loginAgeSeconds = 0
  private readonly server: Server = createServer((request, response) => void this.serve(request, response))
  private readonly users = new Map<string, ProviderUser>()
  private provider: Provider | undefined
  private key: CryptoKey | undefined
  private clients: { redirect_uris: string[]; backchannel_logout_uri: string } | undefined

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

  /** What the tracker has to know of this provider, for its parameter sign_in_providers. */
  settings(name: string) {
    return {
      name,
      title: `The ${name}`,
      issuer: this.issuer,
      client_id: this.clientId,
      client_secret: this.clientSecret,
    }
  }

  /** Registers the tracker as a client, under the name that the tracker has for this provider. */
  async register(trackerUrl: string, name: string) {
    this.clients = {
      redirect_uris: [`${trackerUrl}/login/return/${name}`],
      backchannel_logout_uri: `${trackerUrl}/rest/session/provider/${name}/logout`,
    }
    await this.rotateKeys()
  }

  /** The provider signs with a new key from now on. */
  async rotateKeys() {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    this.key = privateKey
    const jwk = (await exportJWK(privateKey)) as JWK
    this.provider = new Provider(this.issuer, this.configuration([{ ...jwk, use: 'sig', alg: 'RS256' }]))
    this.provider.on('server_error', (_, fault) => console.error(fault))
  }

  /** The provider ends the sessions of a user, and notifies the tracker. */
  async logOut(sub: string, sid: string) {
    const client = await this.provider?.Client.find(this.clientId)
    await (client as unknown as { backchannelLogout(sub: string, sid: string): Promise<void> }).backchannelLogout(
      sub,
      sid,
    )
  }

  /** What the provider sends to end all sessions of a user. */
  async logoutToken(sub: string): Promise<string> {
    if (this.key === undefined) throw new Error('The provider has no key')
    return new SignJWT({ sub, events: { 'http://schemas.openid.net/event/backchannel-logout': {} } })
      .setProtectedHeader({ alg: 'RS256', typ: 'logout+jwt' })
      .setIssuer(this.issuer)
      .setAudience(this.clientId)
      .setIssuedAt()
      .sign(this.key)
  }

  private configuration(keys: JWK[]): Configuration {
    return {
      clients: [
        {
          client_id: this.clientId,
          client_secret: this.clientSecret,
          ...this.clients,
          backchannel_logout_session_required: true,
          response_types: ['code'],
          grant_types: ['authorization_code'],
        },
      ],
      jwks: { keys },
      cookies: { keys: ['cookies of the test'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
      scopes: ['openid', 'email', 'profile', 'groups'],
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      // By default the provider does not notify clients on this machine.
      fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined } as RequestInit),
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ ...this.users.get(sub), sub }) }),
      loadExistingGrant: async (context) => {
        const grant = new context.oidc.provider.Grant({
          clientId: context.oidc.client?.clientId ?? '',
          accountId: context.oidc.session?.accountId ?? '',
        })
        grant.addOIDCScope('openid email profile groups')
        await grant.save()
        return grant
      },
      ttl: { Session: 3600, Grant: 3600, Interaction: 600, AccessToken: 600, IdToken: 600 },
    }
  }

  private async serve(request: IncomingMessage, response: ServerResponse) {
    const { provider } = this
    if (provider === undefined) return response.writeHead(503).end()
    if (!request.url?.startsWith('/interaction/')) return provider.callback()(request, response)
    this.users.set(this.user.sub, this.user)
    await provider.interactionFinished(request, response, {
      login: { accountId: this.user.sub, ts: Math.floor(Date.now() / 1000) - this.loginAgeSeconds },
    })
  }
}

/** What a browser does with the address of the provider: it follows the redirects and keeps the cookies. Returns where it comes back. */
export async function followProvider(
  address: string,
  trackerUrl: string,
  cookies = new Map<string, string>(),
): Promise<URL> {
  let url = new URL(address)
  for (let count = 0; count < 10; count++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const { headers } = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const set of headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';')[0] ?? '').split(/=(.*)/s)
      cookies.set(name, value)
    }
    url = new URL(headers.get('location') ?? '', url)
    if (url.href.startsWith(`${trackerUrl}/login/return/`)) return url
  }
  throw new Error(`The provider does not lead back to ${trackerUrl}`)
}
