import { type ApiError, errors } from '../errors.ts'

const RETRY_SECONDS = 5

/** The error for a database that cannot be used. `why` is for /ready, and the cause for the log. */
export function databaseUnavailable(why: string, cause: unknown): ApiError {
  return Object.assign(errors.database_unavailable({ seconds: RETRY_SECONDS }), { why, cause })
}

export function overloaded(cause?: unknown): ApiError {
  return Object.assign(errors.overloaded({ seconds: RETRY_SECONDS }), { cause })
}

export function isUnavailable(fault: unknown) {
  return (fault as Partial<ApiError> | null | undefined)?.reason === 'database_unavailable'
}
