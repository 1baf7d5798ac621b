import { accountRefusals } from './errors/account-refusals.ts'
import { bugErrors } from './errors/bug-errors.ts'
import { bugRefusals } from './errors/bug-refusals.ts'
import { callErrors } from './errors/call-errors.ts'
import { catalogueRefusals } from './errors/catalogue-refusals.ts'
import type { About, ErrorKind } from './errors/kind.ts'
import { loginErrors } from './errors/login-errors.ts'
import { objectErrors } from './errors/object-errors.ts'
import { parameterErrors } from './errors/parameter-errors.ts'
import { searchRefusals } from './errors/search-refusals.ts'
import { type ErrorValue, type ErrorValues, shortened, valuesIn } from './errors/shown.ts'
import { masked } from './text/masked.ts'

export { meanings } from './errors/meanings.ts'
export type { ErrorValue, ErrorValues } from './errors/shown.ts'

/**
 * Every error that a client can get: name, number, sentence, and what it is about. Numbers are those of Bugzilla's REST API. Numbers
 * and names never change; sentences are ours and may. One number can have several names: the name says which case happened.
 */
const catalogue = {
  ...parameterErrors,
  ...bugErrors,
  ...loginErrors,
  ...objectErrors,
  ...bugRefusals,
  ...searchRefusals,
  ...catalogueRefusals,
  ...accountRefusals,
  ...callErrors,
}

type Catalogue = typeof catalogue
export type ErrorName = keyof Catalogue

type DetailsOf<Name extends ErrorName> = Parameters<Catalogue[Name]['sentence']>[0]

/** In some calls an error is about a field that its kind does not know. */
type InField = { field?: string | undefined }

type Arguments<Details> = [Details] extends [undefined] ? [details?: InField] : [details: Details & InField]

/** `errors.no_such_object({ what, ref })` creates the error; missing or misspelt data does not compile. */
export const errors = Object.fromEntries(
  Object.entries(catalogue).map(([name, kind]) => [
    name,
    (details: object = {}) => new ApiError(name as ErrorName, kind as ErrorKind<object>, details),
  ]),
) as { [Name in ErrorName]: (...details: Arguments<DetailsOf<Name>>) => ApiError }

export const errorNumbers = Object.fromEntries(
  Object.entries(catalogue).map(([name, it]) => [name, it.code]),
) as Record<ErrorName, number>

/** Every error as the documentation lists it. */
export const errorKinds = Object.entries(catalogue).map(([name, { code, status }]) => ({ name, code, status }))

/** An error that is sent to the client, as opposed to a bug of ours. */
export class ApiError extends Error {
  readonly reason: ErrorName
  readonly code: number
  readonly status: number
  readonly headers: Record<string, string>
  /** The parameter of the call that it is about. */
  parameter: string | undefined
  /** The field of the bug, or of the object that is edited, that it is about. */
  field: string | undefined
  /** The data of the message. */
  values: ErrorValues | undefined
  #isFieldNamed: boolean

  constructor(reason: ErrorName, kind: ErrorKind<object>, details: object & InField) {
    const shown = new Set<PropertyKey>(kind.shows)
    super(masked(kind.sentence(noting(details, shown))))
    this.reason = reason
    this.code = kind.code
    this.status = kind.status
    this.headers = { ...kind.headers?.(details) }
    const { parameter, field, named } = subjectOf(kind.about, details)
    this.parameter = parameter
    this.field = details.field ?? field
    this.#isFieldNamed = details.field !== undefined
    this.values = valuesIn(details, shown, named)
  }

  /** The field in which it happened, unless it was thrown with one. */
  setField(field: string) {
    if (this.#isFieldNamed) return
    this.field = field
    this.#isFieldNamed = true
  }

  withHeader(name: string, value: string) {
    this.headers[name] = value
    return this
  }

  /** Changes every text that a client gets. */
  rewrite(rewritten: (text: string) => string) {
    this.message = rewritten(this.message)
    if (this.parameter !== undefined) this.parameter = rewritten(this.parameter)
    if (this.field !== undefined) this.field = rewritten(this.field)
    const plain = (value: ErrorValue) => {
      const text = rewritten(String(value))
      return text === String(value) ? value : text
    }
    const texts = Object.entries(this.values ?? {}).map(([name, value]) => [
      name,
      typeof value === 'object' ? value.map(plain) : plain(value),
    ])
    if (texts.length > 0) this.values = Object.fromEntries(texts)
  }
}

/** The same details. Adds to `shown` which of them are read: a caller may pass an object that has more, also secrets. */
function noting<Details extends object>(details: Details, shown: Set<PropertyKey>): Details {
  return new Proxy(details, {
    get(target, name) {
      shown.add(name)
      return Reflect.get(target, name)
    },
  })
}

/** The parameter or field that an error of a kind is about, and the detail that has its name. */
function subjectOf(
  about: About<object> | undefined,
  details: object,
): { parameter?: string; field?: string; named?: PropertyKey } {
  if (about === undefined) return {}
  if ('parameter' in about || 'field' in about) return about
  const named: PropertyKey = 'parameterIn' in about ? about.parameterIn : about.fieldIn
  const name = shortened(String((details as Record<PropertyKey, unknown>)[named]))
  return 'parameterIn' in about ? { parameter: name, named } : { field: name, named }
}
