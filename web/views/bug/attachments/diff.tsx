// Patches as coloured diffs: unified, and side by side. Loaded when there is a patch.

import { useMemo, useState } from 'preact/hooks'
import { ScrollRegion } from '../../../parts/scroll-region.tsx'
import { type DiffFile, type DiffLine, parsePatch, sideBySide, splitWords } from './parse-patch.ts'

const MOST_LINES = 400

export function Diff({ text }: { text: string }) {
  const [isSplit, setSplit] = useState(false)
  const [isWhole, setWhole] = useState(false)
  const files = useMemo(() => parsePatch(text), [text])
  const lines = files.flatMap(({ lines: own }) => own)
  const added = lines.filter(({ kind }) => kind === 'add').length
  const removed = lines.filter(({ kind }) => kind === 'del').length
  if (files.length === 0) return <pre class="attachment-text">{text}</pre>
  return (
    <>
      <div class="attachment-foot diff-head">
        <span class="small nowrap">
          <span class="good">+{added}</span> <span class="danger">−{removed}</span>
        </span>
        <span class="align-end segmented only-wide">
          <button type="button" aria-pressed={!isSplit} onClick={() => setSplit(false)}>
            Unified
          </button>
          <button type="button" aria-pressed={isSplit} onClick={() => setSplit(true)}>
            Side by side
          </button>
        </span>
      </div>
      <ScrollRegion class="diff" label="Patch" onKeyDown={moveByHunk}>
        <table>
          <tbody>
            {shortened(files, isWhole).map((file, place) =>
              isSplit ? <SplitFile key={place} file={file} /> : <UnifiedFile key={place} file={file} />,
            )}
          </tbody>
        </table>
      </ScrollRegion>
      {!isWhole && lines.length > MOST_LINES && (
        <div class="attachment-foot">
          <button type="button" class="button button-quiet button-small" onClick={() => setWhole(true)}>
            Show all {lines.length.toLocaleString()} lines
          </button>
        </div>
      )}
    </>
  )
}

/** `n` and `p` lead to the next and the previous place that was changed. */
function moveByHunk(event: KeyboardEvent & { currentTarget: HTMLElement }) {
  if (event.key !== 'n' && event.key !== 'p') return
  const hunks = [...event.currentTarget.querySelectorAll('.diff-hunk')]
  const isBelow = (hunk: Element) => hunk.getBoundingClientRect().top > TOP_PIXELS + 1
  const isAbove = (hunk: Element) => hunk.getBoundingClientRect().top < TOP_PIXELS - 1
  const next = event.key === 'n' ? hunks.find(isBelow) : hunks.findLast(isAbove)
  if (next === undefined) return
  event.preventDefault()
  scrollBy({ top: next.getBoundingClientRect().top - TOP_PIXELS })
}

/** Below the top bar. */
const TOP_PIXELS = 56

function shortened(files: readonly DiffFile[], isWhole: boolean): DiffFile[] {
  let left = isWhole ? Number.POSITIVE_INFINITY : MOST_LINES
  return files.flatMap((file) => {
    if (left <= 0) return []
    const lines = file.lines.slice(0, left)
    left -= lines.length
    return [{ ...file, lines }]
  })
}

const SIGNS = { add: '+', del: '−', same: ' ', hunk: '' } as const

function UnifiedFile({ file }: { file: DiffFile }) {
  return (
    <>
      <tr class="diff-hunk">
        <td class="diff-number" />
        <td class="diff-number" />
        <td class="diff-sign" />
        <td>{file.name}</td>
      </tr>
      {file.lines.map((line, place) => (
        <tr key={place} class={line.kind === 'same' ? '' : `diff-${line.kind}`}>
          <td class="diff-number">{line.before}</td>
          <td class="diff-number">{line.after}</td>
          <td class="diff-sign">{SIGNS[line.kind]}</td>
          <td>
            <Words line={line} />
          </td>
        </tr>
      ))}
    </>
  )
}

/** The words that differ from the line on the other side are darker. */
function Words({ line }: { line: DiffLine }) {
  const [before, changed, after] = splitWords(line)
  if (changed === '') return <>{line.text}</>
  return (
    <>
      {before}
      {line.kind === 'add' ? <ins>{changed}</ins> : <del>{changed}</del>}
      {after}
    </>
  )
}

function SplitFile({ file }: { file: DiffFile }) {
  return (
    <>
      <tr class="diff-hunk">
        <td class="diff-number" />
        <td colSpan={3}>{file.name}</td>
      </tr>
      {sideBySide(file.lines).map(([left, right], place) => (
        <tr key={place} class={left?.kind === 'hunk' ? 'diff-hunk' : undefined}>
          <Side line={left} number={left?.before} />
          <Side line={right} number={right?.after} />
        </tr>
      ))}
    </>
  )
}

function Side({ line, number }: { line: DiffLine | undefined; number: number | undefined }) {
  const kind = line === undefined ? 'void' : line.kind
  return (
    <>
      <td class={`diff-number diff-side-${kind}`}>{number}</td>
      <td class={`diff-side diff-side-${kind}`}>{line !== undefined && <Words line={line} />}</td>
    </>
  )
}
