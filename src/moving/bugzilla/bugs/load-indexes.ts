import type { ConfigurationTransaction } from '../../../platform/database/db.ts'
import { INDEXES_OF } from '../../../platform/database/table-columns.ts'
import { rawRows } from '../../archive/database-catalogue.ts'
import type { ImportContext } from '../import-context.ts'

/** The tables that the import of bugs fills. */
const TABLES = [
  'attachments',
  'bug_aliases',
  'bug_cc',
  'bug_changes',
  'bug_custom_values',
  'bug_dependencies',
  'bug_groups',
  'bug_keywords',
  'bug_see_also',
  'bug_tags',
  'bug_votes',
  'bug_words',
  'bugs',
  'comment_tags',
  'comments',
  'flags',
  'last_visits',
  'private_words',
]

/**
 * Drops the indexes of the tables that bugs are written to. Building an index of all rows at the end takes a fraction
 * of the time. No server starts before the import is finished, so nothing is read without them.
 */
export async function dropIndexesStep({ journal }: ImportContext) {
  await journal.step('drop indexes', async (tx) => {
    const indexes = await rawRows(tx, INDEXES_OF[tx.dialect.engine](TABLES))
    for (const { name } of indexes) await tx.script(`drop index ${name}`)
    journal.indexes = indexes.map(({ definition }) => String(definition))
    await mergeWordsAt(tx, LARGE)
    return 'done'
  })
}

/** Builds the indexes again, each in a part of its own. */
export async function createIndexesStep({ journal, progress }: ImportContext) {
  await journal.step(
    'create indexes',
    async (tx, after) => {
      const definition = journal.indexes[after]
      if (definition !== undefined) {
        await tx.script(definition)
        return after + 1
      }
      await mergeWordsAt(tx, USUAL)
      return 'done'
    },
    (built) => progress.advance(built),
  )
}

/** How many bytes of words SQLite collects in memory before it writes them to the word index. */
const [LARGE, USUAL] = [16 * 1024 * 1024, 1024 * 1024]

async function mergeWordsAt(tx: ConfigurationTransaction, bytes: number) {
  if (tx.dialect.engine !== 'sqlite') return
  for (const index of ['bug_words_index', 'private_words_index'])
    await tx.script(`insert into ${index} (${index}, rank) values ('hashsize', ${bytes})`)
}
