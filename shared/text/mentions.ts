import { piecesOf } from './text-pieces.ts'

/** How many people a comment mentions at most: further ones are text. */
export const MOST_MENTIONS = 20

/** The nicks that a comment mentions, each once and in lower case, as it is written. Code mentions nobody. */
export function mentionsIn(text: string, isMarkdown: boolean): string[] {
  if (!text.includes('@')) return []
  const nicks = new Set<string>()
  for (const line of isMarkdown ? linesOutsideCode(text) : text.split('\n')) {
    if (!line.includes('@')) continue
    for (const piece of piecesOf(line)) if (piece.kind === 'mention') nicks.add(piece.nick)
    if (nicks.size >= MOST_MENTIONS) break
  }
  return [...nicks].slice(0, MOST_MENTIONS)
}

/** Quick, so that a text that is written needs no parser. Text that is taken for code by mistake mentions nobody. */
function linesOutsideCode(text: string): string[] {
  const lines: string[] = []
  let fence: string | undefined
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(?:[>*-] {0,3}){0,9}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined
    } else if (mark !== undefined) fence = mark
    else lines.push(withoutCode(line))
  }
  return lines
}

/** Without what is between the same number of backticks. */
function withoutCode(line: string): string {
  if (!line.includes('`')) return line
  let kept = ''
  const parts = line.split(/(`+)/)
  for (let at = 0; at < parts.length; at += 2) {
    kept += parts[at] ?? ''
    const end = parts.indexOf(parts[at + 1] ?? '', at + 2)
    if (end >= 0 && end % 2 === 1) {
      kept += ' '
      at = end - 1
    }
  }
  return kept
}
