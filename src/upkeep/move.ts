import { join } from 'node:path'
import type { ArchivePart } from '../moving/archive/archive-part.ts'
import { loadInstallation, requireEmpty } from '../moving/archive/import-archive.ts'
import type { LoadedParts } from '../moving/archive/load-installation.ts'
import { countRows, KEYS_OF_CONTENTS, readInstallation, requireReadable } from '../moving/archive/read-installation.ts'
import { markingUnfinished } from '../moving/archive/unfinished-archive.ts'
import type { Config } from '../platform/config/config.ts'
import { Contents } from '../platform/contents/contents.ts'
import { FolderStore } from '../platform/contents/folder-store.ts'
import type { Db } from '../platform/database/db.ts'
import { migrations } from '../platform/database/migrations/index.ts'
import { openSnapshot } from '../platform/database/open-snapshot.ts'
import { allRows, type Snapshot } from '../platform/database/snapshot.ts'
import type { Progress } from '../platform/progress.ts'
import { Refusal } from '../platform/refusal.ts'

/** A fault of the database that is read, and not of the one that is written. */
export class SourceFault extends Error {}

async function* namingTheSource(parts: AsyncIterable<ArchivePart>): AsyncIterable<ArchivePart> {
  try {
    for await (const part of parts) yield part
  } catch (fault) {
    throw new SourceFault((fault as Error).message, { cause: fault })
  }
}

/**
 * Copies everything from the database of the installation into an empty one, row by row and without a file between
 * them. Contents of attachments stay in the data folder. The old database is only read.
 */
export async function moveInstallation(config: Config, target: Db, progress: Progress): Promise<LoadedParts> {
  const snapshot = await openSnapshot(config.databaseUrl)
  try {
    await requireReadable(snapshot)
    await requireEmpty(target)
    await requireContents(snapshot, config.dataFolder)
    const counts = await countRows(snapshot)
    const contents = new Contents(join(config.dataFolder, 'attachments'))
    const parts = () => namingTheSource(readInstallation(snapshot, undefined))
    const source = { schema: migrations.length, counts }
    const options = { discardWaiting: false, attachmentsInFolder: false }
    return await markingUnfinished(config.dataFolder, 'move', () =>
      loadInstallation({ db: target, contents }, { ...source, parts }, options, progress),
    )
  } finally {
    await snapshot.close()
  }
}

/** Keys are hashes, so the first ones are like all others. */
const CONTENTS_LOOKED_AT = 1000

/** With the data folder of another installation the attachments would be lost, or mixed with others. */
async function requireContents(snapshot: Snapshot, dataFolder: string) {
  const [store] = await allRows(snapshot, `select value from parameters where name = 'attachment_store'`)
  if (store?.value === 's3') return
  const keys = await allRows(snapshot, `${KEYS_OF_CONTENTS} limit ${CONTENTS_LOOKED_AT}`)
  const folder = new FolderStore(join(dataFolder, 'attachments'))
  let present = 0
  for (const { key } of keys) if (await folder.has(String(key))) present++
  if (present * 2 >= keys.length) return
  throw new Refusal(
    `LACEWING_DATA is ${dataFolder}, which has ${present} of the first ${keys.length} contents of attachments: set it to the data folder of the installation, where they are. Nothing was moved. To move without attachments, use lacewing export and lacewing import.`,
  )
}
