import { INTERFACE_NAMES } from '../../catalogue/fields/field-names.ts'
import type { Param, Shape } from '../../platform/wire/params.ts'

/** Bugzilla's internal names, each with the name of a parameter of the REST API. Clients send both kinds. */
const API_NAMES: ReadonlyMap<string, string> = new Map([
  ...INTERFACE_NAMES,
  ['commentprivacy', 'comment_is_private'],
  ['longdesc', 'description'],
])

/** The parameters, and each of them under Bugzilla's internal name as well. */
export function withBugzillaNames<Params extends Shape>(params: Params): Params {
  const more: Record<string, Param<unknown>> = {}
  for (const [name, apiName] of API_NAMES) {
    const param = params[apiName]
    if (param !== undefined) more[name] = { ...param, about: `Bugzilla’s name of ${apiName}.`, isRequired: false }
  }
  return { ...more, ...params }
}

/** Moves what was sent under Bugzilla's names to the names of the REST API. Where both were sent, the latter wins. */
export function toApiNames<Params extends object>(params: Params): Params {
  const values = params as Record<string, unknown>
  for (const [name, apiName] of API_NAMES) if (values[name] !== undefined) values[apiName] ??= values[name]
  return params
}
