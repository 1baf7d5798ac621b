// Where the rows and the headings of groups stand, in pixels from the top, without drawing them.

export interface RowGroup {
  value: string
  count: number
}

export interface Measures {
  row: number
  heading: number
}

/** A heading with the rows below it; a list without groups is one section without a heading. */
export interface GroupSection {
  group: RowGroup | undefined
  /** The row that is its first. */
  firstRow: number
  /** How many of its rows are shown: none while it is folded. */
  shown: number
  isFolded: boolean
  top: number
  bottom: number
}

export type TableLine = { kind: 'heading'; section: GroupSection } | { kind: 'row'; row: number }

export class TableLayout {
  readonly sections: readonly GroupSection[]
  readonly height: number
  readonly rows: number
  private readonly measures: Measures

  constructor(total: number, groups: readonly RowGroup[] | undefined, folded: ReadonlySet<string>, measures: Measures) {
    this.measures = measures
    const sections: GroupSection[] = []
    let [top, firstRow] = [0, 0]
    const add = (group: RowGroup | undefined, count: number) => {
      const isFolded = group !== undefined && folded.has(group.value)
      const shown = isFolded ? 0 : count
      const bottom = top + (group === undefined ? 0 : measures.heading) + shown * measures.row
      sections.push({ group, firstRow, shown, isFolded, top, bottom })
      top = bottom
      firstRow += count
    }
    if (groups === undefined) add(undefined, total)
    else for (const group of groups) add(group, group.count)
    this.sections = sections
    this.height = top
    this.rows = firstRow
  }

  /** The section at a height, or the last one above it. */
  sectionAt(y: number): GroupSection | undefined {
    let [low, high] = [0, this.sections.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((this.sections[middle] as GroupSection).top <= y) low = middle
      else high = middle - 1
    }
    return this.sections[low]
  }

  private headingOf(section: GroupSection) {
    return section.group === undefined ? 0 : this.measures.heading
  }

  topOf(row: number): number {
    const section = this.sectionOf(row)
    if (section === undefined) return 0
    return section.top + this.headingOf(section) + (row - section.firstRow) * this.measures.row
  }

  sectionOf(row: number): GroupSection | undefined {
    return this.sections.findLast(({ firstRow }) => firstRow <= row)
  }

  /** The next row that is not in a folded group, in the direction of the step. */
  next(row: number, step: 1 | -1): number {
    for (let to = row + step; to >= 0 && to < this.rows; to += step) {
      const section = this.sectionOf(to)
      if (section === undefined || !section.isFolded) return to
      to = step > 0 ? section.firstRow + (section.group?.count ?? 1) - 1 : section.firstRow
    }
    return row
  }

  /** The lines between two heights, and the height at which the first of them begins. */
  between(from: number, to: number): { top: number; lines: TableLine[] } {
    const lines: TableLine[] = []
    let top: number | undefined
    for (const section of this.sections) {
      if (section.bottom <= from && section !== this.sections.at(-1)) continue
      if (section.top > to) break
      const heading = this.headingOf(section)
      const rowsTop = section.top + heading
      const first = Math.max(0, Math.floor((from - rowsTop) / this.measures.row))
      const last = Math.min(section.shown, Math.ceil((to - rowsTop) / this.measures.row))
      // The heading stays in sight while its rows are read, so it is always the first line of its section.
      top ??= first > 0 ? rowsTop + first * this.measures.row - heading : section.top
      if (section.group !== undefined) lines.push({ kind: 'heading', section })
      for (let row = first; row < last; row++) lines.push({ kind: 'row', row: section.firstRow + row })
    }
    return { top: top ?? 0, lines }
  }
}
