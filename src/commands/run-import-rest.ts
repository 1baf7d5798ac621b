import { readFileSync } from 'node:fs'
import type { FinishedImport } from '../moving/bugzilla/import-staged.ts'
import { REST_DEFAULTS } from '../moving/rest-client/rest-server.ts'
import { importRest } from '../moving/rest-import/import-rest.ts'
import { readConfig, readKeyVariables } from '../platform/config/config.ts'
import { Refusal } from '../platform/refusal.ts'
import { requireWritableFile } from '../platform/whole-file.ts'
import { claimFolders, openMigrated } from '../prepare.ts'
import type { ImportRestOptions } from './import-options.ts'
import type { CommandOutput } from './output.ts'
import { requireNew } from './require-new.ts'

export async function runImportRest(
  address: string,
  options: ImportRestOptions,
  { rate, timeout }: { rate: number; timeout: number },
  output: CommandOutput,
) {
  const config = readConfig()
  const key = keyFrom(options)
  requireNew(options.report, options.force)
  if (options.report !== undefined) requireWritableFile(options.report)
  claimFolders(config, 'server')
  const db = await openMigrated(config, true)
  let finished: FinishedImport | undefined
  try {
    finished = await importRest(
      db,
      config,
      {
        address,
        products: options.product,
        key,
        reportFile: options.report,
        rest: { ...REST_DEFAULTS, rate, timeoutMilliseconds: timeout * 1000 },
      },
      output.progress,
    )
    output.confirm({ report: finished.file, summary: finished.summary.split('\n') }, finished.summary)
  } finally {
    await db.close()
    finished?.removeStaging()
  }
}

/** In the environment or in a file: other users of the machine see the command line. */
function keyFrom({ keyFile }: ImportRestOptions): string | undefined {
  const key = keyFile === undefined ? readKeyVariables().BUGZILLA_API_KEY?.trim() : keyIn(keyFile)
  if (key === undefined || key === '') return undefined
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) throw new Refusal('The API key has characters that no key has.')
  return key
}

function keyIn(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (fault) {
    throw new Refusal(`The key file ${file} cannot be read: ${(fault as NodeJS.ErrnoException).code}.`)
  }
}
