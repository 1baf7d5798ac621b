import type { ErrorName, ErrorValues } from './calls.ts'

/** What the server refused. */
export class RestError extends Error {
  readonly status: number
  /** The number of the error, as of Bugzilla; 0 if the response did not come from a tracker. */
  readonly code: number
  /** The name of the error; undefined if the response did not come from Lacewing. */
  readonly reason: ErrorName | undefined
  readonly field: string | undefined
  readonly parameter: string | undefined
  readonly values: ErrorValues

  constructor(status: number, { code, message, reason, field, parameter, values = {} }: ErrorBody) {
    super(message)
    this.status = status
    this.code = code
    this.reason = reason
    this.field = field
    this.parameter = parameter
    this.values = values
  }
}

interface ErrorBody {
  code: number
  message: string
  reason?: ErrorName
  field?: string
  parameter?: string
  values?: ErrorValues
}

const NOT_FROM_TRACKER = 'The response did not come from this server. A proxy may be in the way.'

/** The parsed body of a response. Throws the error in it, or that it is not from a tracker. */
export function bodyIn(status: number, text: string): unknown {
  return successIn(status, text === '' ? null : parsed(status, text))
}

/** The same for a body that is parsed already. */
export function successIn(status: number, body: unknown): unknown {
  if (status < 400 && !isError(body)) return body
  throw new RestError(status, { code: 0, message: 'The server refused.', ...(body as Partial<ErrorBody> | null) })
}

/** Bugzilla sends the errors of its own faults with status 200. */
function isError(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'error' in body && body.error === true && 'code' in body
}

/** The server leads to another address. */
export function redirected({ status, headers }: Response): RestError {
  const to = headers.get('Location')
  const message = `The server redirects${to === null ? '' : ` to ${to}`}: give the address at which the tracker is as the url.`
  return new RestError(status, { code: 0, message })
}

function parsed(status: number, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RestError(status, { code: 0, message: NOT_FROM_TRACKER })
  }
}
