import { siteNameIn } from '../../shared/look.ts'
import { authenticate } from '../access/authentication/authenticate.ts'
import { AUTH_METHODS } from '../people/oauth/clients/register-client.ts'
import { addressOfResource, isServed, issuerOf, RESOURCES, type Resource } from '../people/oauth/resources.ts'
import { SCOPES_SUPPORTED } from '../people/oauth/scopes.ts'
import type { Settings } from '../platform/config/settings.ts'
import { errors } from '../platform/errors.ts'
import type { HttpServer } from '../platform/wire/http/http-server.ts'
import { originOf } from '../serving/authenticate-call.ts'
import { json, servePage } from '../serving/server-pages.ts'
import type { Service } from '../serving/service.ts'

/**
 * Where programs find out how to get access (RFC 8414 and 9728). Programs put the path of the base address at the end of these addresses, which a
 * proxy may not pass on; so they are below the base address, too.
 */
export function serveMetadata(service: Service, http: HttpServer) {
  const { root } = service
  const serve = (path: string, document: (settings: Settings) => object) => {
    for (const end of new Set(['', root]))
      servePage(service, http, `/.well-known/${path}${end}`, async (request, opened) => {
        const { settings, address } = await authenticate(service.authenticator, {}, originOf(request))
        opened.address = address
        service.authenticator.rateLimit.count({ id: null, address }, settings)
        const it = json(document(settings))
        it.headers['Cache-Control'] = 'no-cache'
        return it
      })
  }
  serve('oauth-authorization-server', (settings) => serverMetadata(service.baseUrl(), settings))
  // Programs that cannot reach the address above look here. There are no ID tokens.
  serve('openid-configuration', (settings) => ({
    ...serverMetadata(service.baseUrl(), settings),
    jwks_uri: `${issuerOf(service.baseUrl())}/oauth/keys`,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [],
  }))
  servePage(service, http, '/oauth/keys', () => json({ keys: [] }))
  for (const resource of RESOURCES) serveResource(service, http, resource)
}

function serveResource(service: Service, http: HttpServer, resource: Resource) {
  const path = new URL(addressOfResource('http://x', resource)).pathname
  const below = '/.well-known/oauth-protected-resource'
  const addresses = [below + path, below + service.root + path]
  // Programs that know no more than the host look here: most of them are programs of MCP.
  if (resource === 'mcp') addresses.push(below)
  for (const address of new Set(addresses))
    servePage(service, http, address, async (request, opened) => {
      const { settings, address } = await authenticate(service.authenticator, {}, originOf(request))
      opened.address = address
      service.authenticator.rateLimit.count({ id: null, address }, settings)
      if (!isServed(resource, settings))
        throw errors.no_such_resource({ method: 'GET', path: request.url.split('?')[0] as string })
      const it = json(resourceMetadata(service.baseUrl(), settings, resource))
      it.headers['Cache-Control'] = 'no-cache'
      return it
    })
}

function serverMetadata(baseUrl: string, settings: Settings) {
  const issuer = issuerOf(baseUrl)
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    ...(settings.oauth_registration && { registration_endpoint: `${issuer}/oauth/register` }),
    revocation_endpoint: `${issuer}/oauth/revoke`,
    scopes_supported: SCOPES_SUPPORTED,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: AUTH_METHODS,
    revocation_endpoint_auth_methods_supported: AUTH_METHODS,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }
}

function resourceMetadata(baseUrl: string, settings: Settings, resource: Resource) {
  return {
    resource: addressOfResource(baseUrl, resource),
    authorization_servers: [issuerOf(baseUrl)],
    scopes_supported: SCOPES_SUPPORTED,
    bearer_methods_supported: ['header'],
    resource_name: siteNameIn({ site_name: settings.site_name }),
  }
}
