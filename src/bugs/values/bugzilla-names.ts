import { REST_NAMES } from '../../../shared/bug-fields/field-names.ts'
import type { Param, RequestParams, Shape } from '../../platform/wire/params.ts'

/** Bugzilla's internal names, each with the name of a parameter of the REST API. Clients send both kinds. */
const API_NAMES: ReadonlyMap<string, string> = new Map([
  ...REST_NAMES,
  ['commentprivacy', 'comment_is_private'],
  ['longdesc', 'description'],
])

/** The parameters, and each of them under Bugzilla's internal name as well. */
export function withBugzillaNames<Params extends Shape>(params: Params): Params {
  const more: Record<string, Param<unknown>> = {}
  for (const [name, apiName] of API_NAMES) {
    const param = params[apiName]
    if (param !== undefined)
      more[name] = { ...param, about: `Another name for ${apiName}, from Bugzilla.`, isRequired: false }
  }
  return { ...more, ...params }
}

/** The parameters as they were sent, only with the names of the REST API. */
export function withApiNames(rawParams: RequestParams): Record<string, unknown> {
  const named = toApiNames({ ...rawParams })
  for (const name of API_NAMES.keys()) if (!KEPT.has(name)) delete named[name]
  return named
}

/** A parameter of its own in changes. */
const KEPT: ReadonlySet<string> = new Set(['longdesc'])

/** Moves values from Bugzilla's names to the names of the REST API. If a client sends both, the value of the REST API name counts. */
export function toApiNames<Params extends object>(params: Params): Params {
  const values = params as Record<string, unknown>
  for (const [name, apiName] of API_NAMES) if (values[name] !== undefined) values[apiName] ??= values[name]
  return params
}
