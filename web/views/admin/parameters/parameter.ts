import type { Answer } from '../../../../client/call-types.ts'

export type Parameter = Answer<'GET /admin/parameters'>['parameters'][number]

const MONTH = 30 * 24 * 3_600_000

/** Whether its value is another one than the default. */
export function isAltered({ value, default: shipped }: Parameter) {
  return value !== shipped
}

export function isRecent({ last_change }: Parameter) {
  return last_change !== null && Date.parse(last_change.at) > Date.now() - MONTH
}

/** A value in words. */
export function inWords({ kind }: Parameter, value: string) {
  if (kind === 'switch') return value === '1' ? 'on' : 'off'
  return value === '' ? 'empty' : value
}

export function wordsIn(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean)
}

/** A text in pieces; every second one matches one of the words. */
export function piecesOf(text: string, words: readonly string[]): string[] {
  const pattern = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')
  return pattern === '' ? [text] : text.split(new RegExp(`(${pattern})`, 'i'))
}
