import { placeOf, SUMMARY_PLACE, wordsInSummary } from '../../../platform/text/words.ts'
import { type ConversionContext, positionIn } from '../import-context.ts'
import { RowTally } from '../row-tally.ts'
import type { StagedRow } from '../staging/staging.ts'
import { rewriter } from './addresses.ts'
import { ATTACHMENT_COLUMNS, attachmentsOf, type StoredContent, storeContents } from './bug-attachments.ts'
import { COMMENT_COLUMNS, commentsOf } from './bug-comments.ts'
import { CHANGE_COLUMNS, changesOf } from './bug-history.ts'
import { aliasesOf, type BugPart, type Cells, cellsOf, pairsOf, tagsOf, visitsOf } from './bug-part.ts'
import { BUG_COLUMNS, bugFrom, listBits } from './bug-rows.ts'
import { CUSTOM_COLUMNS, choicesOf, customValuesOf, FLAG_COLUMNS, flagsOf } from './bug-values.ts'
import type { NewBug } from './new-bug.ts'
import type { PartSource, PreparedPart, PreparedRows } from './prepared-part.ts'

const BUGS_AT_ONCE = 250

/** Converts the next bugs with everything that belongs to them except links to other bugs, and stores their contents. */
export async function preparePart(
  context: Omit<ConversionContext, 'journal'>,
  source: PartSource,
  after: number,
  begunAt: string,
): Promise<PreparedPart> {
  const journal = new RowTally(begunAt)
  const own: ConversionContext = { ...context, journal }
  const rows = context.staging.all(
    `select * from bugs where typeof(bug_id) = 'integer' and bug_id > ? order by bug_id limit ?`,
    after,
    BUGS_AT_ONCE,
  )
  const range = { after, last: positionIn(rows.at(-1)?.bug_id) ?? after, isLast: rows.length < BUGS_AT_ONCE }
  const stored = await storeContents(own, source, after, range.last)
  const digests = new Set([...stored.values()].filter(({ size }) => size > 0).map(({ key }) => key))
  return {
    next: range.isLast ? 'done' : range.last,
    bugs: rows.length,
    digests: [...digests],
    tallied: journal.tallied,
    ...convert(own, source, range, rows, stored),
  }
}

function convert(
  context: ConversionContext,
  source: PartSource,
  range: Omit<BugPart, 'bugs'>,
  rows: readonly StagedRow[],
  stored: ReadonlyMap<number, StoredContent>,
): Pick<PreparedPart, 'tables' | 'words'> {
  const { lookup, keptWords } = source
  const { bugs, custom } = bugsFrom(context, source, rows)
  const part: BugPart = { ...range, bugs }
  custom.push(...choicesOf(context, part, lookup))
  const attachments = attachmentsOf(context, part, lookup, stored)
  const comments = commentsOf(context, part, lookup, attachments.ids, source)
  const flags = flagsOf(context, part, lookup, attachments.ids)
  const aliases = aliasesOf(context, part, source.aliases)
  const groups = pairsOf(context, part, 'bug_group_map', 'group_id', (id) => lookup.groups.has(id))
  const keywords = pairsOf(context, part, 'keywords', 'keywordid', (id) => lookup.keywords.has(id))
  const cc = pairsOf(context, part, 'cc', 'who', (id) => lookup.users.has(id))
  const ignored = pairsOf(context, part, 'email_bug_ignore', 'user_id', (id) => lookup.users.has(id))
  const has = { aliases: bugsIn(aliases), flags: bugsIn(flags, 2), custom: bugsIn(custom) }
  const bugRows = [...bugs.values()].map((bug) =>
    bug.cells({
      workHundredths: comments.work.get(bug.id) ?? 0,
      lists: listBits({
        aliases: has.aliases.has(bug.id),
        keywords: (keywords.get(bug.id)?.length ?? 0) > 0,
        groups: (groups.get(bug.id)?.length ?? 0) > 0,
        flags: has.flags.has(bug.id),
        custom: has.custom.has(bug.id),
      }),
    }),
  )
  for (const { id, summary } of bugs.values()) {
    const words = wordsInSummary(summary)
    if (words.length > 0) comments.words.push(placeOf(id, SUMMARY_PLACE), keptWords(words))
  }
  return {
    tables: [
      rowsFor('bugs', BUG_COLUMNS, bugRows),
      rowsFor('comments', COMMENT_COLUMNS, comments.rows),
      rowsFor('comment_tags', ['comment_id', 'tag', 'tag_key'], comments.tags),
      rowsFor('attachments', ATTACHMENT_COLUMNS, attachments.rows),
      rowsFor('attachment_texts', ['attachment_id', 'text'], attachments.texts),
      rowsFor('flags', FLAG_COLUMNS, flags),
      rowsFor('bug_aliases', ['bug_id', 'alias', 'alias_key'], aliases),
      rowsFor('bug_groups', ['bug_id', 'group_id'], cellsOf(groups)),
      rowsFor('bug_keywords', ['bug_id', 'keyword_id'], cellsOf(keywords)),
      rowsFor('bug_cc', ['bug_id', 'user_id'], cellsOf(cc)),
      rowsFor('bug_custom_values', CUSTOM_COLUMNS, custom),
      rowsFor('bug_changes', CHANGE_COLUMNS, changesOf(context, part, lookup, rewriter(source.addresses))),
      rowsFor('bug_tags', ['user_id', 'bug_id', 'tag'], tagsOf(context, part, lookup)),
      rowsFor('last_visits', ['user_id', 'bug_id', 'at'], visitsOf(context, part, lookup)),
      rowsFor('ignored_bugs', ['bug_id', 'user_id'], cellsOf(ignored)),
    ],
    words: { bug_words: comments.words, private_words: comments.privateWords },
  }
}

function bugsFrom(context: ConversionContext, { lookup }: PartSource, rows: readonly StagedRow[]) {
  const { journal } = context
  const bugs = new Map<number, NewBug>()
  const custom: Cells[] = []
  for (const row of rows) {
    const bug = bugFrom(context, lookup, row)
    if (bug === undefined) continue
    if (bugs.has(bug.id)) {
      journal.refuse('bugs', bug.id, 'it is there twice', row)
      continue
    }
    bugs.set(bug.id, bug)
    custom.push(...customValuesOf(context, lookup, bug.id, row))
    journal.made('bugs')
  }
  return { bugs, custom }
}

function rowsFor(table: PreparedRows['table'], columns: readonly string[], rows: readonly Cells[]): PreparedRows {
  return { table, columns, values: rows.flat() }
}

function bugsIn(rows: readonly Cells[], column = 0): Set<unknown> {
  return new Set(rows.map((row) => row[column]))
}
