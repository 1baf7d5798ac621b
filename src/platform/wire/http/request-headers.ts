/** Headers with credentials of programs. */
export const CREDENTIAL_HEADERS = [
  'Authorization',
  ...['X-Tracker', 'X-Bugzilla'].flatMap((prefix) =>
    ['API-Key', 'Token', 'Login', 'Password'].map((name) => `${prefix}-${name}`),
  ),
] as const

/**
 * The header that our own pages send. A page of another origin can send it only if a preflight allows it, and ours never does: so it must
 * not be in {@link ALLOWED_BY_PREFLIGHT}.
 */
export const PAGE_HEADER = 'X-Lacewing-Page'

/** What decides whether the cookie is accepted. */
const ORIGIN_HEADERS = ['Cookie', 'Sec-Fetch-Site', 'Origin', PAGE_HEADER]

/** Everything that a response of the REST API depends on, besides its address. */
export const VARY = ['Accept', 'Accept-Encoding', ...ORIGIN_HEADERS, ...CREDENTIAL_HEADERS].join(', ')

/** The headers that pages of other origins may send. */
export const ALLOWED_BY_PREFLIGHT = [
  'Origin',
  'Content-Type',
  'Accept',
  'X-Requested-With',
  'If-Match',
  'If-None-Match',
  'Idempotency-Key',
  ...CREDENTIAL_HEADERS,
]
  .join(', ')
  .toLowerCase()
