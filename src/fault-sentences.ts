import { WrongSetting } from './platform/config/config.ts'
import { NewerDatabase } from './platform/database/migrations/migrate.ts'
import { isPostgres } from './platform/database/open-database.ts'
import { type PostgresFault, reasonOfPostgres } from './platform/database/postgres/postgres-sentences.ts'
import { isUnavailable } from './platform/database/unavailable.ts'
import { ApiError } from './platform/errors.ts'
import { Refusal } from './platform/refusal.ts'
import { withoutPassword } from './prepare.ts'

type Fault = PostgresFault & { port?: number; address?: string; syscall?: string; path?: string }

/** One readable sentence for the operator; the stack only of unexpected errors. */
export function messageFor(fault: Error, databaseUrl: string): string {
  return sentenceFor(causeOf(fault), databaseUrl) ?? fault.stack ?? String(fault)
}

/** A name that stays: that of the error of the REST API if it is one or comes from one, else that of a reason why a server cannot run. */
export function reasonOf(fault: unknown): string | undefined {
  if (fault instanceof ApiError || fault instanceof Refusal) return fault.reason
  if (fault instanceof WrongSetting) return 'wrong_setting'
  if (fault instanceof NewerDatabase) return 'newer_database'
  return REASONS_OF_CODES.get((fault as Fault).code ?? '')
}

const REASONS_OF_CODES: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'port_in_use'],
  ['ENOSPC', 'disk_full'],
])

/** Why the database cannot be used. Clients do not get this reason. */
function causeOf(fault: Error): Fault {
  const isOfDatabase = isUnavailable(fault) || (fault as Partial<ApiError>).reason === 'overloaded'
  return isOfDatabase && fault.cause instanceof Error ? fault.cause : fault
}

function sentenceFor(fault: Fault, databaseUrl: string): string | undefined {
  if (fault instanceof WrongSetting || fault instanceof NewerDatabase || fault instanceof Refusal) return fault.message
  if (fault.code === 'EADDRINUSE')
    return `The port ${fault.port} is in use by another program: choose another port with LACEWING_PORT.`
  if (fault.code === 'EACCES' && fault.syscall === 'listen')
    return `Listening on port ${fault.port} is not permitted: choose a port above 1024 with LACEWING_PORT.`
  if (fault.code === 'EADDRNOTAVAIL')
    return `LACEWING_HOST is ${fault.address}, which is not an address of this machine.`
  if (isPostgres(databaseUrl) && !isListening(fault)) {
    const reason = reasonOfPostgres(fault, databaseUrl)
    if (reason !== undefined) return `The database ${withoutPassword(databaseUrl)} cannot be used: ${reason}.`
  }
  if (fault.code === 'ENOTFOUND' && fault.syscall === 'getaddrinfo')
    return 'The host name in LACEWING_HOST or LACEWING_DATABASE_URL cannot be resolved.'
  if (fault.code === 'ENOSPC') return `The disk is full: ${fault.message}.`
  const reason = REASONS.get(fault.code ?? '')
  if (reason !== undefined && fault.path !== undefined) return `${fault.path} cannot be used: ${reason}.`
  if (isDatabaseFault(fault))
    return `The database ${withoutPassword(databaseUrl)} cannot be used: ${fault.message || fault.code}.`
  return undefined
}

/** PostgreSQL is looked up with the same functions as the address to listen on. */
function isListening({ code, syscall, address }: Fault) {
  return syscall === 'listen' || (code === 'EACCES' && address !== undefined)
}

/** Why a file or a folder cannot be used, by the code of the system. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'its folder does not exist, or the file does not'],
  ['ENOTDIR', 'a part of its path is not a folder'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'permission is denied'],
  ['EPERM', 'permission is denied'],
  ['EROFS', 'it is on a file system that is read only'],
])

/** PostgreSQL's error classes for a refused connection or login, and the system's for an unreachable server. */
function isDatabaseFault(fault: Fault) {
  return (
    /^(28|3D|08|57P)/.test(fault.code ?? '') ||
    ['ECONNREFUSED', 'ETIMEDOUT', 'EHOSTUNREACH', 'ERR_SQLITE_ERROR'].includes(fault.code ?? '')
  )
}
