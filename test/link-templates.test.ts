import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type LinkTemplates, MOST_LINK_TEMPLATES, readLinkTemplates } from '../shared/text/link-templates.ts'
import { piecesOf } from '../shared/text/text-pieces.ts'
import { processorMilliseconds } from './support/processor-time.ts'

const CVE = 'CVE-{number}-{number} https://www.cve.example/record?id={0}'
const JIRA = 'JIRA-{number} https://jira.example/browse/JIRA-{1}'
const CRASH = '[@ {text}] https://crash.example/signature?s={1}'
const COMMIT = 'commit {word} https://git.example/c/{1}/from/{1}'

function templates(...lines: string[]): LinkTemplates {
  const read = readLinkTemplates(lines.join('\n'))
  assert.ok(typeof read === 'object', String(read))
  return read
}

function linksIn(text: string, ...lines: string[]) {
  const pieces = piecesOf(text, templates(...lines))
  assert.equal(pieces.map((it) => it.text).join(''), text, 'the pieces together are the text')
  return pieces.flatMap((it) =>
    it.kind === 'text' ? [] : `${it.text} -> ${it.kind === 'template' ? it.address : it.kind}`,
  )
}

const FOUND: readonly (readonly [text: string, templates: readonly string[], links: readonly string[]])[] = [
  [
    'Fixes CVE-2026-1234, see JIRA-7.',
    [CVE, JIRA],
    [
      'CVE-2026-1234 -> https://www.cve.example/record?id=CVE-2026-1234',
      'JIRA-7 -> https://jira.example/browse/JIRA-7',
    ],
  ],
  ['jira-7 too, but not XJIRA-7, JIRA-7b, JIRA-x', [JIRA], ['jira-7 -> https://jira.example/browse/JIRA-7']],
  [
    'crash [@ a::b<c> | d&e="f"] and [@ ]',
    [CRASH],
    ['[@ a::b<c> | d&e="f"] -> https://crash.example/signature?s=a%3A%3Ab%3Cc%3E%20%7C%20d%26e%3D%22f%22'],
  ],
  ['commit abc_1.', [COMMIT], ['commit abc_1 -> https://git.example/c/abc_1/from/abc_1']],
  // An address stays one link, and bugs, people and mail addresses stay what they are.
  [
    'https://a.example/CVE-2026-1 bug 5 @ann a@b.example',
    [CVE],
    ['https://a.example/CVE-2026-1 -> url', 'bug 5 -> bug', '@ann -> mention', 'a@b.example -> mail'],
  ],
  ['bug 5', ['bug {number} https://other.example/{1}'], ['bug 5 -> https://other.example/5']],
  ['[@ \ud800] x', [CRASH], ['[@ \ud800] -> https://crash.example/signature?s=%EF%BF%BD']],
  ['JIRA-123456789012345678901', [JIRA], []],
  ['nothing', [''], []],
]

const REFUSED: readonly (readonly [text: string, fault: RegExp])[] = [
  ['CVE', /line 1: it must be a pattern, a space and an address/],
  ['{word} https://a.example/{1}', /at least two characters/],
  [' x{word} https://a.example/{1}', /at least two characters/],
  ['ab{any} https://a.example/{1}', /\{any\} is none of/],
  ['ab{constructor} https://a.example/{1}', /is none of/],
  ['ab{text} https://a.example/{1}', /must be followed by what ends it/],
  ['ab{number}{number} https://a.example/{1}', /something must be between/],
  ['ab{word}c{word} https://a.example/{1}', /must not begin with a character that can be in it/],
  ['ab{number}0 https://a.example/{1}', /must not begin with/],
  ['ab} https://a.example/', /braces/],
  ['ab{number}-{number}-{number}-{number}-{number} https://a.example/{1}', /at most 4 parts/],
  [`ab${'x'.repeat(99)} https://a.example/`, /at most 100 characters/],
  ['ab{word} javascript:alert(1)//{1}', /begins with http/],
  ['ab{word} https://{1}/x', /begins with http/],
  ['ab{word} https://a.example{1}/x', /begins with http/],
  ['ab{word} https://me@a.example/{1}', /begins with http/],
  ['ab{word} //a.example/{1}', /begins with http/],
  ['ab{word} https://a.example', /has a path/],
  ['ab{word} https://a.example/{2}', /no part for \{2\}/],
  ['ab{word} https://a.example/{x}', /no part for \{x\}/],
  [`ab{word} https://a.example/${'x'.repeat(500)}`, /at most 500/],
  [`${JIRA}\nab`, /line 2/],
  [`${JIRA}\n`.repeat(MOST_LINK_TEMPLATES + 1), /20 lines/],
]

describe('templates of links', () => {
  it('make what they describe a link, with the parts in its address', () => {
    for (const [text, lines, links] of FOUND) assert.deepEqual(linksIn(text, ...lines), links, text)
  })

  it('are refused in a sentence if they could name a server, or take long to find', () => {
    for (const [text, fault] of REFUSED) assert.match(String(readLinkTemplates(text)), fault, text)
  })

  it('are found in a time that grows as the text does', () => {
    const worst = templates(
      'aa{word}-{word}-{word}-{word} https://a.example/{1}',
      '[a{text}[a{text}[a{text}]] https://a.example/{1}',
      '11{number}.{number}.{number}.{number}x https://a.example/{1}',
    )
    const timeFor = (count: number) => {
      const texts = ['aa-', 'aaaa', '[a', '11.', '1', 'aa[a11.'].map((it) => it.repeat(count))
      const before = processorMilliseconds()
      for (const text of texts) piecesOf(text, worst)
      return processorMilliseconds() - before
    }
    timeFor(500)
    const [short, long] = [timeFor(1000), timeFor(10_000)]
    assert.ok(long < Math.max(short, 5) * 30, `${short} ms, then ${long} ms for ten times as much`)
  })
})
