/**
 * Masks what looks like a credential in client input: a key that a client has appended to another parameter must not be
 * repeated in a message or a log.
 */
export function masked(text: string): string {
  return text
    .replace(NAMED, (_, name: string) => `${name}…`)
    .replace(JSON_WEB_TOKEN, '…')
    .replace(WORDS, (word) => (isRandom(word) ? '…' : word))
}

/** The value after a name of a secret: `api_key=…`, `"token": "…"`, `X-TRACKER-API-KEY: …`, `Bearer …`. */
const NAMED =
  /((?:(?:api[ _-]?key|token|password|passwd|totp|email_code|secret|signature|authorization)(?:\\?["'])?\s*(?:=|:|%3d|%3a)\s*(?:\\?["'])?(?:bearer\s+)?|\bbearer\s+(?=\S{8})))[^\s"'&;,“”…]+/gi

/** A JSON Web Token, or one of its first two parts: these begin with `{"` in base64. */
const JSON_WEB_TOKEN = /(?<![A-Za-z_-])eyJ[A-Za-z0-9_-]{9,}(?:\.[A-Za-z0-9_-]+){0,2}/g

/** Shorter words are too short to be a secret. */
const WORDS = /[A-Za-z0-9_-]{20,}/g

/** In random words upper case, lower case and digits alternate often; in names and natural language they do not. */
function isRandom(word: string): boolean {
  if (UUID.test(word)) return false
  if (HEXADECIMAL.test(word)) return true
  const kinds = [...word].filter((char) => char !== '_' && char !== '-').map(kindOf)
  const changes = kinds.filter((kind, index) => index > 0 && kind !== kinds[index - 1]).length
  return changes * (kinds.includes('digit') ? 4 : 3) >= kinds.length
}

/** The id of an internal error in the log. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const HEXADECIMAL = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{32,}$/i

function kindOf(char: string) {
  if (char <= '9') return 'digit'
  return char <= 'Z' ? 'upper' : 'lower'
}

/** Shorter texts are no secrets, and would be found in every message. */
const SHORTEST_SECRET = 6

/** The same message without these secrets, also where one is cut off at an ellipsis. */
export function maskedOf(message: string, secrets: readonly string[]): string {
  const long = secrets.filter((secret) => secret.length >= SHORTEST_SECRET)
  const forms = new Set(long.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]))
  return [...forms].reduce((text, secret) => withoutBeginning(text.replaceAll(secret, '…'), secret), message)
}

function withoutBeginning(text: string, secret: string): string {
  const [first = '', ...others] = text.split('…')
  return others.reduce((before, after) => `${withoutEnd(before, secret)}…${after}`, first)
}

/** The text without the longest beginning of the secret that it ends with. */
function withoutEnd(text: string, secret: string): string {
  for (let length = Math.min(secret.length, text.length); length >= SHORTEST_SECRET; length--)
    if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length)
  return text
}
