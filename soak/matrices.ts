import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Files of which `npm test` runs only some combinations, one of two engines, or not the long tests: see test/support/sample.ts and world.ts. */
const IN_PART = /support\/sample\.ts|support\/watched-server\.ts|InSoak|OnOneEngine|\.onOneEngine/

/** With its stories, where these have files of their own in a folder of the same name. */
function textOf(file: string): string {
  const stories = globSync(`${file.replace('.test.ts', '')}/*.ts`, { cwd: root })
  return [file, ...stories].map((name) => readFileSync(join(root, name), 'utf8')).join('\n')
}

/** Runs these tests with every combination. */
export async function soakMatrices(): Promise<boolean> {
  const files = globSync('{src,test}/**/*.test.ts', { cwd: root })
    .filter((file) => IN_PART.test(textOf(file)))
    .sort()
  const run = fileURLToPath(new URL('../test/support/run.ts', import.meta.url))
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', run, ...files], {
    cwd: root,
    env: { ...process.env, LACEWING_TEST_EVERY_COMBINATION: '1' },
    stdio: 'inherit',
  })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  return code === 0
}
