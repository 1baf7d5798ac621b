import { release } from '../config/release.ts'
import { type ApiError, errors } from '../errors.ts'

const RETRY_SECONDS = 60

/** Whether `one` is an earlier release than `other`, such as 6.9.0 before 6.10.0. */
export function isOlder(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => text.split('.').map((part) => Number.parseInt(part, 10) || 0))
  for (const index of [0, 1, 2]) {
    const difference = (left?.[index] ?? 0) - (right?.[index] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return false
}

/** The error of a server that is older than what may write; undefined for others. `why` is for /ready. */
export function outdatedServer(oldestWriter: string): ApiError | undefined {
  // The usual case, without parsing: every request comes here.
  if (oldestWriter === release || !isOlder(release, oldestWriter)) return undefined
  const why = `the database was migrated for release ${oldestWriter}, and this server is ${release}`
  return Object.assign(errors.outdated_server({ release, oldest: oldestWriter, seconds: RETRY_SECONDS }), { why })
}
