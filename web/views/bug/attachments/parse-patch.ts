// Reads unified diffs, as diff, git, hg and svn write them.

export interface DiffLine {
  kind: 'add' | 'del' | 'same' | 'hunk'
  text: string
  /** The number of the line in the old and in the new file. */
  before?: number
  after?: number
  /** The line on the other side of a change. */
  pair?: string
}

export interface DiffFile {
  name: string
  lines: DiffLine[]
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/** Nothing for a text that is not a patch. What stands between the files is left out. */
export function parsePatch(text: string): DiffFile[] {
  const files: DiffFile[] = []
  let [before, after, leftBefore, leftAfter] = [0, 0, 0, 0]
  let old = ''
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    const file = files.at(-1)
    if (leftBefore > 0 || leftAfter > 0) {
      if (file === undefined) continue
      const sign = line[0] ?? ' '
      if (sign === '\\') continue
      const kind = sign === '+' ? 'add' : sign === '-' ? 'del' : 'same'
      const own: DiffLine = { kind, text: line.slice(1) }
      if (kind !== 'add') own.before = before++
      if (kind !== 'del') own.after = after++
      leftBefore -= kind === 'add' ? 0 : 1
      leftAfter -= kind === 'del' ? 0 : 1
      file.lines.push(own)
    } else if (line.startsWith('--- ')) old = pathIn(line)
    else if (line.startsWith('+++ ')) {
      const name = pathIn(line)
      files.push({ name: name === '/dev/null' ? `${old} (deleted)` : name, lines: [] })
    } else {
      const hunk = HUNK.exec(line)
      if (hunk === null || file === undefined) continue
      before = Number(hunk[1])
      after = Number(hunk[3])
      leftBefore = Number(hunk[2] ?? 1)
      leftAfter = Number(hunk[4] ?? 1)
      file.lines.push({ kind: 'hunk', text: line })
    }
  }
  for (const { lines } of files) pairLines(lines)
  return files.filter(({ lines }) => lines.length > 0)
}

function pathIn(line: string) {
  return line
    .slice(4)
    .split('\t')[0]
    ?.replace(/^[ab]\//, '')
    .trim() as string
}

/** Removed lines and the added ones that follow them belong together, one by one. */
function pairLines(lines: readonly DiffLine[]) {
  for (let start = 0; start < lines.length; start++) {
    if (lines[start]?.kind !== 'del') continue
    let middle = start
    while (lines[middle]?.kind === 'del') middle++
    let end = middle
    while (lines[end]?.kind === 'add') end++
    for (let place = 0; place < Math.min(middle - start, end - middle); place++) {
      const [one, other] = [lines[start + place], lines[middle + place]]
      if (one === undefined || other === undefined) continue
      one.pair = other.text
      other.pair = one.text
    }
    start = Math.max(start, end - 1)
  }
}

/** What is the same at the beginning, what differs, and what is the same at the end. */
export function splitWords({ text, pair }: DiffLine): [string, string, string] {
  if (pair === undefined) return [text, '', '']
  const shortest = Math.min(text.length, pair.length)
  let from = 0
  while (from < shortest && text[from] === pair[from]) from++
  let end = 0
  while (end < shortest - from && text[text.length - 1 - end] === pair[pair.length - 1 - end]) end++
  const changed = text.slice(from, text.length - end)
  // Lines that share next to nothing are shown as they are.
  return from + end < shortest / 4 ? [text, '', ''] : [text.slice(0, from), changed, text.slice(text.length - end)]
}

/** Removed and added lines beside each other. */
export function sideBySide(lines: readonly DiffLine[]): [DiffLine | undefined, DiffLine | undefined][] {
  const rows: [DiffLine | undefined, DiffLine | undefined][] = []
  let [removed, added]: [DiffLine[], DiffLine[]] = [[], []]
  const flush = () => {
    for (let place = 0; place < Math.max(removed.length, added.length); place++)
      rows.push([removed[place], added[place]])
    removed = []
    added = []
  }
  for (const line of lines) {
    if (line.kind === 'del') {
      if (added.length > 0) flush()
      removed.push(line)
    } else if (line.kind === 'add') added.push(line)
    else {
      flush()
      rows.push([line, line.kind === 'hunk' ? undefined : line])
    }
  }
  flush()
  return rows
}
