import { sql } from 'kysely'
import { IDS, TextScan } from '../../platform/database/slow-reads/text-scan.ts'
import type { Builder } from '../../platform/database/statements/builder.ts'
import type { Dialect } from '../../platform/dialects/dialect.ts'
import type { TextTest, TextTree } from '../../platform/dialects/text-tests.ts'
import { allOf, always, anyOf, type Condition, never, not, partsOf, type Sql } from './conditions.ts'

// An engine that does not judge texts itself (see Dialect.judgesTexts) has them read and judged outside SQL. Conditions on texts therefore
// come with the question that they ask, and conditions on bugs that hold such questions with what is known without an answer.

interface TestedText {
  readonly text: Sql
  readonly test: TextTest
}

const testedTexts = new WeakMap<Condition, TestedText>()

/** A condition that asks something of a text. */
export function testedText(dialect: Dialect, condition: Condition, text: Sql, test: TextTest): Condition {
  if (!dialect.judgesTexts && condition !== always && condition !== never) testedTexts.set(condition, { text, test })
  return condition
}

/** Whether all that the condition asks is asked of texts that are judged outside SQL. */
export function isTextTest(condition: Condition): boolean {
  const parts = partsOf(condition)
  if (parts === undefined) return testedTexts.has(condition)
  if ('not' in parts) return isTextTest(parts.not)
  return ('all' in parts ? parts.all : parts.any).every(isTextTest)
}

/** Rows with texts, each of which belongs to the bug that it is joined with. */
export interface TextRows {
  readonly from?: Sql | undefined
  readonly where: Condition
}

/**
 * The bugs for which one of the rows answers the question. What is known without it: none of the bugs outside `among`, if that is given.
 */
export function isScanned(builder: Builder, rows: TextRows, question: Condition, among = always): Condition {
  const texts: { key: string; text: Sql }[] = []
  const tree = treeOf(question, (text) => placeIn(texts, builder, text))
  const columns = texts.map(({ text }, place) => sql`, ${text} as ${sql.ref(`text${place}`)}`)
  const joined = rows.from === undefined ? sql`` : sql` cross join ${rows.from}`
  const { sql: text, parameters } = sql`select bugs.id as id${sql.join(columns, sql``)} from bugs${joined}
    where bugs.id in (select value from json_each(${IDS})) and ${rows.where}`.compile(builder)
  const scan = new TextScan({ sql: text, values: parameters }, tree)
  const condition = sql<boolean>`bugs.id in (select value from json_each(${scan}))`
  scanned.set(condition, { atMost: among, atLeast: never, rest: condition })
  return condition
}

/** The same text may come from several criteria. */
function placeIn(texts: { key: string; text: Sql }[], builder: Builder, text: Sql): number {
  const { sql: written, parameters } = text.compile(builder)
  const key = JSON.stringify([written, parameters])
  const known = texts.findIndex((it) => it.key === key)
  return known === -1 ? texts.push({ key, text }) - 1 : known
}

function treeOf(condition: Condition, placeOf: (text: Sql) => number): TextTree {
  const tested = testedTexts.get(condition)
  if (tested !== undefined) return { place: placeOf(tested.text), test: tested.test }
  const parts = partsOf(condition)
  if (parts === undefined) throw new Error('A condition that is not about a text cannot be judged outside SQL')
  if ('not' in parts) return { not: treeOf(parts.not, placeOf) }
  return 'all' in parts
    ? { all: parts.all.map((part) => treeOf(part, placeOf)) }
    : { any: parts.any.map((part) => treeOf(part, placeOf)) }
}

/** What is known of a condition before texts are read. */
export interface ScanState {
  /** Holds wherever the condition does. */
  readonly atMost: Condition
  /** The condition holds wherever this does. */
  readonly atLeast: Condition
  /** What is still to be asked of the bugs of which `atMost` holds. */
  readonly rest: Condition
}

const scanned = new WeakMap<Condition, ScanState>()

/** Undefined for a condition that SQL alone decides. */
export function scannedOf(condition: Condition): ScanState | undefined {
  const known = scanned.get(condition)
  if (known !== undefined) return known
  const parts = partsOf(condition)
  const found = parts === undefined ? undefined : scannedFrom(condition, parts)
  if (found) scanned.set(condition, found)
  return found
}

function scannedFrom(condition: Condition, parts: NonNullable<ReturnType<typeof partsOf>>): ScanState | undefined {
  if ('not' in parts) {
    const denied = scannedOf(parts.not)
    return denied && { atMost: not(denied.atLeast), atLeast: not(denied.atMost), rest: condition }
  }
  const all = ('all' in parts ? parts.all : parts.any).map((part) => ({ part, scanned: scannedOf(part) }))
  const found = all.flatMap((it) => it.scanned ?? [])
  if (found.length === 0) return undefined
  const join = 'all' in parts ? allOf : anyOf
  return {
    atMost: join(all.map((it) => it.scanned?.atMost ?? it.part)),
    atLeast: join(all.map((it) => it.scanned?.atLeast ?? it.part)),
    rest: 'all' in parts ? allOf(found.map(({ rest }) => rest)) : condition,
  }
}
