import type { ConfigurationTransaction } from '../../../platform/database/db.ts'
import { insertRows, insertWords } from '../../../platform/database/insert-rows.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { placeOf, SUMMARY_PLACE, wordsInSummary } from '../../../platform/text/words.ts'
import { type ImportContext, numberOf } from '../import-context.ts'
import type { StagedRow } from '../staging/staging.ts'
import { ATTACHMENT_COLUMNS, attachmentsOf, type StoredContent, storeContents } from './bug-attachments.ts'
import { COMMENT_COLUMNS, commentsOf } from './bug-comments.ts'
import { CHANGE_COLUMNS, changesOf } from './bug-history.ts'
import type { BugLookup } from './bug-lookup.ts'
import { aliasesOf, type BugPart, cellsOf, pairsOf, tagsOf, visitsOf } from './bug-part.ts'
import { BUG_COLUMNS, bugFrom, listBits } from './bug-rows.ts'
import { CUSTOM_COLUMNS, choicesOf, customValuesOf, FLAG_COLUMNS, flagsOf } from './bug-values.ts'
import type { NewBug } from './new-bug.ts'

const BUGS_AT_ONCE = 250

const aliasKeys = statement<object>()((q) => q.selectFrom('bug_aliases').select('alias_key'))

/** Bugs with everything that belongs to them except links to other bugs, some hundreds in each part. */
export async function bugsStep(
  context: ImportContext,
  lookup: BugLookup,
  rewrite: (url: string) => string,
  onPart: (bugs: number) => void,
) {
  const { journal, db, staging } = context
  if (journal.isDone('bugs')) return
  const aliases = new Set((await db.all(aliasKeys, {})).map(({ alias_key }) => alias_key))
  const freeCommentId = staging.first<{ id: number | null }>('select max(comment_id) as id from longdescs')?.id ?? 0
  let done =
    staging.first<{ n: number }>('select count(*) as n from bugs where bug_id <= ?', journal.positionOf('bugs'))?.n ?? 0
  while (!journal.isDone('bugs')) {
    const after = journal.positionOf('bugs')
    const rows = staging.all(
      `select * from bugs where typeof(bug_id) = 'integer' and bug_id > ? order by bug_id limit ?`,
      after,
      BUGS_AT_ONCE,
    )
    const last = numberOf(rows.at(-1)?.bug_id) ?? after
    const contents = await storeContents(context, after, last)
    const range = { after, last, isLast: rows.length < BUGS_AT_ONCE }
    await journal.part('bugs', async (tx) => {
      await importPart(context, tx, { lookup, rewrite, aliases, freeCommentId, contents, range, rows })
      return range.isLast ? 'done' : last
    })
    done += rows.length
    onPart(done)
  }
}

interface PartFacts {
  lookup: BugLookup
  rewrite: (url: string) => string
  aliases: Set<string>
  freeCommentId: number
  contents: ReadonlyMap<number, StoredContent>
  range: Omit<BugPart, 'bugs'>
  rows: readonly StagedRow[]
}

async function importPart(context: ImportContext, tx: ConfigurationTransaction, facts: PartFacts) {
  const { lookup, rows, range } = facts
  const { journal } = context
  const bugs = new Map<number, NewBug>()
  const custom = []
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
  const part: BugPart = { ...range, bugs }
  custom.push(...choicesOf(context, part, lookup))
  const attachments = attachmentsOf(context, part, lookup, facts.contents)
  const comments = commentsOf(context, part, lookup, attachments.ids, facts.freeCommentId)
  const flags = flagsOf(context, part, lookup, attachments.ids)
  const aliases = aliasesOf(context, part, facts.aliases)
  const groups = pairsOf(context, part, 'bug_group_map', 'group_id', (id) => lookup.groups.has(id))
  const keywords = pairsOf(context, part, 'keywords', 'keywordid', (id) => lookup.keywords.has(id))
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
  await insertRows(tx, 'bugs', BUG_COLUMNS, bugRows)
  await insertRows(tx, 'comments', COMMENT_COLUMNS, comments.rows)
  await insertRows(tx, 'comment_tags', ['comment_id', 'tag', 'tag_key'], comments.tags)
  await insertRows(tx, 'attachments', ATTACHMENT_COLUMNS, attachments.rows)
  await insertRows(tx, 'attachment_texts', ['attachment_id', 'text'], attachments.texts)
  await insertRows(tx, 'flags', FLAG_COLUMNS, flags)
  await insertRows(tx, 'bug_aliases', ['bug_id', 'alias', 'alias_key'], aliases)
  await insertRows(tx, 'bug_groups', ['bug_id', 'group_id'], cellsOf(groups))
  await insertRows(tx, 'bug_keywords', ['bug_id', 'keyword_id'], cellsOf(keywords))
  await insertRows(
    tx,
    'bug_cc',
    ['bug_id', 'user_id'],
    cellsOf(pairsOf(context, part, 'cc', 'who', (id) => lookup.users.has(id))),
  )
  await insertRows(tx, 'bug_custom_values', CUSTOM_COLUMNS, custom)
  await insertRows(tx, 'bug_changes', CHANGE_COLUMNS, changesOf(context, part, lookup, facts.rewrite))
  await insertRows(tx, 'bug_tags', ['user_id', 'bug_id', 'tag'], tagsOf(context, part, lookup))
  await insertRows(tx, 'last_visits', ['user_id', 'bug_id', 'at'], visitsOf(context, part, lookup))
  const ignored = pairsOf(context, part, 'email_bug_ignore', 'user_id', (id) => lookup.users.has(id))
  await insertRows(tx, 'ignored_bugs', ['bug_id', 'user_id'], cellsOf(ignored))
  const summaries = [...bugs.values()].map(({ id, summary }) => ({
    place: placeOf(id, SUMMARY_PLACE),
    words: wordsInSummary(summary),
  }))
  await insertWords(tx, 'bug_words', [...comments.words, ...summaries])
  await insertWords(tx, 'private_words', comments.privateWords)
}

function bugsIn(rows: readonly (readonly unknown[])[], column = 0): Set<unknown> {
  return new Set(rows.map((row) => row[column]))
}
