import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../../test/support/any-text.ts'
import { bugCalendar } from './bug-calendar.ts'
import { bugFeed } from './bug-feed.ts'

const heading = { baseUrl: 'https://bugs.example', query: 'x=1&y="<', now: '2026-01-31T12:00:00Z' }
const times = { creation_time: '2026-01-01T00:00:00Z', last_change_time: '2026-01-02T00:00:00Z' }
const bug = (more: object) => ({ id: 7, product: 'P', component: 'C', status: 'NEW', is_open: true, ...times, ...more })

describe('a calendar', () => {
  it('escapes line breaks in texts', () => {
    const text = bugCalendar(heading).item(bug({ summary: 'a\r\nEND:VTODO\nb\u2028c\u0085d\u0000e' }))
    assert.match(text.replaceAll('\r\n ', ''), /^SUMMARY:\[Bug 7\] a\\nEND:VTODO\\nb\\nc\\nde\r$/m)
    assert.equal(text.match(/^END:VTODO/gm)?.length, 1)
  })

  it('folds any text into lines of at most 75 bytes that can be joined again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (summary) => {
        const text = bugCalendar(heading).item(bug({ summary }))
        assert.ok(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75))
        const line = text
          .replaceAll('\r\n ', '')
          .split('\r\n')
          .find((it) => it.startsWith('SUMMARY:'))
        const read = (line ?? '')
          .slice('SUMMARY:[Bug 7] '.length)
          .replace(/\\(.)/gs, (_, it) => (it === 'n' ? '\n' : it))
        assert.equal(read, summary.replace(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/g, '\n').replace(/(?!\n)\p{Cc}/gu, ''))
      }),
    )
  })
})

describe('a feed', () => {
  it('escapes any text so that it is valid XML', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 100 }), (summary) => {
        const title = /<title>([^<]*)<\/title>/.exec(bugFeed(heading).item(bug({ summary })))?.[1]
        assert.ok(title !== undefined)
        assert.doesNotMatch(title, /(?![\t\n])[\p{Cc}\p{Cs}\ufffe\uffff]|["'>]|&(?!\w+;|#\d+;)/u)
      }),
    )
  })

  it('has the search in its id', () => {
    assert.match(bugFeed(heading).head, /<id>https:\/\/bugs.example\/rest\/bug\?x=1&amp;y=&quot;&lt;<\/id>/)
  })
})
