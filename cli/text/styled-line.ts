// Lines with colours as data. Only `rendered` writes escape sequences, and it cleans every text.
import { cleanLine } from './clean-text.ts'

const STYLES = {
  bold: '1',
  muted: '2',
  red: '31',
  green: '32',
  yellow: '33',
  blue: '34',
  cyan: '36',
} as const

export type Style = keyof typeof STYLES

export interface StyledText {
  readonly text: string
  readonly style: Style | undefined
}

export type Line = string | readonly (string | StyledText)[]

export function styled(style: Style | undefined, text: string): StyledText {
  return { text, style }
}

export function rendered(line: Line, hasColours: boolean): string {
  const parts = typeof line === 'string' ? [line] : line
  return parts
    .map((part) => {
      if (typeof part === 'string') return cleanLine(part)
      const text = cleanLine(part.text)
      return part.style && hasColours && text !== '' ? `\x1b[${STYLES[part.style]}m${text}\x1b[0m` : text
    })
    .join('')
}
