import { release } from '../../config/release.ts'
import type { Call } from '../call.ts'
import type { ApiReference } from './call-example.ts'
import { operation } from './openapi-operation.ts'
import { ErrorBody, NamedSchemas } from './openapi-schemas.ts'

type AnyCall = Call<never>

/** The whole REST API as an OpenAPI 3.1 document, generated from the calls. */
export function openApiOf(calls: readonly AnyCall[], baseUrl: string, reference: ApiReference) {
  const schemas = new NamedSchemas()
  const paths: Record<string, Record<string, unknown>> = {}
  const alike = Map.groupBy(calls, shapeOf)
  // A path with a trailing slash is only another spelling of the one without it.
  for (const call of calls.filter(({ path }) => !path.endsWith('/'))) {
    const names = pathNames(call, alike.get(shapeOf(call)) ?? [])
    const path = `/rest${call.path.replace(/:(\w+)/g, (_, name) => `{${names.get(name)}}`)}`
    const example = reference.examples[`${call.method} ${call.path}`]
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(call, { names, schemas, example }) }
  }
  schemas.reference(ErrorBody)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lacewing',
      version: release,
      description:
        'An issue tracker. Parameters of a write may be in the body or in the query string; the query string takes precedence.',
      contact: { name: 'The administrator of this installation' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    security: [{}, { apiKeyHeader: [] }, { apiKeyQuery: [] }, { bearer: [] }, { token: [] }],
    tags: [...new Set(calls.map((call) => call.resource))].map((name) => ({
      name,
      description: reference.resources[name] ?? '',
    })),
    paths,
    components: { securitySchemes: SECURITY_SCHEMES, schemas: schemas.byName() },
  }
}

const SECURITY_SCHEMES = {
  apiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-TRACKER-API-KEY' },
  apiKeyQuery: { type: 'apiKey', in: 'query', name: 'api_key' },
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key.' },
  token: { type: 'apiKey', in: 'query', name: 'token', description: 'From the login call.' },
}

/**
 * OpenAPI treats paths that differ only in the names of their variables as one path, so each variable gets one name.
 */
function pathNames(call: AnyCall, alike: readonly AnyCall[]): Map<string, string> {
  const variables = alike.map(variablesOf)
  return new Map(
    variablesOf(call).map((name, at) => [name, [...new Set(variables.map((names) => names[at]))].join('_or_')]),
  )
}

function shapeOf(call: AnyCall) {
  return call.path.replace(/:\w+/g, ':')
}

function variablesOf(call: AnyCall) {
  return [...call.path.matchAll(/:(\w+)/g)].map(([, name]) => name as string)
}
