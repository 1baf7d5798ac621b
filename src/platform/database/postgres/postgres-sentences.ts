export type PostgresFault = Error & { code?: string; hostname?: string; syscall?: string }

/** Why PostgreSQL cannot be used, and what to do, as the end of a sentence; undefined if the fault is not one of these. */
export function reasonOfPostgres(fault: PostgresFault, url: string): string | undefined {
  const { username, pathname, searchParams } = new URL(url)
  const user = searchParams.get('user') ?? decodeURIComponent(username)
  const named: Named = {
    user,
    database: decodeURIComponent(pathname.slice(1)),
    mode: searchParams.get('sslmode') ?? '',
  }
  const { code = '', message } = fault
  const known = KNOWN.find(({ when }) => (typeof when === 'string' ? code === when : when.test(`${code} ${message}`)))
  return known?.reason(named, oneLine(fault))
}

interface Named {
  user: string
  database: string
  mode: string
}

interface Known {
  /** A code of PostgreSQL or of the system, or a pattern for code and message. */
  when: string | RegExp
  reason(named: Named, message: string): string
}

/** In this order: the first that fits. */
const KNOWN: readonly Known[] = [
  {
    when: /does not support SSL connections/,
    reason: ({ mode }) =>
      `it has no TLS, but the address asks for it (sslmode=${mode}): switch TLS on in PostgreSQL, or set sslmode=disable`,
  },
  {
    when: /^28000 .*(no pg_hba\.conf entry|pg_hba\.conf rejects).*no encryption/,
    reason: (_, message) =>
      `it refuses connections without TLS (${message}): add ?sslmode=verify-full to the address, or allow this in pg_hba.conf`,
  },
  {
    when: /^28000 .*(no pg_hba\.conf entry|pg_hba\.conf rejects)/,
    reason: (_, message) => `it refuses connections from here (${message}): allow them in pg_hba.conf`,
  },
  {
    when: /^28000 .*client certificate|certificate required|handshake failure/i,
    reason: (_, message) => `it wants a certificate (${message}): add sslcert and sslkey to the address`,
  },
  {
    when: /^28000 .*role/,
    reason: ({ user }) => `it has no user ${user}: create it with createuser --pwprompt ${user}`,
  },
  {
    when: '28P01',
    reason: ({ user }) =>
      `it refuses the password of the user ${user}: correct it in the address, with special characters percent-encoded, such as %23 for #`,
  },
  {
    when: /password must be a string/,
    reason: ({ user }) => `it wants a password for the user ${user}, and the address has none`,
  },
  { when: /^28/, reason: (_, message) => `it refuses the login (${message})` },
  {
    when: '3D000',
    reason: ({ user, database }) =>
      `it does not exist: create it with createdb --owner=${user} --encoding=UTF8 --template=template0 ${database}`,
  },
  {
    when: /^42501 .*extension/,
    reason: ({ user, database }) =>
      `the user ${user} may not install the extension pg_trgm in it: make it the owner with alter database "${database}" owner to "${user}"`,
  },
  {
    when: '42501',
    reason: ({ user, database }, message) =>
      `the user ${user} may not create or change tables in it (${message}): make it the owner with alter database "${database}" owner to "${user}"`,
  },
  {
    when: '53300',
    reason: (_, message) => `it has no connection left (${message}): raise max_connections, or close other connections`,
  },
  {
    when: /^58P01 .*extension/,
    reason: () => 'PostgreSQL has no extension pg_trgm: install the package postgresql-contrib',
  },
  {
    when: /^(0A000|58P01) .*pg_trgm/,
    reason: () => 'PostgreSQL has no extension pg_trgm: install the package postgresql-contrib',
  },
  {
    when: 'ERR_TLS_CERT_ALTNAME_INVALID',
    reason: (_, message) =>
      `its certificate is for another host (${message}): use that name in the address, or sslmode=verify-ca`,
  },
  { when: 'CERT_HAS_EXPIRED', reason: () => 'its certificate has expired: renew it' },
  {
    when: /^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_(VERIFY|GET))/,
    reason: (_, message) =>
      `its certificate is not of a known authority (${message}): name that authority's certificate with sslrootcert, or encrypt without a check with sslmode=no-verify`,
  },
  {
    when: /^ERR_(SSL|OSSL|TLS)/,
    reason: (_, message) => `TLS failed (${message}): check sslmode, sslrootcert, sslcert and sslkey`,
  },
  {
    when: /^(ENOTFOUND|EAI_AGAIN) /,
    reason: (_, message) => `the host name is unknown (${message}): correct it in LACEWING_DATABASE_URL`,
  },
  {
    when: /^(ECONNREFUSED|ENOENT) .*connect|^ECONNREFUSED/,
    reason: (_, message) => `nothing listens there (${message}): start PostgreSQL, or correct host and port`,
  },
  {
    when: /timeout|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/,
    reason: (_, message) => `it does not respond (${message}): check host, port and firewall`,
  },
  { when: /^57P03 /, reason: (_, message) => `it is not ready (${message})` },
]

/** The messages of pg end without a full stop; those of several addresses have none. */
function oneLine({ message, code = '' }: PostgresFault) {
  return (message || code).replaceAll(/\s+/g, ' ').replace(/\.$/, '')
}
