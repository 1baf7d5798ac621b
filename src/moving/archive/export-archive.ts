import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { readSettings } from '../../access/installation.ts'
import type { Config } from '../../platform/config/config.ts'
import { Contents } from '../../platform/contents/contents.ts'
import { openDatabase } from '../../platform/database/open-database.ts'
import { openSnapshot } from '../../platform/database/open-snapshot.ts'
import type { Snapshot } from '../../platform/database/snapshot.ts'
import type { Progress } from '../../platform/progress.ts'
import { writeNewFile, writeWholeFile } from '../../platform/whole-file.ts'
import { newManifest } from './manifest.ts'
import {
  type ContentSource,
  countContents,
  countRows,
  readInstallation,
  requireArchivable,
} from './read-installation.ts'
import { type WrittenArchive, writeArchive } from './write-archive.ts'

export interface ExportOptions {
  /** Leaves the contents of attachments out. */
  attachmentsByReference: boolean
  mayOverwrite?: boolean
}

/** Writes everything in the installation to a file, or to standard output if the name is `-`. */
export async function exportArchive(
  config: Config,
  file: string,
  options: ExportOptions,
  progress: Progress,
): Promise<WrittenArchive> {
  const snapshot = await openSnapshot(config.databaseUrl)
  try {
    const schema = await requireArchivable(snapshot)
    const source = { snapshot, schema, config }
    if (file === '-') return await exportTo(process.stdout, source, options, progress)
    const writeFile = options.mayOverwrite ? writeWholeFile : writeNewFile
    return await writeFile(file, (output) => exportTo(output, source, options, progress))
  } finally {
    await snapshot.close()
  }
}

async function exportTo(
  output: Writable,
  { snapshot, schema, config }: { snapshot: Snapshot; schema: number; config: Config },
  { attachmentsByReference }: ExportOptions,
  progress: Progress,
): Promise<WrittenArchive> {
  const counts = await countRows(snapshot)
  const manifest = newManifest({
    schema,
    engine: snapshot.engine,
    attachments: attachmentsByReference ? 'by reference' : 'included',
    counts,
    contents: attachmentsByReference ? 0 : await countContents(snapshot),
  })
  progress.begin(
    'Exporting',
    Object.values(counts).reduce((sum, rows) => sum + rows, 0),
  )
  const parts = readInstallation(snapshot, attachmentsByReference ? undefined : await contentsOf(config))
  const written = await writeArchive(output, manifest, parts, (rows) => progress.advance(rows))
  progress.end()
  return written
}

/** The content stores of the installation, which its parameters name. */
export async function contentsOf(config: Config): Promise<ContentSource> {
  const db = openDatabase(config.databaseUrl)
  try {
    const settings = await readSettings(db)
    const contents = new Contents(join(config.dataFolder, 'attachments'))
    return { open: (key, size) => contents.open(settings, key, size) }
  } finally {
    await db.close()
  }
}
