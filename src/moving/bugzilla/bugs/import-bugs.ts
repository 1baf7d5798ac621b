import { statement } from '../../../platform/database/statements/statement.ts'
import type { ImportContext } from '../import-context.ts'
import type { Addresses } from './addresses.ts'
import { loadBugReferences } from './bug-lookup.ts'
import { type PartRequest, partsFor } from './part-request.ts'
import { PartThread } from './part-thread.ts'
import { writePart } from './write-part.ts'

/** Few bugs are imported before a thread has started. */
const FEWEST_BUGS_FOR_A_THREAD = 1000

/** Each commit moves words into the index of SQLite, which is faster with many at once. */
const PARTS_PER_COMMIT = { sqlite: 8, postgres: 1 } as const

const aliasKeys = statement<object>()((q) => q.selectFrom('bug_aliases').select('alias_key'))

/** Bugs with everything that belongs to them except links to other bugs, some hundreds in each part. */
export async function bugsStep(context: ImportContext, addresses: Addresses, onPart: (bugs: number) => void) {
  const { journal, staging, db } = context
  if (journal.isDone('bugs')) return
  const request = await requestFor(context, addresses)
  let done = bugsDone(context)
  const isLarge = staging.count('bugs') - done >= FEWEST_BUGS_FOR_A_THREAD
  const parts = isLarge ? new PartThread(request) : partsFor(request)
  try {
    while (!journal.isDone('bugs')) {
      await journal.part('bugs', async (tx) => {
        for (let count = 1; ; count++) {
          const part = await parts.next()
          await writePart(tx, part, journal.begunAt)
          journal.add(part.tallied)
          done += part.bugs
          if (part.next === 'done' || count >= PARTS_PER_COMMIT[db.dialect.engine]) return part.next
        }
      })
      onPart(done)
    }
  } finally {
    await parts.close()
  }
}

/** How many rows of bugs earlier runs have read. */
export function bugsDone({ journal, staging }: ImportContext): number {
  if (journal.isDone('bugs')) return staging.count('bugs')
  const position = journal.positionOf('bugs')
  return staging.first<{ n: number }>('select count(*) as n from bugs where bug_id <= ?', position)?.n ?? 0
}

async function requestFor(context: ImportContext, addresses: Addresses): Promise<PartRequest> {
  const { db, staging, zone, journal, settings, attachmentsFolder, dataFolder } = context
  return {
    stagingFile: staging.file,
    zone: zone.name,
    dataFolder,
    attachmentsFolder,
    settings,
    references: await loadBugReferences(context),
    addresses,
    aliases: new Set((await db.all(aliasKeys, {})).map(({ alias_key }) => alias_key)),
    engine: db.dialect.engine,
    begunAt: journal.begunAt,
    after: journal.positionOf('bugs'),
  }
}
