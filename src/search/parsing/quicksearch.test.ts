import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { processorMilliseconds } from '../../../test/support/processor-time.ts'
import { definitionsOf, FIELD_TYPE, type FieldDefinition } from '../../catalogue/fields/field.ts'
import { SHIPPED_OPEN_STATUSES, SHIPPED_VALUES, STANDARD_FIELDS } from '../../catalogue/fields/standard-fields.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Query } from './query.ts'
import { readQuicksearch } from './quicksearch.ts'

/** The fields of a fresh installation and three custom ones. */
const fields = definitionsOf([
  ...STANDARD_FIELDS.map(({ name, type }, index) => definition(index + 1, name, type, SHIPPED_VALUES.get(name))),
  definition(101, 'cf_colour', FIELD_TYPE.freeText),
  definition(102, 'cf_column', FIELD_TYPE.freeText),
  { ...definition(103, 'cf_gone', FIELD_TYPE.freeText), is_obsolete: 1 },
])

function definition(id: number, name: string, type: number, values: readonly string[] = []): FieldDefinition {
  return {
    id,
    name,
    display_name: name,
    description: '',
    type,
    is_custom: id > 100 ? 1 : 0,
    is_mandatory: 0,
    is_on_bug_entry: 0,
    is_obsolete: 0,
    is_in_new_mail: 0,
    sort_key: id,
    visibility_field_id: null,
    value_field_id: null,
    reverse_name: '',
    visibilityValueIds: [],
    values: values.map((value, index) => ({
      id: id * 100 + index,
      field_id: id,
      name: value,
      sort_key: index,
      is_active: 1,
      is_open: SHIPPED_OPEN_STATUSES.includes(value) ? 1 : 0,
      visibility_value_id: null,
    })),
  }
}

function read(line: string, isInComments = false): string {
  return asText(readQuicksearch(line, { fields, isKeyword: (word) => word.toLowerCase() === 'crash', isInComments }))
}

/** A question as text: `all[…]`, `any[…]`, `not …`, `same[…]`, `field operator value`. */
function asText(query: Query): string {
  const list = (parts: readonly Query[]) =>
    parts.length === 1 ? asText(parts[0] as Query) : parts.map(asText).join(' & ')
  if ('all' in query) return query.all.length === 1 ? list(query.all) : `all[${list(query.all)}]`
  if ('any' in query) return query.any.length === 1 ? list(query.any) : `any[${list(query.any)}]`
  if ('not' in query) return `not ${asText(query.not)}`
  if ('sameItem' in query) return `same[${list(query.sameItem)}]`
  const { field, operator, value } = query
  return `${field} ${operator} ${typeof value === 'string' ? value : value.join('/')}`.trim()
}

const OPEN = 'bug_status anyexact UNCONFIRMED/CONFIRMED/IN_PROGRESS'

/** Lines after ALL, and what they ask. */
function means(lines: Readonly<Record<string, string>>) {
  for (const [line, meaning] of Object.entries(lines))
    it(line, () => {
      const whole = meaning.startsWith('all[') ? meaning.slice(4, -1) : meaning
      assert.equal(read(`ALL ${line}`), `all[all[] & ${whole}]`)
    })
}

function plain(word: string, more = '') {
  return `any[product substring ${word} & component substring ${word} & alias substring ${word} & short_desc substring ${word} & status_whiteboard substring ${word}${more}]`
}

describe('a quicksearch', () => {
  it('of numbers lists these bugs, open or not', () => {
    for (const line of ['1', '1,2', ' 1 , 2 ', '1 2', ',1,,2,'])
      assert.match(read(line), /^bug_id anyexact 1(\/2)?$/, line)
  })

  it('of nothing is refused', () => {
    for (const line of ['', ' ', ' , ,\t'])
      assert.throws(
        () => read(line),
        (error) => error instanceof ApiError && error.code === 1000,
      )
  })

  it('is about open bugs', () => {
    assert.equal(read('amber'), `all[${OPEN} & ${plain('amber')}]`)
  })

  it('is about all bugs when it speaks of statuses or resolutions', () => {
    assert.equal(read('status:RES'), 'bug_status substring RES')
    assert.equal(read('resolution=FIXED'), 'resolution equals FIXED')
    assert.equal(read('-stat:RES'), 'not bug_status substring RES')
  })

  it('begins with the statuses that it is about', () => {
    assert.equal(read('ALL'), 'all[]')
    assert.equal(read('OPEN'), OPEN)
    assert.equal(read('OPEN amber'), `all[${OPEN} & ${plain('amber')}]`)
    assert.equal(read('UNCO,VER'), 'bug_status anyexact UNCONFIRMED/VERIFIED')
    const fixed = 'all[bug_status anyexact RESOLVED/VERIFIED & resolution anyexact FIXED]'
    assert.equal(read('FIX'), fixed)
    assert.equal(read('RESOLVED,FIX'), fixed)
    assert.equal(read('CONF,FIX'), `any[bug_status anyexact CONFIRMED & ${fixed}]`)
    assert.equal(
      read('IN'),
      'any[bug_status anyexact IN_PROGRESS & all[bug_status anyexact RESOLVED/VERIFIED & resolution anyexact INVALID]]',
    )
  })

  it('begins with a word like any other when it is no status, is negated, quoted or one of several', () => {
    for (const [line, word] of [
      ['fix', 'fix'],
      ['FIX,AMBER', 'FIX'],
      ['"FIX"', 'FIX'],
      ['-FIX', 'FIX'],
      ['NOT FIX', 'FIX'],
      ['amber FIX', 'FIX'],
      ['FIX OR amber', 'FIX'],
      ['AMBER', 'AMBER'],
    ] as const) {
      assert.ok(read(line).startsWith(`all[${OPEN} & `), line)
      assert.ok(read(line).includes(`short_desc substring ${word}`), line)
    }
  })
})

