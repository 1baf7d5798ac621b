/**
 * A text as a cell of CSV, always in quotes: in some languages a spreadsheet takes a semicolon for the end of a cell. It also takes text that
 * begins like a formula, also after spaces, for one and evaluates it on the reader's machine. An apostrophe in front makes it text.
 */
export function csvText(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text
  return `"${harmless.replaceAll('"', '""')}"`
}

const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u
