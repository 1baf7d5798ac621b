import type { NewRow } from '../../../platform/database/insert-rows.ts'
import { fold } from '../../../platform/text/fold.ts'
import type { ConversionContext } from '../import-context.ts'
import { numberOf, stagedText } from '../import-context.ts'
import type { StagedRow } from '../staging/staging.ts'
import type { BugLookup } from './bug-lookup.ts'
import type { NewBug } from './new-bug.ts'

/** The bugs of one part of the import: those with numbers after `after` up to `last`. */
export interface BugPart {
  readonly after: number
  readonly last: number
  readonly bugs: ReadonlyMap<number, NewBug>
  /** Whether this is the last part, which also has the rows of bugs with larger numbers, and of none. */
  readonly isLast: boolean
}

/** The rows of a table that belong to bugs of the part. Rows of bugs that are not there are counted and left out. */
export function rowsOfBugs(
  { staging, journal }: ConversionContext,
  part: BugPart,
  table: string,
  order: string,
  column = 'bug_id',
): StagedRow[] {
  const from = part.after === 0 ? Number.MIN_SAFE_INTEGER : part.after
  const to = part.isLast ? Number.MAX_SAFE_INTEGER : part.last
  const orphans = part.isLast ? ` or ${column} is null` : ''
  const rows = staging.all(
    `select * from ${table} where ((${column} > ? and ${column} <= ?)${orphans}) order by ${order}`,
    from,
    to,
  )
  return rows.filter((row) => {
    if (part.bugs.has(numberOf(row[column]) ?? 0)) return true
    journal.refuse(table, keyOf(row), `its bug ${stagedText(row[column])} is not there`, withoutBytes(row))
    return false
  })
}

function keyOf(row: StagedRow) {
  return stagedText(row.comment_id ?? row.attach_id ?? row.id ?? row.alias ?? Object.values(row)[0])
}

function withoutBytes(row: StagedRow): StagedRow {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => !(value instanceof Uint8Array)))
}

/** Pairs of a bug and something else, each once. */
export function pairsOf(
  context: ConversionContext,
  part: BugPart,
  table: string,
  column: string,
  isKnown: (id: number) => boolean,
): Map<number, number[]> {
  const { journal } = context
  const pairs = new Map<number, number[]>()
  for (const row of rowsOfBugs(context, part, table, `bug_id, ${column}`)) {
    const [bug, other] = [numberOf(row.bug_id) as number, numberOf(row[column]) ?? 0]
    const own = pairs.get(bug) ?? []
    pairs.set(bug, own)
    if (!isKnown(other))
      journal.refuse(
        table,
        `${bug} ${stagedText(row[column])}`,
        `${column} ${stagedText(row[column])} does not exist`,
        row,
      )
    else if (own.includes(other)) journal.joined(table)
    else {
      own.push(other)
      journal.made(table)
    }
  }
  return pairs
}

/** The pairs as rows. */
export function rowsOfPairs<Row>(
  pairs: ReadonlyMap<number, readonly number[]>,
  rowOf: (bug: number, other: number) => Row,
): Row[] {
  return [...pairs].flatMap(([bug, others]) => others.map((other) => rowOf(bug, other)))
}

/** Aliases are unique over all bugs, so the ones of earlier parts count too. */
export function aliasesOf(context: ConversionContext, part: BugPart, taken: Set<string>): NewRow<'bug_aliases'>[] {
  const rows: NewRow<'bug_aliases'>[] = []
  for (const row of rowsOfBugs(context, part, 'bugs_aliases', 'bug_id, alias')) {
    const alias = stagedText(row.alias)
    if (alias === '' || taken.has(fold(alias))) {
      context.journal.refuse('bugs_aliases', alias, 'it is empty, or another bug has it', row)
      continue
    }
    taken.add(fold(alias))
    rows.push({ bug_id: numberOf(row.bug_id) as number, alias, alias_key: fold(alias) })
    context.journal.made('bugs_aliases')
  }
  return rows
}

/** Personal tags of users on bugs. */
export function tagsOf(context: ConversionContext, part: BugPart, lookup: BugLookup): NewRow<'bug_tags'>[] {
  const rows = new Map<string, NewRow<'bug_tags'>>()
  for (const row of rowsOfBugs(context, part, 'bug_tag', 'bug_id, tag_id')) {
    const tag = context.staging.first('select name, user_id from tag where id = ?', numberOf(row.tag_id) ?? 0)
    const [bug, user, name] = [numberOf(row.bug_id) as number, numberOf(tag?.user_id) ?? 0, stagedText(tag?.name)]
    const key = JSON.stringify([user, name, bug])
    if (!lookup.users.has(user) || name === '')
      context.journal.refuse('bug_tag', `${bug} ${stagedText(row.tag_id)}`, 'the tag does not exist', row)
    else if (rows.has(key)) context.journal.joined('bug_tag')
    else {
      rows.set(key, { user_id: user, bug_id: bug, tag: name })
      context.journal.made('bug_tag')
    }
  }
  return [...rows.values()]
}

/** When users last visited bugs; of several times the latest. */
export function visitsOf(context: ConversionContext, part: BugPart, lookup: BugLookup): NewRow<'last_visits'>[] {
  const rows = new Map<string, NewRow<'last_visits'>>()
  for (const row of rowsOfBugs(context, part, 'bug_user_last_visit', 'bug_id, user_id, last_visit_ts')) {
    const [bug, user] = [numberOf(row.bug_id) as number, numberOf(row.user_id) ?? 0]
    const at = context.zone.toUtc(stagedText(row.last_visit_ts))
    const key = `${user} ${bug}`
    if (!lookup.users.has(user) || at === undefined)
      context.journal.refuse('bug_user_last_visit', key, 'the user does not exist, or the time is impossible', row)
    else {
      if (rows.has(key)) context.journal.joined('bug_user_last_visit')
      else context.journal.made('bug_user_last_visit')
      rows.set(key, { user_id: user, bug_id: bug, at })
    }
  }
  return [...rows.values()]
}
