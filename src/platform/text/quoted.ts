/** Characters that JSON does not escape. */
const PLAIN = /^[ !#-[\]-\ud7ff]*$/

/** A text as JSON. For short texts this check is faster than JSON.stringify. */
export function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)
}