describe('words of a quicksearch are joined', () => {
  const [a, b, c] = ['aa', 'bb', 'cc'].map((word) => plain(word).replaceAll(/(product|component) substring .. & /g, ''))
  means({
    'aa bb': `all[${a} & ${b}]`,
    'aa AND bb': `all[${a} & ${b}]`,
    'aa OR bb': `any[${a} & ${b}]`,
    'aa|bb': `any[${a} & ${b}]`,
    'aa || bb': `any[${a} & ${b}]`,
    'aa | bb cc': `all[any[${a} & ${b}] & ${c}]`,
    'aa bb|cc': `all[${a} & any[${b} & ${c}]]`,
    'NOT aa': `not ${a}`,
    '-aa bb': `all[not ${a} & ${b}]`,
    'aa NOT bb': `all[${a} & not ${b}]`,
    'aa OR NOT bb': `any[${a} & not ${b}]`,
    'aa|-bb': `any[${a} & not ${b}]`,
    'NOT -aa': a ?? '',
    'NOT NOT aa': a ?? '',
  })

  it('with a comma as alternatives', () => {
    const parts = [a, b].map((part) => part?.slice(4, -1)).join(' & ')
    assert.equal(read('ALL aa,bb'), `all[all[] & any[${parts}]]`)
  })
})

describe('a word of a quicksearch asks', () => {
  means({
    'summary:amber': 'short_desc substring amber',
    'summary:"amber light"': 'short_desc substring amber light',
    "summary:'amber light'": 'short_desc substring amber light',
    '"amber light"': plain('amber light'),
    'say\\"so': plain('say"so'),
    "don't": plain("don't"),
    "dogs'": plain("dogs'"),
    "summary:'don't know'": "short_desc substring don't know",
    'summary:a,b': 'any[short_desc substring a & short_desc substring b]',
    'summary:"a,b"': 'short_desc substring a,b',
    'summary,whiteboard:a': 'any[short_desc substring a & status_whiteboard substring a]',
    'summary,sw:a,b':
      'any[short_desc substring a & short_desc substring b & status_whiteboard substring a & status_whiteboard substring b]',
    'summary:a:b': 'short_desc substring a:b',
    'summary:"a|b"': 'short_desc substring a|b',
    'summary:"AND"': 'short_desc substring AND',
    'priority=High': 'priority equals High',
    'priority!=High,Low': 'not any[priority equals High & priority equals Low]',
    '-priority!=High': 'not not priority equals High',
    'bug>5': 'bug_id greaterthan 5',
    'bug>=5': 'bug_id greaterthaneq 5',
    'bug<5': 'bug_id lessthan 5',
    'bug<=5': 'bug_id lessthaneq 5',
    'content:amber': 'content matches amber',
    'owner_idle_time:2w': 'owner_idle_time greaterthan 2w',
    'whiteboard:""': 'status_whiteboard isempty',
    'whiteboard!=""': 'not status_whiteboard isempty',
    'resolution:---': 'resolution isempty',
    'flag:review?': 'flagtypes.name substring review?',
    'flag:review?edna': 'same[flagtypes.name substring review? & requestees.login_name substring edna]',
    'review?edna': 'same[flagtypes.name substring review? & requestees.login_name substring edna]',
    'review?': 'flagtypes.name substring review?',
    '"review?"': plain('review?'),
    'summary:why?': 'short_desc substring why?',
    '#amber': 'short_desc substring amber',
    ':amber,birch':
      'any[product substring amber & component substring amber & product substring birch & component substring birch]',
    '@ada,edna': 'any[assigned_to substring ada & assigned_to substring edna]',
    '[amber': 'any[short_desc substring amber & status_whiteboard substring amber]',
    '!amber': 'keywords anywords amber',
    '-@ada': 'not assigned_to substring ada',
    '"@ada"': plain('@ada'),
    P1: 'priority anyexact Highest',
    'p2-4': 'priority anyexact High/Normal/Low',
    'P5-99': 'priority anyexact Lowest/---',
    Crash: plain('Crash').replace('alias', 'keywords substring Crash & alias'),
    row: plain('row').replace('product substring row & ', ''),
    new: plain('new').replace('product substring new & ', ''),
    hang: plain('hang').replace('component substring hang & ', ''),
    'https://x.test/a': plain('https://x.test/a', ' & bug_file_loc substring https://x.test/a'),
    'mailto:a@x.test': plain('mailto:a@x.test', ' & bug_file_loc substring mailto:a@x.test'),
    'localhost:80': plain('localhost:80', ' & bug_file_loc substring localhost:80'),
    '10.0.0.1': plain('10.0.0.1', ' & bug_file_loc substring 10.0.0.1'),
    'www.x.test': plain('www.x.test', ' & bug_file_loc substring www.x.test'),
    'std::vector': plain('std::vector'),
    '12:30': plain('12:30'),
    '<div>': plain('<div>'),
    '--': 'not any[alias substring - & short_desc substring - & status_whiteboard substring -]',
    P99: plain('P99'),
  })

  it('comments, too, unless that is switched off', () => {
    assert.ok(read('ALL amber', true).endsWith(' & content matches "amber"]]'))
    assert.ok(read('ALL #amber', true).endsWith(' & content matches "amber"]]'))
    assert.ok(read('ALL say\\"so', true).endsWith(' & content matches "say so"]]'))
  })
})

