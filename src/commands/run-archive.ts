import { readSettings } from '../access/installation.ts'
import { exportArchive } from '../moving/archive/export-archive.ts'
import { type ArchiveImportOptions, importArchive } from '../moving/archive/import-archive.ts'
import type { WrittenArchive } from '../moving/archive/write-archive.ts'
import { type Config, readConfig } from '../platform/config/config.ts'
import type { Db } from '../platform/database/db.ts'
import { ProgressReporter } from '../platform/progress.ts'
import { claimFolders, openDatabaseOf } from '../prepare.ts'

export async function runExport(file: string, attachmentsByReference: boolean) {
  const written = await exportArchive(readConfig(), file, { attachmentsByReference }, new ProgressReporter())
  // Standard output may be the archive itself.
  console.error(sentenceFor(written, file === '-' ? 'standard output' : file))
}

export async function runArchiveImport(file: string, options: ArchiveImportOptions) {
  const config = readConfig()
  claimFolders(config, 'server')
  const db = await openDatabaseOf(config)
  try {
    const { manifest, rows, contents } = await importArchive(db, config, file, options, new ProgressReporter())
    console.log(
      `Imported the archive of ${manifest.written_at} (release ${manifest.release}): ${count(rows)} rows and ${count(contents)} contents of attachments.`,
    )
    if (manifest.attachments === 'by reference') console.log(await whereContentsAre(db, config))
  } finally {
    await db.close()
  }
}

async function whereContentsAre(db: Db, { dataFolder }: Config) {
  const { attachment_store, s3_bucket } = await readSettings(db)
  const folder = `copy those of the old folder attachments to ${dataFolder}/attachments`
  return attachment_store === 's3'
    ? `The archive has no contents of attachments: they are read from the bucket ${s3_bucket} of the S3 store. If some are not there, ${folder}.`
    : `The archive has no contents of attachments: ${folder}.`
}

export function sentenceFor({ rows, contents, missingContents }: WrittenArchive, file: string) {
  const written = `Wrote ${count(rows)} rows and ${count(contents)} contents of attachments to ${file}.`
  const missing = missingContents.length
  if (missing === 0) return written
  return `${written}\n${count(missing)} contents are missing or damaged and are not in it: run npx lacewing check.`
}

function count(number: number) {
  return number.toLocaleString('en')
}
