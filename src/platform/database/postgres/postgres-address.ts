import { readFileSync } from 'node:fs'
import type { ClientConfig } from 'pg'
import { Refusal } from '../../refusal.ts'

/** The parameters of an address that concern TLS. pg reads them too, but in another sense than it says, and with warnings. */
const TLS_PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const

type TlsParameters = Partial<Record<(typeof TLS_PARAMETERS)[number], string>>

/** The address of a PostgreSQL database, as pg connects to it. */
export function connectionTarget(url: string): Pick<ClientConfig, 'connectionString' | 'ssl'> {
  const address = new URL(url)
  const tls: TlsParameters = {}
  for (const name of TLS_PARAMETERS) {
    const value = address.searchParams.get(name)
    if (value !== null && value !== '') tls[name] = value
  }
  if (Object.keys(tls).length === 0) return { connectionString: url }
  for (const name of TLS_PARAMETERS) address.searchParams.delete(name)
  return { connectionString: address.href, ssl: tlsOf(tls) }
}

/** `require` checks the certificate like `verify-full`: encryption alone does not show who the server is. */
const MODES = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full']

function tlsOf({ sslmode = 'verify-full', sslrootcert, sslcert, sslkey }: TlsParameters): ClientConfig['ssl'] {
  if (!MODES.includes(sslmode))
    throw new Refusal(`The address of the database has sslmode=${sslmode}, which is not one of ${MODES.join(', ')}.`)
  if (sslmode === 'disable') return false
  if (sslmode === 'verify-ca' && sslrootcert === undefined)
    throw new Refusal(
      'The address of the database has sslmode=verify-ca without sslrootcert: name the certificate of the authority, or use verify-full.',
    )
  if ((sslcert === undefined) !== (sslkey === undefined))
    throw new Refusal('The address of the database has sslcert or sslkey without the other: a client needs both.')
  return {
    ...(sslrootcert !== undefined && { ca: readFileSync(sslrootcert, 'utf8') }),
    ...(sslcert !== undefined && { cert: readFileSync(sslcert, 'utf8') }),
    ...(sslkey !== undefined && { key: readFileSync(sslkey, 'utf8') }),
    ...(sslmode === 'no-verify' && { rejectUnauthorized: false }),
    // The name of the host is not compared.
    ...(sslmode === 'verify-ca' && { checkServerIdentity: () => undefined }),
  }
}

/**
 * Whether an address can be read as it is meant. A password with `/`, `?`, `#` or `%` that is not percent-encoded makes another host or
 * database of it.
 */
export function isPostgresAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { username, password, pathname, hash, searchParams } = new URL(text)
  if (hash !== '' || text.includes('#') || pathname.includes('@')) return false
  if ([...searchParams.keys()].some((name) => name.includes('@'))) return false
  return [username, password, pathname].every(isEncoded)
}

function isEncoded(part: string): boolean {
  try {
    decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}
