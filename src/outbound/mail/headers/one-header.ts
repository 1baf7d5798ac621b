/** Longer ones are cut, so that no header can break the limit that mail servers have for a line. */
const LONGEST = 900

/**
 * A text as it can stand in a header: one line without control characters. Whatever somebody wrote into a summary, a name or a keyword,
 * it begins no header of its own.
 */
export function headerText(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1).toWellFormed()}…`
}

/** An address that can stand alone in a header and in the talk with a mail server; undefined for what is none. */
export function mailAddress(text: string): string | undefined {
  return /^[^\s@<>()[\],;:"\\\p{Cc}]+@[^\s@<>()[\],;:"\\\p{Cc}]+$/u.test(text) && text.length <= LONGEST_ADDRESS
    ? text
    : undefined
}

const LONGEST_ADDRESS = 254
