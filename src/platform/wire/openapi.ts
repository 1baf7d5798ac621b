import { Type } from '@sinclair/typebox'
import { release } from '../release.ts'
import type { Call } from './call.ts'
import type { Param } from './params.ts'

export const ErrorBody = Type.Object(
  {
    error: Type.Literal(true),
    code: Type.Integer(),
    message: Type.String(),
    documentation: Type.String({ format: 'uri' }),
  },
  { additionalProperties: false },
)

type AnyCall = Call<never>

/** The whole interface as an OpenAPI 3.1 document, written from the calls themselves. */
export function openApiOf(calls: readonly AnyCall[], baseUrl: string) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const call of calls) {
    const names = pathNames(call, calls)
    const path = `/rest${call.path.replace(/:(\w+)/g, (_, name) => `{${names.get(name)}}`)}`
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(call, names) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lacewing',
      version: release,
      description: 'An issue tracker. Parameters of a write may stand in the body or in the query string, which wins.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    security: [{}, { apiKeyHeader: [] }, { apiKeyQuery: [] }, { bearer: [] }, { token: [] }],
    paths,
    components: { securitySchemes: SECURITY_SCHEMES, schemas: { Error: ErrorBody } },
  }
}

const SECURITY_SCHEMES = {
  apiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-TRACKER-API-KEY' },
  apiKeyQuery: { type: 'apiKey', in: 'query', name: 'api_key' },
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key.' },
  token: { type: 'apiKey', in: 'query', name: 'token', description: 'From the login call.' },
}

/** Paths that differ only in the names of their variables are one path to OpenAPI, so there each variable has one name. */
function pathNames(call: AnyCall, calls: readonly AnyCall[]): Map<string, string> {
  const alike = calls.filter((other) => shapeOf(other) === shapeOf(call)).map(variablesOf)
  return new Map(
    variablesOf(call).map((name, at) => [name, [...new Set(alike.map((names) => names[at]))].join('_or_')]),
  )
}

function shapeOf(call: AnyCall) {
  return call.path.replace(/:\w+/g, ':')
}

function variablesOf(call: AnyCall) {
  return [...call.path.matchAll(/:(\w+)/g)].map(([, name]) => name as string)
}

function operation(call: AnyCall, names: ReadonlyMap<string, string>) {
  const hasBody = call.method === 'POST' || call.method === 'PUT'
  const inQuery = hasBody ? [] : Object.entries(call.params)
  return {
    operationId: operationId(call),
    tags: [call.resource],
    summary: call.summary,
    ...(call.about && { description: call.about }),
    parameters: [
      ...Object.entries(call.pathParams ?? {}).map(([name, about]) => ({
        name: names.get(name),
        in: 'path',
        required: true,
        description: about,
        schema: { type: 'string' },
      })),
      ...inQuery.map(([name, param]) => queryParameter(name, param)),
      ...(call.selectsFields ? FIELD_SELECTION : []),
    ],
    ...(hasBody && { requestBody: requestBody(call) }),
    responses: {
      [call.status ?? 200]: {
        description: 'Done.',
        content: {
          [call.answersFile ? 'application/octet-stream' : 'application/json']: { schema: call.answers },
          ...Object.fromEntries(
            Object.values(call.otherForms ?? {}).map((mediaType) => [mediaType, { schema: { type: 'string' } }]),
          ),
        },
      },
      default: {
        description: 'Refused.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  }
}

const FIELD_SELECTION = [
  {
    name: 'include_fields',
    in: 'query',
    description: 'Only these fields. Also _default, _all, _extra, _custom.',
    schema: { type: 'string' },
  },
  {
    name: 'exclude_fields',
    in: 'query',
    description: 'Not these fields; wins over include_fields.',
    schema: { type: 'string' },
  },
]

function operationId(call: AnyCall) {
  // A path that ends in a slash is another one than the same without it.
  const words = call.path
    .replace(/\/$/, '/listed')
    .split(/[/_]+/)
    .filter((word) => word !== '')
  return (
    call.method.toLowerCase() +
    words
      .map((word) => word.replace(/^:/, 'by_').replace(/(^|_)(\w)/g, (_, __, letter) => letter.toUpperCase()))
      .join('')
  )
}

function queryParameter(name: string, param: Param<unknown>) {
  return { name, in: 'query', required: param.isRequired, description: param.about, schema: param.schema }
}

function requestBody(call: AnyCall) {
  const params = Object.entries(call.params).filter(([name]) => name !== '(name)')
  const properties = Object.fromEntries(
    params.map(([name, param]) => [name, { ...param.schema, description: param.about }]),
  )
  const required = params.filter(([, param]) => param.isRequired).map(([name]) => name)
  return {
    content: {
      'application/json': { schema: { type: 'object', properties, ...(required.length > 0 && { required }) } },
    },
  }
}
