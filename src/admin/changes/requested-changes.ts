import { type TSchema, Type } from '@sinclair/typebox'
import type { Call } from '../../access/call.ts'
import { errors } from '../../platform/errors.ts'
import { Routes } from '../../platform/wire/http/routes.ts'
import { mergeParams, requireStorable } from '../../platform/wire/merge-params.ts'
import type { RequestParams } from '../../platform/wire/params.ts'

/** The calls of these resources change the configuration. */
const RESOURCES: ReadonlySet<string> = new Set([
  'canned_reply',
  'classification',
  'component',
  'field',
  'flag_type',
  'group',
  'group_control',
  'keyword',
  'milestone',
  'product',
  'version',
  'workflow',
])

export const MOST_CHANGES = 200
/** A copy makes as many objects as its product has, and everybody who writes waits for the whole transaction. */
const MOST_COPIES = 1
const METHODS = ['POST', 'PUT', 'DELETE'] as const

export const RequestedChange: TSchema = Type.Object(
  {
    method: Type.Union(METHODS.map((method) => Type.Literal(method))),
    path: Type.String({ description: 'The address of the call, such as /rest/product/Kettle.' }),
    params: Type.Optional(
      Type.Object({}, { additionalProperties: true, description: 'Its parameters, as in the body of the call.' }),
    ),
  },
  { additionalProperties: false },
)

/** A call that a client wants to make together with others. */
export interface RequestedChange {
  call: Call
  path: Readonly<Record<string, string>>
  rawParams: RequestParams
  /** For messages: the place in the list and the call. */
  name: string
}

export type FindCall = (method: (typeof METHODS)[number], path: string) => Omit<RequestedChange, 'rawParams' | 'name'>

/** Finds a call that changes the configuration by the address that a client would send it to. */
export function findsConfigurationCalls(calls: readonly Call[]): FindCall {
  const routes = new Routes<Call>()
  for (const call of calls) if (isConfigurationCall(call)) routes.add(call.method, `/rest${call.path}`, call)
  return (method, address) => {
    const found = /[?#]/.test(address) ? undefined : routes.find(method, address)
    if (!found?.target) throw errors.not_a_configuration_call({ method, path: address })
    for (const name in found.path) requireStorable(name, found.path[name])
    return { call: found.target, path: found.path }
  }
}

/**
 * Of the calls of `admin` only that for parameters. The others log in, count attempts, or note what happened outside, which a dry run or a
 * refusal of another change must not take back.
 */
export function isConfigurationCall({ resource, method, path }: Call) {
  return method !== 'GET' && (RESOURCES.has(resource) || path === '/parameters')
}

/** Throws 53 if the parameter `changes` does not have the documented form. */
export function readRequestedChanges(value: unknown, find: FindCall): RequestedChange[] {
  if (!Array.isArray(value) || value.length === 0) throw wrong(value, 'it must be a list with at least one call')
  const changes = value.map((item: unknown, index) => {
    if (!isObject(item)) throw wrong(item, `item ${index + 1} must have method, path and params`)
    const { method, path, params = {}, ...others } = item
    const known = METHODS.find((name) => name === method)
    if (known === undefined) throw wrong(method, `the method of item ${index + 1} must be ${METHODS.join(', ')}`)
    if (typeof path !== 'string') throw wrong(path, `the path of item ${index + 1} must be a text`)
    if (!isObject(params)) throw wrong(params, `the params of item ${index + 1} must be an object`)
    const [unknown] = Object.keys(others)
    if (unknown !== undefined) throw wrong(unknown, `item ${index + 1} can only have method, path and params`)
    return { ...find(known, path), rawParams: mergeParams({}, params), name: `Change ${index + 1}, ${known} ${path}` }
  })
  if (changes.filter(({ call }) => call.path === COPY_PATH).length > MOST_COPIES)
    throw wrong('POST /rest/product/(ref)/copy', 'only one of the changes can copy a product')
  return changes
}

const COPY_PATH = '/product/:ref/copy'

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function wrong(value: unknown, right: string) {
  return errors.bad_value({ name: 'changes', value, right })
}
