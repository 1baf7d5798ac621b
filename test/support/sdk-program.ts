import { randomUUID } from 'node:crypto'
import {
  Client,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'

/** A program that uses MCP with the official client, which finds out by itself how to get access, and keeps it in memory. */
export class SdkProgram implements OAuthClientProvider {
  /** Where the program sends the browser of its user. */
  authorizationUrl: URL | undefined
  kept: StoredOAuthTokens | undefined
  registered: StoredOAuthClientInformation | undefined
  readonly redirectUrl: string
  readonly clientMetadata: OAuthClientMetadata
  private verifier = ''
  private readonly url: string
  private readonly fetch: typeof fetch
  private discovered: OAuthDiscoveryState | undefined
  private transport: StreamableHTTPClientTransport | undefined

  constructor(url: string, redirectUrl: string, { name = 'The official client', fetch: fetchWith = fetch } = {}) {
    this.url = url
    this.fetch = fetchWith
    this.redirectUrl = redirectUrl
    this.clientMetadata = {
      client_name: name,
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
  }

  /** Connects. Without access it fails, and `authorizationUrl` says where the user gives it. */
  async connect(): Promise<Client> {
    this.transport = new StreamableHTTPClientTransport(new URL(this.url), { authProvider: this, fetch: this.fetch })
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
    await client.connect(this.transport)
    return client
  }

  /** With the answer that the browser has brought. */
  finish(answer: URLSearchParams): Promise<void> {
    if (this.transport === undefined) throw new Error('It has not begun')
    return this.transport.finishAuth(answer)
  }

  state = () => randomUUID()
  clientInformation = () => this.registered
  saveClientInformation(registered: StoredOAuthClientInformation) {
    this.registered = registered
  }
  tokens = () => this.kept
  saveTokens(tokens: StoredOAuthTokens) {
    this.kept = tokens
  }
  redirectToAuthorization(url: URL) {
    this.authorizationUrl = url
  }
  saveCodeVerifier(verifier: string) {
    this.verifier = verifier
  }
  codeVerifier = () => this.verifier
  saveDiscoveryState(state: OAuthDiscoveryState) {
    this.discovered = state
  }
  discoveryState = () => this.discovered
}
