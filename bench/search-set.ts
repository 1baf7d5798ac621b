import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrations } from '../src/platform/database/migrations/index.ts'
import { makeBugs } from './bug-set.ts'

/** To be increased when the generated bugs change. */
const EDITION = 2

/**
 * A folder with an installation of this many bugs, which is kept between runs: a million bugs take minutes to create.
 * It is created again when the generated bugs change.
 */
export async function reusableSet(root: string, size: number): Promise<string> {
  const folder = join(root, `lacewing-bench-search-${size}`)
  const made = join(folder, 'made')
  const edition = [EDITION, ...migrations.map(({ name }) => name)].join(' ')
  // Newer migrations run when the server starts, as usual.
  if (existsSync(made) && edition.startsWith(readFileSync(made, 'utf8'))) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const started = performance.now()
  await makeBugs(folder, size)
  writeFileSync(made, edition)
  console.log(
    `${size} bugs took ${((performance.now() - started) / 1000).toFixed(0)} s to create; they stay in ${folder}`,
  )
  return folder
}
