/** Longer texts are truncated, so that no header breaks the line limit of mail servers. */
const LONGEST = 900

/**
 * The text as it can be used in a header: one line without control characters, so that a summary, a name or a keyword
 * cannot start another header.
 */
export function headerText(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1).toWellFormed()}…`
}

/** The same without characters that turn the direction of text, for names in front of an address. */
export function withoutTurns(text: string): string {
  return headerText(text.replace(/\p{Bidi_Control}/gu, ''))
}

/** An address that is safe in a header and in SMTP commands; undefined for other text. */
export function mailAddress(text: string): string | undefined {
  return /^[^\s@<>()[\],;:"\\\p{Cc}]+@[^\s@<>()[\],;:"\\\p{Cc}]+$/u.test(text) && text.length <= LONGEST_ADDRESS
    ? text
    : undefined
}

const LONGEST_ADDRESS = 254
