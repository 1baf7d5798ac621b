import type { Call } from '../call.ts'
import type { Param } from '../params.ts'
import type { CallExample } from './call-example.ts'
import { ErrorBody, type NamedSchemas } from './openapi-schemas.ts'

type AnyCall = Call<never>

interface OperationContext {
  /** The name in the document of each path variable. */
  names: ReadonlyMap<string, string>
  schemas: NamedSchemas
  example: CallExample | undefined
}

/** One call as OpenAPI describes it. */
export function operation(call: AnyCall, { names, schemas, example }: OperationContext) {
  const hasBody = call.method === 'POST' || call.method === 'PUT'
  const query = new URLSearchParams(example?.path.split('?')[1])
  const shown = (name: string) => exampleOf(query.get(name), call.params[name])
  return {
    operationId: operationId(call),
    tags: [call.resource],
    summary: call.summary,
    description: descriptionOf(call),
    parameters: [
      ...Object.entries(call.pathParams ?? {}).map(([name, about]) => ({
        name: names.get(name),
        in: 'path',
        required: true,
        description: about,
        schema: { type: 'string' },
        ...exampleOf(pathValue(call, name, example)),
      })),
      ...(hasBody ? [] : Object.entries(call.params)).map(([name, param]) => ({
        ...queryParameter(name, param, schemas),
        ...shown(name),
      })),
      ...(call.selectsFields ? FIELD_SELECTION : []).map((it) => ({ ...it, ...shown(it.name) })),
      ...headersOf(call),
    ],
    ...(hasBody && { requestBody: requestBody(call, schemas, example) }),
    responses: {
      [call.status ?? 200]: {
        description: 'Done.',
        content: {
          [call.answersFile ? 'application/octet-stream' : 'application/json']: {
            schema: schemas.reference(call.answers),
            ...exampleOf(call.answersFile ? undefined : example?.response),
          },
        },
      },
      ...(call.proposes && {
        202: {
          description: 'Nothing was changed yet: the API key has the scope propose, and not write.',
          content: { 'application/json': { schema: schemas.reference(call.proposes.answers) } },
        },
      }),
      '4XX': refusal('The request was refused; the code says why.', schemas),
      '5XX': refusal('Not possible at the moment, or an error of the server.', schemas),
    },
  }
}

/** Other response formats are only mentioned in the description, so that generated clients have types only for JSON. */
function descriptionOf({ about, summary, otherForms }: AnyCall) {
  const others = Object.entries(otherForms ?? {}).map(([name, mediaType]) => `\`ctype=${name}\` (${mediaType})`)
  const formats = others.length === 0 ? '' : ` Other response formats: ${others.join(', ')}.`
  return (about ?? summary) + formats
}

function refusal(description: string, schemas: NamedSchemas) {
  return { description, content: { 'application/json': { schema: schemas.reference(ErrorBody) } } }
}

function exampleOf(value: unknown, param?: Param<unknown>) {
  if (value === undefined || value === null) return {}
  const { type, anyOf } = (param?.schema ?? {}) as { type?: string; anyOf?: { type?: string }[] }
  if (type === 'integer' || anyOf?.some((option) => option.type === 'integer')) return { example: Number(value) }
  return { example: type === 'boolean' ? ['1', 'true'].includes(String(value)) : value }
}

function pathValue(call: AnyCall, name: string, example: CallExample | undefined) {
  const at = `/rest${call.path}`.split('/').indexOf(`:${name}`)
  const value = example?.path.split('?')[0]?.split('/')[at]
  return value === undefined ? undefined : decodeURIComponent(value)
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
    description: 'Not these fields; takes precedence over include_fields.',
    schema: { type: 'string' },
  },
]

function headersOf(call: AnyCall) {
  return [...(call.idempotency === 'once' ? [IDEMPOTENCY_KEY] : []), ...(call.readsIfMatch ? [IF_MATCH] : [])]
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Any text chosen by the client. Requests with the same key and content are carried out once and get the same response.',
  schema: { type: 'string' },
}

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  description: 'The ETag of the last response. The change is refused with 412 if the object has changed since.',
  schema: { type: 'string' },
}

function operationId(call: AnyCall) {
  const words = call.path.split(/[/_-]+/).filter((word) => word !== '')
  return (
    call.method.toLowerCase() +
    words
      .map((word) => word.replace(/^:/, 'by_').replace(/(^|_)(\w)/g, (_, __, letter) => letter.toUpperCase()))
      .join('')
  )
}

function queryParameter(name: string, param: Param<unknown>, schemas: NamedSchemas) {
  const schema = schemas.reference(param.schema)
  return { name, in: 'query', required: param.isRequired, description: param.about, schema }
}

function requestBody(call: AnyCall, schemas: NamedSchemas, example: CallExample | undefined) {
  const params = Object.entries(call.params).filter(([name]) => name !== '(name)')
  const properties = Object.fromEntries(
    params.map(([name, param]) => [name, { ...schemas.reference(param.schema), description: param.about }]),
  )
  const required = params.filter(([, param]) => param.isRequired).map(([name]) => name)
  return {
    required: params.length > 0,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties,
          ...(required.length > 0 && { required }),
          ...(takesOtherNames(call) && { additionalProperties: true }),
        },
        ...exampleOf(example?.request),
      },
    },
  }
}

/** Whether its body has names that are not known in advance, such as custom fields, or those that another program gives. */
function takesOtherNames({ unknownParams, params, takesBytes }: AnyCall) {
  return unknownParams === 'kept' || Object.hasOwn(params, '(name)') || takesBytes !== undefined
}
