import { sql } from 'kysely'
import { IDS, TextScan } from '../../platform/database/slow-reads/text-scan.ts'
import type { Builder } from '../../platform/database/statements/builder.ts'
import type { Dialect } from '../../platform/dialects/dialect.ts'
import type { TextTest, TextTree } from '../../platform/dialects/text-tests.ts'
import { always, type Condition, type ConditionParts, never, type Sql, withFacts } from './condition.ts'
import { allOf, anyOf, not } from './conditions.ts'

// Where the engine does not test texts itself (see Dialect.judgesTexts), they are read and tested outside SQL. A condition on a text then
// has its test as a fact, and a condition on bugs with such tests has the bugs among which it can hold.

/** A condition that tests a text. */
export function testedText(dialect: Dialect, condition: Condition, text: Sql, test: TextTest): Condition {
  if (dialect.judgesTexts || condition === always || condition === never) return condition
  return withFacts(condition, { textTest: { text, test } })
}

/** Whether the condition consists only of tests of texts that run outside SQL. */
export function isTextTest({ parts, textTest }: Condition): boolean {
  if (parts === undefined) return textTest !== undefined
  if ('not' in parts) return isTextTest(parts.not)
  return ('all' in parts ? parts.all : parts.any).every(isTextTest)
}

/** Rows with texts. Each row belongs to the bug that it is joined with. */
export interface TextRows {
  readonly from?: Sql | undefined
  readonly where: Condition
}

/** Holds for the bugs that have a row whose texts pass the tests. No bug outside `among` has one. */
export function isScanned(builder: Builder, rows: TextRows, tests: Condition, among = always): Condition {
  const texts: { key: string; text: Sql }[] = []
  const tree = treeOf(tests, (text) => placeIn(texts, builder, text))
  const columns = texts.map(({ text }, index) => sql`, ${text} as ${sql.ref(`text${index}`)}`)
  const joined = rows.from === undefined ? sql`` : sql` cross join ${rows.from}`
  const { sql: text, parameters } = sql`select bugs.id as id${sql.join(columns, sql``)} from bugs${joined}
    where bugs.id in (select value from json_each(${IDS})) and ${rows.where}`.compile(builder)
  const scan = new TextScan({ sql: text, values: parameters }, tree)
  return withFacts(sql<boolean>`bugs.id in (select value from json_each(${scan}))`, { scannedAmong: among })
}

/** The same text may come from several criteria. */
function placeIn(texts: { key: string; text: Sql }[], builder: Builder, text: Sql): number {
  const { sql: written, parameters } = text.compile(builder)
  const key = JSON.stringify([written, parameters])
  const known = texts.findIndex((it) => it.key === key)
  return known === -1 ? texts.push({ key, text }) - 1 : known
}

function treeOf(condition: Condition, placeOf: (text: Sql) => number): TextTree {
  const { parts, textTest } = condition
  if (textTest !== undefined) return { index: placeOf(textTest.text), test: textTest.test }
  if (parts === undefined) throw new Error('A condition that does not test a text cannot be tested outside SQL')
  if ('not' in parts) return { not: treeOf(parts.not, placeOf) }
  return 'all' in parts
    ? { all: parts.all.map((part) => treeOf(part, placeOf)) }
    : { any: parts.any.map((part) => treeOf(part, placeOf)) }
}

/** What is known about a condition before texts are read. */
export interface ScanState {
  /** Holds wherever the condition does. */
  readonly atMost: Condition
  /** The condition holds wherever this does. */
  readonly atLeast: Condition
  /** What the bugs for which `atMost` holds must still be tested for. */
  readonly rest: Condition
}

/** Undefined for a condition that SQL alone decides. */
export function scanStateOf(condition: Condition): ScanState | undefined {
  const { parts, scannedAmong } = condition
  if (scannedAmong !== undefined) return { atMost: scannedAmong, atLeast: never, rest: condition }
  return parts && scanStateFrom(condition, parts)
}

function scanStateFrom(condition: Condition, parts: ConditionParts): ScanState | undefined {
  if ('not' in parts) {
    const denied = scanStateOf(parts.not)
    return denied && { atMost: not(denied.atLeast), atLeast: not(denied.atMost), rest: condition }
  }
  const all = ('all' in parts ? parts.all : parts.any).map((part) => ({ part, scan: scanStateOf(part) }))
  const scans = all.flatMap(({ scan }) => scan ?? [])
  if (scans.length === 0) return undefined
  const join = 'all' in parts ? allOf : anyOf
  return {
    atMost: join(all.map(({ part, scan }) => scan?.atMost ?? part)),
    atLeast: join(all.map(({ part, scan }) => scan?.atLeast ?? part)),
    rest: 'all' in parts ? allOf(scans.map(({ rest }) => rest)) : condition,
  }
}
