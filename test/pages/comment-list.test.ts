import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { COMMENTS_AT_EACH_END } from '../../shared/parts-of-pages.ts'
import type { Comment, HistoryEntry } from '../../web/core/server/types.ts'
import { listOfEnds, rangeAround, withPart } from '../../web/views/bug/stream/comment-list.ts'
import { foldComments, type StreamItem, streamItems } from '../../web/views/bug/stream/stream-items.ts'

/** Comments with these numbers, one a day, with a change at noon of some days. */
function discussion(numbers: readonly number[], changeDays: readonly number[]) {
  const day = (number: number) => new Date(Date.UTC(2026, 0, 1 + number)).toISOString().slice(0, 10)
  const comments = numbers.map(
    (count) => ({ count, time: `${day(count)}T08:00:00Z`, creator: 'edna', attachment_id: null }) as Comment,
  )
  const history = changeDays.map((number) => ({ when: `${day(number)}T12:00:00Z`, who: 'stan' }) as HistoryEntry)
  return { comments, history }
}

function hiddenIn(items: readonly StreamItem[]) {
  return items.reduce((sum, item) => sum + (item.kind === 'fold' ? item.count : 0), 0)
}

const numbers = fc.uniqueArray(fc.nat(120), { minLength: 1, maxLength: 121 }).map((all) => all.sort((a, b) => a - b))
const days = fc.uniqueArray(fc.nat(120), { maxLength: 8 }).map((all) => all.sort((a, b) => a - b))

describe('the comments of a long bug', () => {
  it('are shown alike when only the first, the last and the linked ones have been read', () => {
    fc.assert(
      fc.property(numbers, days, fc.nat(120), fc.nat(40), (present, changeDays, target, opened) => {
        const { comments, history } = discussion(present, changeDays)
        const ends = comments.filter(
          (_, at) => at < COMMENTS_AT_EACH_END || at >= comments.length - COMMENTS_AT_EACH_END,
        )
        const range = rangeAround(target)
        const near = comments.filter(({ count }) => count >= range.from && count <= range.to)
        let known = withPart(listOfEnds(ends), near, range)
        const shownOf = ({ comments, gaps }: typeof known, open: number) =>
          foldComments(streamItems({ comments, gaps, history, attachments: [], since: undefined, reader: undefined }), {
            range,
            opened: open,
          })
        const whole = shownOf({ comments, gaps: [] }, 0)
        const partly = shownOf(known, 0)
        const keysOf = (items: readonly StreamItem[]) =>
          items.filter(({ kind }) => kind === 'comment').map(({ key }) => key)
        // Numbers of comments that the reader may not see can stand in a gap until it is read.
        if (present.length === 121) assert.deepEqual(partly, whole)
        else for (const key of keysOf(partly)) assert.ok(comments.some(({ count }) => key === `c${count}`))
        assert.equal(hiddenIn(whole) + keysOf(whole).length, comments.length)
        for (let [gap] = known.gaps; gap !== undefined; [gap] = known.gaps) {
          const part = { from: gap.from, to: Math.min(gap.to, gap.from + 6) }
          known = withPart(
            known,
            comments.filter(({ count }) => count >= part.from && count <= part.to),
            part,
          )
        }
        assert.deepEqual(known.comments, comments)
        assert.deepEqual(shownOf(known, opened), shownOf({ comments, gaps: [] }, opened))
        assert.equal(hiddenIn(shownOf(known, comments.length)), 0)
      }),
      { examples: [[Array.from({ length: 121 }, (_, at) => at), [3, 50, 119], 60, 7]] },
    )
  })
})
