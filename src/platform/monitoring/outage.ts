import { isUnavailable } from '../database/unavailable.ts'
import type { ApiError } from '../errors.ts'

/** Of files: no room, or none that can be written. */
const NOT_WRITABLE = new Set(['ENOSPC', 'EDQUOT', 'EROFS'])

/** Whether nothing can be stored at the moment, whatever it is: what was to be stored is not at fault. */
export function isOutage(fault: unknown): boolean {
  const { reason, code } = (fault ?? {}) as Partial<ApiError> & { code?: unknown }
  return isUnavailable(fault) || reason === 'files_unavailable' || NOT_WRITABLE.has(String(code))
}

/** For the log: what is behind an error that clients get a plainer sentence for. */
export function reasonOf(fault: unknown): string {
  return String((fault as { cause?: unknown } | undefined)?.cause ?? fault)
}
