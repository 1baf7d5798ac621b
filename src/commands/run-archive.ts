import { readSettings } from '../access/installation.ts'
import { type ExportOptions, exportArchive } from '../moving/archive/export-archive.ts'
import { type ArchiveImportOptions, importArchive } from '../moving/archive/import-archive.ts'
import type { WrittenArchive } from '../moving/archive/write-archive.ts'
import { type Config, readConfig } from '../platform/config/config.ts'
import type { Db } from '../platform/database/db.ts'
import { claimFolders, openDatabaseOf } from '../prepare.ts'
import type { CommandOutput } from './output.ts'

export async function runExport(file: string, options: ExportOptions, output: CommandOutput) {
  const written = await exportArchive(readConfig(), file, options, output.progress)
  const sentence = sentenceFor(written, file === '-' ? 'standard output' : file)
  // Standard output may be the archive itself.
  if (file === '-' || !output.isJson) return output.note(sentence)
  const { rows, contents, missingContents } = written
  output.confirm({ file, rows, contents, missing_contents: missingContents.length }, sentence)
}

export async function runArchiveImport(file: string, options: ArchiveImportOptions, output: CommandOutput) {
  const config = readConfig()
  claimFolders(config, 'server')
  const db = await openDatabaseOf(config)
  try {
    const { manifest, rows, contents } = await importArchive(db, config, file, options, output.progress)
    const lines = [
      `Imported the archive of ${manifest.written_at} (release ${manifest.release}): ${count(rows)} rows and ${count(contents)} contents of attachments.`,
      ...(manifest.attachments === 'by reference' ? [await whereContentsAre(db, config)] : []),
    ]
    output.confirm({ written_at: manifest.written_at, release: manifest.release, rows, contents }, lines.join('\n'))
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
