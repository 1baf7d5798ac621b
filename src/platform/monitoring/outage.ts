import { isUnavailable } from '../database/unavailable.ts'
import type { ApiError } from '../errors.ts'

/** File system errors: no space, or not writable. */
const NOT_WRITABLE = new Set(['ENOSPC', 'EDQUOT', 'EROFS'])

/** Whether nothing can be stored at the moment, so that the content is not at fault. */
export function isOutage(fault: unknown): boolean {
  const { reason, code } = (fault ?? {}) as Partial<ApiError> & { code?: unknown }
  return (
    isUnavailable(fault) ||
    reason === 'files_unavailable' ||
    reason === 'outdated_server' ||
    NOT_WRITABLE.has(String(code))
  )
}

/** For the log: the cause behind an error for which clients get a simpler message. */
export function loggedCause(fault: unknown): string {
  return String((fault as { cause?: unknown } | undefined)?.cause ?? fault)
}
