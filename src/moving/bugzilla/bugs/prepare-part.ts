import { columnsAndValues, type NewRow } from '../../../platform/database/insert-rows.ts'
import { placeOf, SUMMARY_PLACE, wordsInSummary } from '../../../platform/text/words.ts'
import { type ConversionContext, positionIn } from '../import-context.ts'
import { RowTally } from '../row-tally.ts'
import type { StagedRow } from '../staging/staging.ts'
import { rewriter } from './addresses.ts'
import { attachmentsOf, type StoredContent, storeContents } from './bug-attachments.ts'
import { commentsOf } from './bug-comments.ts'
import { changesOf } from './bug-history.ts'
import { aliasesOf, type BugPart, pairsOf, rowsOfPairs, tagsOf, visitsOf } from './bug-part.ts'
import { bugFrom, listBits } from './bug-rows.ts'
import { choicesOf, customValuesOf, flagsOf } from './bug-values.ts'
import { votesOf } from './bug-votes.ts'
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
  const votes = votesOf(context, part, lookup)
  const ignored = pairsOf(context, part, 'email_bug_ignore', 'user_id', (id) => lookup.users.has(id))
  const has = { aliases: bugsIn(aliases), flags: bugsIn(flags), custom: bugsIn(custom) }
  const bugRows = [...bugs.values()].map((bug) =>
    bug.row({
      workHundredths: comments.work.get(bug.id) ?? 0,
      votes: votes.sums.get(bug.id) ?? 0,
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
      rowsFor('bugs', bugRows),
      rowsFor('comments', comments.rows),
      rowsFor('comment_tags', comments.tags),
      rowsFor('attachments', attachments.rows),
      rowsFor('attachment_texts', attachments.texts),
      rowsFor('flags', flags),
      rowsFor('bug_aliases', aliases),
      rowsFor(
        'bug_groups',
        rowsOfPairs(groups, (bug_id, group_id) => ({ bug_id, group_id })),
      ),
      rowsFor(
        'bug_keywords',
        rowsOfPairs(keywords, (bug_id, keyword_id) => ({ bug_id, keyword_id })),
      ),
      rowsFor(
        'bug_cc',
        rowsOfPairs(cc, (bug_id, user_id) => ({ bug_id, user_id })),
      ),
      rowsFor('bug_votes', votes.rows),
      rowsFor('bug_custom_values', custom),
      rowsFor('bug_changes', changesOf(context, part, lookup, rewriter(source.addresses))),
      rowsFor('bug_tags', tagsOf(context, part, lookup)),
      rowsFor('last_visits', visitsOf(context, part, lookup)),
      rowsFor(
        'ignored_bugs',
        rowsOfPairs(ignored, (bug_id, user_id) => ({ bug_id, user_id })),
      ),
    ],
    words: { bug_words: comments.words, private_words: comments.privateWords },
  }
}

function bugsFrom(context: ConversionContext, { lookup }: PartSource, rows: readonly StagedRow[]) {
  const { journal } = context
  const bugs = new Map<number, NewBug>()
  const custom: NewRow<'bug_custom_values'>[] = []
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

function rowsFor<Table extends PreparedRows['table']>(table: Table, rows: readonly NewRow<Table>[]): PreparedRows {
  return { table, ...columnsAndValues(rows) }
}

function bugsIn(rows: readonly { bug_id: number }[]): Set<number> {
  return new Set(rows.map(({ bug_id }) => bug_id))
}
