import { exportArchive } from '../moving/archive/export-archive.ts'
import { importArchive } from '../moving/archive/import-archive.ts'
import type { WrittenArchive } from '../moving/archive/write-archive.ts'
import { readConfig } from '../platform/config/config.ts'
import { ProgressReporter } from '../platform/progress.ts'
import { claimFolders, openDatabaseOf } from '../prepare.ts'

export async function runExport(file: string, attachmentsByReference: boolean) {
  const written = await exportArchive(readConfig(), file, { attachmentsByReference }, new ProgressReporter())
  // Standard output may be the archive itself.
  console.error(sentenceFor(written, file === '-' ? 'standard output' : file))
}

export async function runArchiveImport(file: string, discardWaiting: boolean) {
  const config = readConfig()
  claimFolders(config, 'server')
  const db = await openDatabaseOf(config)
  try {
    const { manifest, rows, contents } = await importArchive(
      db,
      config,
      file,
      { discardWaiting },
      new ProgressReporter(),
    )
    console.log(
      `Imported the archive of ${manifest.written_at} (release ${manifest.release}): ${count(rows)} rows and ${count(contents)} contents of attachments.`,
    )
    if (manifest.attachments === 'by reference')
      console.log(`The archive has no contents of attachments: copy them to ${config.dataFolder}/attachments.`)
  } finally {
    await db.close()
  }
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
