/**
 * Masks what looks like a credential in client input: a key that a client has appended to another parameter must not be
 * repeated in a message or a log.
 */
export function masked(text: string): string {
  return text.replace(NAMED, (_, name: string) => `${name}…`).replace(WORDS, (word) => (isRandom(word) ? '…' : word))
}

/** The value after a name of a secret: `api_key=…`, `"token": "…"`, `X-TRACKER-API-KEY: …`, `Bearer …`. */
const NAMED =
  /((?:(?:api[ _-]?key|token|password|passwd|secret|signature|authorization)(?:\\?["'])?\s*(?:=|:|%3d|%3a)\s*(?:\\?["'])?(?:bearer\s+)?|\bbearer\s+(?=\S{8})))[^\s"'&;,“”…]+/gi

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
