import { cleanLine } from './clean-text.ts'
import { type Line, type Style, styled } from './styled-line.ts'
import { fitted, padded, widthOf } from './text-width.ts'

export interface Cell {
  readonly text: string
  readonly style?: Style | undefined
}

const GAP = 2
const NARROWEST = 4

/** Numbers that lack digits are of no use. */
const WHOLE = 'id'

/** A table for a terminal, of its width. The widest columns lose what does not fit. */
export function tableLines(headings: readonly string[], rows: readonly (readonly Cell[])[], columns: number): Line[] {
  const clean = rows.map((row) =>
    row.map(({ text, style }) => ({ text: cleanLine(text.replaceAll('\t', ' ')), style })),
  )
  const natural = headings.map((heading, at) =>
    Math.max(widthOf(heading), ...clean.map((row) => Math.min(columns, widthOf((row[at]?.text ?? '').slice(0, 4096))))),
  )
  const fixed = headings.indexOf(WHOLE)
  const widths = narrowed(natural, columns - GAP * (headings.length - 1), fixed)
  const line = (cells: readonly Cell[]): Line =>
    cells.map(({ text, style }, at) => {
      const shown = fitted(text, widths[at] ?? 0)
      const isLast = at === cells.length - 1
      return styled(style, isLast ? shown : padded(shown, (widths[at] ?? 0) + GAP))
    })
  return [line(headings.map((text) => ({ text, style: 'bold' as const }))), ...clean.map(line)]
}

function narrowed(natural: readonly number[], columns: number, fixed: number): number[] {
  const widths = [...natural]
  for (let over = widths.reduce((sum, width) => sum + width, 0) - columns; over > 0; over--) {
    const most = Math.max(...widths.filter((_, at) => at !== fixed))
    if (most <= NARROWEST) break
    widths[widths.findIndex((width, at) => at !== fixed && width === most)] = most - 1
  }
  return widths
}

/** A row for other programs: nothing is shortened, and tabs are between the values. */
export function rowOf(texts: readonly string[]): string {
  return texts.map((text) => cleanLine(text.replaceAll(/\s+/g, ' ').trim())).join('\t')
}
