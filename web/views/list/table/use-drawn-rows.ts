import { useEffect, useRef, useState } from 'preact/hooks'
import { drawNext } from '../../../core/portions.ts'
import { isPrinting } from '../../../core/printing.ts'
import type { TableLine } from './layout.ts'
import type { Rows } from './rows.ts'

/** So many rows are drawn between two pictures: each takes one to two milliseconds. */
const PORTION = 6

/**
 * The rows that are drawn with their bugs. The first ones of a list come all at once. Those that one scrolls to, or that arrive later,
 * come in portions, from the middle of what is seen; until then, such a row looks like one that is not loaded.
 */
export function useDrawnRows(rows: Rows, lines: readonly TableLine[]): ReadonlySet<number> {
  const last = useRef<{ rows: Rows; drawn: ReadonlySet<number> }>(undefined)
  const isTurn = useRef(false)
  const [, setTurn] = useState(0)
  const loaded = lines.flatMap((line) => (line.kind === 'row' && rows.at(line.row) !== undefined ? [line.row] : []))
  const before = last.current?.rows === rows && !isPrinting.value ? last.current.drawn : undefined
  const drawn = before === undefined ? new Set(loaded) : withMore(before, loaded, isTurn.current ? PORTION : 0)
  isTurn.current = false
  if (drawn.size > 0) last.current = { rows, drawn }
  useEffect(() => {
    if (drawn.size === loaded.length) return
    return drawNext(() => {
      isTurn.current = true
      setTurn((turn) => turn + 1)
    })
  })
  return drawn
}

function withMore(before: ReadonlySet<number>, loaded: readonly number[], most: number): ReadonlySet<number> {
  const drawn = new Set(loaded.filter((row) => before.has(row)))
  const middle = ((loaded[0] ?? 0) + (loaded.at(-1) ?? 0)) / 2
  const missing = loaded.filter((row) => !before.has(row))
  const nearest = missing.sort((one, other) => Math.abs(one - middle) - Math.abs(other - middle))
  for (const row of nearest.slice(0, most)) drawn.add(row)
  return drawn
}
