/** Columns side by side, within the line length of a mail. */
const WIDTHS = { what: 20, removed: 28, added: 28 }

interface Row {
  what: string
  removed: string
  added: string
}

/** The changes as a table of three columns. */
export function changeTable(rows: readonly Row[]): string {
  const rule = '-'.repeat(WIDTHS.what + WIDTHS.removed + WIDTHS.added + 2)
  return [tableRow({ what: 'What', removed: 'Removed', added: 'Added' }), rule, ...rows.map(tableRow)].join('\n')
}

function tableRow({ what, removed, added }: Row): string {
  const cells = [pieces(what, WIDTHS.what), pieces(removed, WIDTHS.removed), pieces(added, WIDTHS.added)]
  const height = Math.max(...cells.map((lines) => lines.length))
  const [names = [], before = [], after = []] = cells
  const line = (index: number) =>
    [(names[index] ?? '').padStart(WIDTHS.what), (before[index] ?? '').padEnd(WIDTHS.removed), after[index] ?? ''].join(
      '|',
    )
  return Array.from({ length: height }, (_, index) => line(index).trimEnd()).join('\n')
}

/** The fields of a new bug, one per line. */
export function factList(facts: readonly { label: string; value: string }[]): string {
  const width = Math.max(...facts.map(({ label }) => label.length))
  return facts.map(({ label, value }) => `${label.padStart(width)}: ${value.replace(/\s*\n\s*/g, ' ')}`).join('\n')
}

/** Splits the text into lines of at most `width` characters, between words where possible. */
function pieces(text: string, width: number): string[] {
  const lines: string[] = []
  for (const part of text.split('\n')) {
    let line = ''
    for (const word of part.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`
      if (longer.length <= width) {
        line = longer
        continue
      }
      if (line !== '') lines.push(line)
      const whole = [...word]
      while (whole.length > width) lines.push(whole.splice(0, width).join(''))
      line = whole.join('')
    }
    lines.push(line)
  }
  return lines
}
