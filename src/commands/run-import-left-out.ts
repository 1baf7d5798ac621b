import { importLeftOut } from '../moving/bugzilla/import-left-out.ts'
import type { CommandOutput } from './output.ts'
import { withInstallation } from './with-installation.ts'

export function runImportLeftOut(file: string, output: CommandOutput) {
  return withInstallation(async (db) => {
    const counts = await importLeftOut(db, file)
    const { votes, products, skipped } = counts
    output.confirm(
      { ...counts },
      `Imported ${votes} votes, and the limits of votes of ${products} products. ${skipped} were there already, or are of bugs, users or products that are not there.`,
    )
  })
}
