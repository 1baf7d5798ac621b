import { linesOf } from './clean-text.ts'

/** One line of CSV with its end, as the server writes them: a value in which a spreadsheet would see a formula gets an apostrophe in front. */
export function csvLine(values: readonly string[]): string {
  return `${values.map((value) => `"${harmless(value).replaceAll('"', '""')}"`).join(',')}\r\n`
}

const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u
/** Numbers below zero are no formulas. */
const NUMBER = /^-?\d+(?:\.\d+)?$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they would steer the terminal that shows the file.
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

function harmless(text: string) {
  const clean = linesOf(text).join('\n').replaceAll(CONTROLS, '\ufffd')
  return FORMULA.test(clean) && !NUMBER.test(clean) ? `'${clean}` : clean
}
