import { kind } from './kind.ts'
import { quoted, shortened } from './shown.ts'

/** 32000 and up: the call itself. */
export const callErrors = {
  unreadable_body: kind(32000, (it: { why: string }) => `The body cannot be parsed: ${it.why}.`),
  body_over_limits: kind(32000, (it: { why: string }) => `The body cannot be parsed: ${it.why}.`),
  delivery_not_authentic: kind(
    32000,
    () => 'There is no such source of code, or the delivery does not prove that it comes from it.',
    { status: 401 },
  ),
  delivery_repeated: kind(32000, () => 'This delivery was taken before.', { status: 409 }),
  source_busy: kind(
    32000,
    (it: { seconds: number }) =>
      `Too many deliveries of this source wait to be applied: try again in ${it.seconds} seconds.`,
    { status: 503, headers: retryAfter },
  ),
  key_used_otherwise: kind(
    32000,
    () => 'This Idempotency-Key was already used for a different request: use a new one.',
    { status: 422 },
  ),
  bad_address: kind(32000, () => 'The URL of the request cannot be parsed: it contains an invalid percent encoding.'),
  body_too_large: kind(
    32000,
    (it: { limit: number }) => `The body is too large: it must have at most ${it.limit} bytes.`,
    { status: 413 },
  ),
  address_too_long: kind(
    32000,
    (it: { limit: number }) => `The URL is too long: it must have at most ${it.limit} characters.`,
    { status: 414 },
  ),
  headers_too_large: kind(32000, () => 'The headers of the request are too large.', { status: 431 }),
  too_slow: kind(32000, () => 'The request took too long to arrive.', { status: 408 }),
  host_required: kind(32000, () => 'The request has no header Host, which HTTP/1.1 requires.'),
  unreadable_request: kind(32000, () => 'The request cannot be parsed: it is not valid HTTP.'),
  too_many_requests: kind(
    32000,
    (it: { seconds: number }) => `You sent too many requests: try again in ${it.seconds} seconds.`,
    { status: 429 },
  ),
  too_many_listeners: kind(
    32000,
    (it: { most: number; seconds: number }) =>
      `You have too many listeners: at most ${it.most} are allowed at once. End one of them, or try again in ${it.seconds} seconds.`,
    { status: 429 },
  ),
  overloaded: kind(32000, (it: { seconds: number }) => `The server is too busy: try again in ${it.seconds} seconds.`, {
    status: 503,
    headers: retryAfter,
  }),
  responses_unread: kind(
    32000,
    (it: { seconds: number }) =>
      `Too many responses wait to be read: read those that you requested before, or try again in ${it.seconds} seconds.`,
    { status: 503, headers: retryAfter },
  ),
  files_unavailable: kind(
    32000,
    (it: { seconds: number }) => `The file cannot be stored at the moment: try again in ${it.seconds} seconds.`,
    { status: 503, headers: retryAfter },
  ),
  file_unreadable: kind(
    32000,
    (it: { seconds: number }) =>
      `The content of the attachment cannot be read at the moment: try again in ${it.seconds} seconds.`,
    { status: 503, headers: retryAfter },
  ),
  database_unavailable: kind(
    32000,
    (it: { seconds: number }) => `The database cannot be used at the moment: try again in ${it.seconds} seconds.`,
    { status: 503, headers: retryAfter },
  ),
  outdated_server: kind(
    32000,
    (it: { release: string; oldest: string; seconds: number }) =>
      `A newer release has migrated the database: this server (${it.release}) only reads, and release ${it.oldest} or newer may write.`,
    { status: 503, headers: retryAfter },
  ),
  client_left: kind(32000, () => 'The client closed the connection before it was answered.', { status: 499 }),
  unknown_parameter: kind(
    32601,
    (it: { name: string; known: string }) =>
      `There is no parameter ${quoted(it.name)} here. The parameters are: ${it.known}.`,
    { about: { parameterIn: 'name' } },
  ),
  bad_callback: kind(
    32611,
    () => 'callback may contain only letters, digits and the characters _ . [ ], and at most 128 characters.',
    { about: { parameter: 'callback' } },
  ),
  not_json: kind(
    32613,
    () => 'A write needs the header Content-Type: application/json and a JSON object as its body.',
    { status: 415 },
  ),
  no_such_resource: kind(
    32614,
    (it: { method: string; path: string }) =>
      `There is no call ${it.method} ${shortened(it.path)}. See /rest/docs for all calls.`,
  ),
  wrong_method: kind(
    32614,
    (it: { method: string; allowed: string }) => `${it.method} is not allowed here, only ${it.allowed}.`,
    { status: 405 },
  ),
  bug_deletion_off: kind(32614, () => 'DELETE is allowed here only while the parameter allowbugdeletion is on.', {
    status: 405,
    headers: () => ({ Allow: 'GET, PUT, HEAD, OPTIONS' }),
  }),
  internal: kind(
    100500,
    (it: { id: string }) => `An internal error occurred. The administrator finds it in the log under ${it.id}.`,
    { status: 500 },
  ),
  not_ready: kind(100500, (it: { why: string; seconds: number }) => `The tracker is not ready: ${it.why}.`, {
    status: 503,
    headers: retryAfter,
  }),
  too_many_parameters: kind(32000, (it: { most: number }) => `The query string has more than ${it.most} parameters.`),
}

function retryAfter({ seconds }: { seconds: number }) {
  return { 'Retry-After': String(seconds) }
}
