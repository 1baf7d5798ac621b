import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { describe, it } from 'node:test'
import { duration, ProgressReporter } from './progress.ts'

/** Goes to the beginning of the line and clears it. */
const CLEARED = '\r\x1b[K'

function output(isTTY: boolean) {
  let text = ''
  const stream = new Writable({
    write(chunk, _, done) {
      text += chunk
      done()
    },
  })
  return { stream: Object.assign(stream, { isTTY, columns: 60 }), text: () => text }
}

describe('progress', () => {
  it('is a bar that is drawn over on a terminal', () => {
    const { stream, text } = output(true)
    const progress = new ProgressReporter(stream)
    progress.begin('Reading', 200, 'rows')
    progress.note('One row is broken')
    progress.advance(200)
    progress.end()
    const lines = text().split(CLEARED)
    assert.match(lines[1] ?? '', /^Reading: \[\.{24}\] {3}0 % 0 rows$/)
    assert.equal(lines[2], 'One row is broken\n')
    assert.match(lines.at(-1) ?? '', /^Reading: 200 rows in [\d.]+ s\n$/)
    assert.ok(lines.every((line) => line.trimEnd().length < 60))
  })

  it('is one line per step where there is no terminal', () => {
    const { stream, text } = output(false)
    const progress = new ProgressReporter(stream)
    progress.begin('Reading', 3_000_000, 'bytes')
    progress.advance(1)
    progress.advance(3_000_000)
    progress.begin('Writing', 1200)
    progress.advance(1200)
    progress.end()
    assert.match(text(), /^Reading: 3\.0 MB in [\d.]+ s\nWriting: 1,200 rows in [\d.]+ s\n$/)
  })

  it('does not count in the rate what an earlier run has done', (context) => {
    const { stream, text } = output(false)
    let now = 0
    context.mock.method(performance, 'now', () => now)
    const progress = new ProgressReporter(stream)
    progress.begin('Importing', 2000, 'bugs', 1500)
    now = 20_000
    progress.advance(1600)
    now = 50_000
    progress.advance(2000)
    progress.end()
    assert.equal(
      text(),
      [
        'Importing: 80 % 1,600 bugs, 5 bugs/s, 80 s left',
        'Importing: 100 % 2,000 bugs, 10 bugs/s',
        'Importing: 2,000 bugs, 500 of them now, in 50 s, 10 bugs/s\n',
      ].join('\n'),
    )
  })

  it('names durations by their size', () => {
    assert.deepEqual([1.234, 45, 300, 9000].map(duration), ['1.2 s', '45 s', '5 min', '2.5 h'])
  })
})
