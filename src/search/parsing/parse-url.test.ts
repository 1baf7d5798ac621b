import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { anonymous } from '../../access/caller.ts'
import { graphOf } from '../../access/visibility/group-graph.ts'
import { definitionsOf } from '../../catalogue/fields/field.ts'
import { SHIPPED_OPEN_STATUSES, SHIPPED_VALUES, STANDARD_FIELDS } from '../../catalogue/fields/standard-fields.ts'
import { settingsFrom } from '../../platform/config/settings.ts'
import type { LimitedDb } from '../../platform/database/db.ts'
import { sqliteDialect } from '../../platform/dialects/sqlite-dialect.ts'
import { ApiError } from '../../platform/errors.ts'
import type { SearchContext } from '../search-context.ts'
import { nothingKnown } from '../text/known-texts.ts'
import { readSearch } from './parse-url.ts'
import { type Criterion, criteriaIn, type Query } from './query.ts'

/** An anonymous caller at a fresh installation. Parsers read nothing: of the database they need only its dialect. */
const context: SearchContext = {
  db: { dialect: sqliteDialect } as LimitedDb,
  caller: anonymous,
  settings: settingsFrom(new Map()),
  groups: graphOf(new Map(), []),
  fields: definitionsOf(
    STANDARD_FIELDS.map((field, index) => ({
      ...field,
      id: index + 1,
      description: '',
      is_custom: 0,
      is_mandatory: 0,
      is_on_bug_entry: 0,
      is_obsolete: 0,
      is_in_new_mail: 0,
      sort_key: index,
      visibility_field_id: null,
      value_field_id: null,
      reverse_name: '',
      visibilityValueIds: [],
      values: (SHIPPED_VALUES.get(field.name) ?? []).map((name, place) => ({
        id: index * 100 + place,
        field_id: index + 1,
        name,
        sort_key: place,
        is_active: 1,
        is_open: SHIPPED_OPEN_STATUSES.includes(name) ? 1 : 0,
        visibility_value_id: null,
      })),
    })),
  ),
  baseUrl: 'http://tracker.test',
  now: 0,
  texts: nothingKnown,
}

/** Parameters as they stand in an address, read as a server reads them. */
function givenIn(address: string): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  for (const [name, value] of new URLSearchParams(address))
    input[name] = input[name] === undefined ? value : [input[name], value].flat()
  return input
}

/** Which parameters the values came in is another question. */
async function questionIn(address: string): Promise<Query> {
  const { where } = await readSearch(context, givenIn(address))
  return JSON.parse(JSON.stringify(where, (name, value) => (name === 'sentAs' ? undefined : value)))
}

function is(field: string, operator: Criterion['operator'], value: Criterion['value']): Criterion {
  return { field, operator, value }
}

