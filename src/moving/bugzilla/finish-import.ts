import { makeInstallationSecrets } from '../../access/installation-secrets.ts'
import type { Database } from '../../platform/database/tables.ts'
import type { ImportContext } from './import-context.ts'

/** Tables whose rows came with their numbers. New ones go on above the highest. */
const NUMBERED: readonly (keyof Database)[] = [
  'users',
  'groups',
  'api_keys',
  'keywords',
  'classifications',
  'products',
  'versions',
  'milestones',
  'components',
  'flag_types',
  'fields',
  'field_values',
  'series',
  'saved_searches',
  'bugs',
  'bug_changes',
  'flags',
  'bug_see_also',
  'comments',
  'attachments',
  'scheduled_mails',
  'scheduled_mail_times',
]

/** What an installation has besides its data: numbers that go on, and secrets. */
export async function finishImport({ db, journal }: ImportContext, _hasOwnAddress: boolean) {
  await journal.step('numbers', async (tx) => {
    for (const table of NUMBERED)
      if (
        (
          await tx.query((q) =>
            q
              .selectFrom(table)
              .select('id' as never)
              .limit(1),
          )
        ).length > 0
      )
        await tx.query((q, d) => q.selectNoFrom(d.idsFollowThoseIn(table).as('next')))
    return 'done'
  })
  await makeInstallationSecrets(db)
  if (db.dialect.engine === 'postgres') await db.script('analyze')
}
