import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { compilePattern } from '../text/regexps.ts'
import { faultInSearched, postgresPattern } from './postgres-pattern.ts'

const TEXTS = [
  '',
  'amber light',
  'AMBER\nbirch',
  'ämber Ärger',
  'a.b*c',
  'Straße ſ K k',
  'tab\there\r\n',
  'x1_y-2 {3} [4] \\5',
  '💡 idea',
  'ends z',
]

const PATTERNS = [
  ...[
    'amber',
    '^amber',
    'light$',
    '^$',
    '^',
    '$',
    'a|b',
    'a|',
    '()',
    '(a)(b)?',
    '(?:amber|birch)',
    'b.r',
    'r.b',
    '(?s)r.b',
  ],
  ...[
    '\\bamber\\b',
    '\\Bmber',
    '\\Aamber',
    'z\\z',
    '(?m)^birch',
    '(?m)r$',
    '(?i)AMBER',
    '(?-i)AMBER',
    '(?-i:a)MBER',
    'a(?-i)MBER',
  ],
  ...[
    '(a(?-i)M)BER',
    '\\Qa.b*c\\E',
    '\\Q.',
    '\\pL',
    '\\p{Lu}',
    '\\P{L}',
    '\\p{Greek}',
    '\\x{e4}',
    '\\x41',
    '\\101',
    '\\t',
    '\\n',
    '\\.',
  ],
  ...[
    '[[:alpha:]]',
    '[^[:word:]]',
    '[]a]',
    '[^]a]',
    '[a\\]]',
    '[\\d_]',
    '[\\pL]',
    '[À-Ý]',
    '[k]',
    'k',
    's',
    'ß',
    '\\w+\\s',
    '\\W',
    '\\S\\D',
  ],
  ...[
    'a{1',
    'x{',
    '{3}?',
    '{',
    '}',
    ']',
    '\\{3\\}',
    'a{2}',
    '[a-z]{2,3}',
    'm{0}b',
    '(?P<name>a)m',
    '(?<name>a)m',
    '(?U)a.*b',
    'a.*?b$',
  ],
  ...[
    '(a*)*b',
    '(^)*a',
    '(?:$)?',
    '[^\\x00-\\x{10FFFF}]',
    '\\x00',
    '💡',
    '[💡]',
    '.',
    '(?i:(?-i:A)m)B',
    '\\-',
    '\\/',
    'é|\\x{0}|z',
  ],
]

describe('a pattern on PostgreSQL', () => {
  const client = new pg.Client(`${process.env.LACEWING_TEST_POSTGRES}/postgres`)
  before(() => client.connect())
  after(() => client.end())

  async function matchedBy(pattern: string) {
    const { rows } = await client.query({
      text: 'select place from unnest($1::text[]) with ordinality as t (given, place) where given collate "C" ~ $2 order by place',
      values: [TEXTS, postgresPattern(pattern)],
    })
    return rows.map(({ place }) => TEXTS[Number(place) - 1])
  }

  const matched = (pattern: string) => TEXTS.filter((text) => compilePattern(pattern).occursIn(text))

  for (const pattern of PATTERNS.filter((it) => faultInSearched(it) === undefined))
    it(`matches ${JSON.stringify(pattern)} as it does on SQLite`, async () => {
      assert.deepEqual(await matchedBy(pattern), matched(pattern))
    })

  it('is refused when it has too many repetitions or characters', () => {
    assert.match(faultInSearched('a{256}') ?? '', /more than 255 times/)
    assert.match(faultInSearched('\\pL'.repeat(100)) ?? '', /too many characters/)
    assert.ok(faultInSearched('(?=a)'))
    assert.ok(faultInSearched('[a'))
  })

  it('is refused when it repeats nothing, which repeats what precedes it', () => {
    assert.match(faultInSearched('a+(?i){1,2}a') ?? '', /options/)
    assert.match(faultInSearched('a+\\Q\\E{1,2}a') ?? '', /quotation/)
  })

  it('matches as on SQLite for random patterns', async () => {
    const piece = fc.constantFrom(
      'a',
      'M',
      'b',
      '.',
      '*',
      '+',
      '?',
      '|',
      '(',
      ')',
      '(?:',
      '(?i)',
      '(?-i:',
      '[a-m]',
      '[^b]',
      '\\w',
      '\\b',
      '^',
      '$',
      '{1,2}',
      ' ',
      'ä',
      '\\pL',
      '\\Q',
      '\\E',
      '(?s)',
      '(?m:',
      '\\n',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 8 }), async (pieces) => {
        const pattern = pieces.join('')
        if (faultInSearched(pattern) !== undefined) return
        assert.deepEqual(await matchedBy(pattern), matched(pattern))
      }),
      { numRuns: 1500 },
    )
  })

  it('is matched quickly, however it repeats', async () => {
    const long = 'a'.repeat(60_000)
    for (const pattern of [
      '(a*)*b',
      '(a|aa)+b',
      '(a?){200}b',
      '(a{20}){20}b',
      '([ab]{1,100}){2}c',
      '(.*.*.*)*x',
      `${'a?'.repeat(200)}b`,
    ]) {
      if (faultInSearched(pattern) !== undefined) continue
      const started = performance.now()
      const { rows } = await client.query({
        text: 'select $1::text collate "C" ~ $2 as found',
        values: [long, postgresPattern(pattern)],
      })
      assert.equal(rows[0].found, false)
      const took = performance.now() - started
      assert.ok(took < 5000, `${pattern} took ${took} ms`)
    }
  })
})