describe('the question in parameters', () => {
  const cases: [address: string, question: Query][] = [
    ['product=A', is('product', 'anyexact', ['A'])],
    ['product=A,B&product=C', is('product', 'anyexact', ['A,B', 'C'])],
    ['product=A&component=B', { all: [is('product', 'anyexact', ['A']), is('component', 'anyexact', ['B'])] }],
    ['summary=a b', is('short_desc', 'substring', 'a b')],
    ['summary=a&summary=b', { any: [is('short_desc', 'substring', 'a'), is('short_desc', 'substring', 'b')] }],
    ['short_desc=a b', is('short_desc', 'allwordssubstr', 'a b')],
    ['short_desc=a&short_desc_type=regexp', is('short_desc', 'regexp', 'a')],
    ['id=1,2&id=3', is('bug_id', 'anyexact', ['1', '2', '3'])],
    ['creator=a@b', is('reporter', 'anyexact', ['a@b'])],
    ['resolution=', is('resolution', 'anyexact', [''])],
    ['resolution=---&resolution=FIXED', is('resolution', 'anyexact', ['', 'FIXED'])],
    ['status=__open__', is('bug_status', 'anyexact', ['UNCONFIRMED', 'CONFIRMED', 'IN_PROGRESS'])],
    ['bug_status=__closed__', is('bug_status', 'anyexact', ['RESOLVED', 'VERIFIED'])],
    ['creation_time=-1d', is('creation_ts', 'greaterthaneq', '-1d')],
    ['flagtypes_name=review', is('flagtypes.name', 'anyexact', ['review'])],
    ['changedin=3', is('days_elapsed', 'lessthaneq', '3')],
    ['long_desc=x', is('longdesc', 'allwordssubstr', 'x')],
    ['tags=x', is('tag', 'anyexact', ['x'])],
    [
      'bug_severity=major&bug_severity=minor&bug_severity_type=nowords',
      is('bug_severity', 'nowords', ['major', 'minor']),
    ],
    ['keywords=a&keywords=b&keywords_type=nowords', is('keywords', 'nowords', 'a,b')],
    ['f1=short_desc&o1=substr&v1=x', is('short_desc', 'substring', 'x')],
    ['f1=summary&o1=isempty', is('short_desc', 'isempty', '')],
    ['f1=priority&o1=anyexact&v1=High&v1=Low', is('priority', 'anyexact', ['High', 'Low'])],
    ['f1=cc&o1=anyexact&v1=a&v1=b', is('cc', 'anyexact', 'a,b')],
    ['field0-0-0=keywords&type0-0-0=anywords&value0-0-0=x', is('keywords', 'anywords', 'x')],
    ['field0-0-0=noop&type0-0-0=noop&value0-0-0=&product=A', is('product', 'anyexact', ['A'])],
    ['email1=a&emailcc1=1', { any: [is('cc', 'anyexact', 'a')] }],
    [
      'email1=a&emailtype1=notequals&emailcc1=1&emailreporter1=on',
      { all: [is('reporter', 'notequals', 'a'), is('cc', 'notequals', 'a')] },
    ],
    [
      'chfield=bug_status,priority&chfieldfrom=-1w&chfieldto=2026-01-31&chfieldvalue=x',
      {
        all: [
          is('delta_ts', 'greaterthaneq', '-1w'),
          {
            any: ['bug_status', 'priority'].map((field) => ({
              sameItem: [
                is(field, 'changedafter', '-1w'),
                is(field, 'changedbefore', '2026-01-31 23:59:59'),
                is(field, 'changedto', 'x'),
              ],
            })),
          },
        ],
      },
    ],
    ['chfieldto=0d', is('delta_ts', 'lessthaneq', '0d')],
    ['deadlinefrom=1d', is('deadline', 'greaterthaneq', '1d')],
  ]
  for (const [address, question] of cases)
    it(address, async () => assert.deepEqual(await questionIn(address), question))

  for (const address of [
    '',
    'product=',
    'f1=short_desc&o1=equals&v1=',
    'chfield=priority',
    'email1=a',
    'limit=3&query_format=advanced',
    'status=__all__',
  ])
    it(`is not there in “${address}”`, async () => assert.deepEqual(await questionIn(address), { all: [] }))

  for (const [address, name] of [
    ['last_change_time=-1d', 'last_change_time'],
    ['id=1', 'id'],
    ['f7=delta_ts&o7=lessthan&v7=-1d', 'v7'],
    ['field0-0-0=delta_ts&type0-0-0=lessthan&value0-0-0=-1d', 'value0-0-0'],
    ['chfieldfrom=-1d', 'chfieldfrom'],
    ['deadlineto=-1d', 'deadlineto'],
  ] as const)
    it(`says that its value came in ${name}`, async () => {
      const { where } = await readSearch(context, givenIn(address))
      assert.deepEqual(
        criteriaIn(where).map(({ sentAs }) => sentAs),
        [name],
      )
    })

  it('names what it leaves out', async () => {
    const { ignored, order } = await readSearch(
      context,
      givenIn('product=A&x=1&work_time=2&order=nosuch,priority DESC,work_time'),
    )
    assert.deepEqual(ignored, ['x', 'work_time', 'order'])
    assert.deepEqual(order, [{ column: 'priority', descending: true }])
  })

  for (const [address, code] of [
    ['x=1', 1000],
    ['f1=short_desc&o1=like&v1=x', 32000],
    ['f1=CP', 32000],
    ['quicksearch=%20', 1000],
    ['savedsearch=x', 410],
  ] as const)
    it(`is refused with ${code} in “${address}”`, async () => {
      const wanted = { ...context, db: { ...context.db, all: async () => [] } as LimitedDb }
      await assert.rejects(
        readSearch(wanted, givenIn(address)),
        (fault) => fault instanceof ApiError && fault.code === code,
      )
    })
})
