import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrations } from '../src/platform/database/migrations/index.ts'
import { makeBugs } from './bug-set.ts'

/** To be raised when the bugs that are made become other ones. */
const EDITION = 2

/**
 * A folder with an installation of that many bugs, kept from one run to the next: a million takes minutes to make. It is made anew when
 * the bugs that are made have become others.
 */
export async function keptSet(root: string, size: number): Promise<string> {
  const folder = join(root, `lacewing-bench-search-${size}`)
  const made = join(folder, 'made')
  const edition = [EDITION, ...migrations.map(({ name }) => name)].join(' ')
  // What is newer in the schema is migrated when the server starts, as anywhere else.
  if (existsSync(made) && edition.startsWith(readFileSync(made, 'utf8'))) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const started = performance.now()
  await makeBugs(folder, size)
  writeFileSync(made, edition)
  console.log(
    `${size} bugs took ${((performance.now() - started) / 1000).toFixed(0)} s to make; they stay in ${folder}`,
  )
  return folder
}