describe('the name of a field in a quicksearch', () => {
  const names = {
    stat: 'bug_status',
    assi: 'assigned_to',
    comp: 'component',
    prod: 'product',
    sev: 'bug_severity',
    keyword: 'keywords',
    bug: 'bug_id',
    os: 'op_sys',
    op: 'op_sys',
    kw: 'keywords',
    sw: 'status_whiteboard',
    owner: 'assigned_to',
    reporter: 'reporter',
    creator: 'reporter',
    depends_on: 'dependson',
    Summary: 'short_desc',
    short_desc: 'short_desc',
    comment: 'longdesc',
    description: 'longdesc',
    commenter: 'commenter',
    attachdesc: 'attachments.description',
    attachdata: 'attach_data.thedata',
    attachmimetype: 'attachments.mimetype',
    requestee: 'requestees.login_name',
    setter: 'setters.login_name',
    group: 'bug_group',
    reporter_realname: 'reporter_realname',
    cf_colour: 'cf_colour',
    colour: 'cf_colour',
    colo: 'cf_colour',
    colu: 'cf_column',
    cf_colu: 'cf_column',
    days: 'days_elapsed',
  }
  for (const [name, field] of Object.entries(names))
    it(`${name} means ${field}`, () => {
      assert.equal(read(`ALL ${name}=x`), `all[all[] & ${field} equals x]`)
    })
})

describe('a quicksearch points at the word that cannot be read', () => {
  const wrong: Readonly<Record<string, [string, number]>> = {
    'AND a': ['AND', 1],
    '| a': ['|', 1],
    'a AND': ['AND', 3],
    'a OR': ['OR', 3],
    'a NOT': ['NOT', 3],
    'a AND OR b': ['OR', 7],
    'a OR AND b': ['AND', 6],
    'a AND AND b': ['AND', 7],
    'NOT OR a': ['OR', 5],
    'a "b c': ['"b c', 3],
    "a 'b": ["'b", 3],
    ' a nonsense:1': ['nonsense:1', 4],
    'bug_status:NEW': ['bug_status:NEW', 1],
    'cf_gone:1': ['cf_gone:1', 1],
    'col:1': ['col:1', 1],
    'attach:1': ['attach:1', 1],
    'a summary:': ['summary:', 3],
    'a summary:,': ['summary:', 3],
    'a ""': ['', 3],
    'a , b': [',', 3],
  }
  for (const [line, [word, index]] of Object.entries(wrong))
    it(line, () => {
      assert.throws(
        () => read(line),
        (error) =>
          error instanceof ApiError &&
          error.code === 32000 &&
          error.message.startsWith(`The quicksearch cannot be parsed at “${word}” (character ${index}): `),
      )
    })

  it('and names all fields that it does not know', () => {
    assert.throws(
      () => read('nonsense,summary,col:1'),
      /there is no field nonsense.*; it can mean cf_colour or cf_column/,
    )
  })

  it('or asks for too much', () => {
    assert.throws(() => read('ab '.repeat(1000)), /more than can be looked for at once/)
  })
})

it('is always read, or refused with a reason, and quickly', () => {
  const piece = fc.oneof(
    fc.constantFrom('!=', ...' "\'\\|,-:=<>?#@[!(./'),
    fc.constantFrom('AND', 'OR', 'NOT', 'ALL', 'OPEN', 'FIX', 'P1', 'summary', 'stat', 'flag', 'http', '12', 'ß', '💡'),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const started = processorMilliseconds()
      try {
        read(pieces.join(''), true)
      } catch (error) {
        assert.ok(error instanceof ApiError, String(error))
      }
      assert.ok(processorMilliseconds() - started < 2000)
    }),
    { numRuns: 3000 },
  )
  for (const line of [
    'a'.repeat(16_000),
    'a.'.repeat(8000),
    '"a" '.repeat(4000),
    '|'.repeat(16_000),
    'a,'.repeat(8000),
  ]) {
    const started = processorMilliseconds()
    assert.doesNotThrow(() => {
      try {
        read(line, true)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
      }
    })
    assert.ok(processorMilliseconds() - started < 2000, line.slice(0, 10))
  }
})
