import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { writeClient } from '../scripts/write-client.ts'
import { cast } from './support/cast.ts'
import { itInSoak } from './support/sample.ts'
import { describeOnSqlite } from './support/world.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)

describeOnSqlite('the package of the typed client', (world) => {
  itInSoak(
    'compiles without the server, refuses wrong names, and does what its README shows; the command runs from it',
    async () => {
      const folder = mkdtempSync(join(process.env.LACEWING_TEST_FOLDER ?? tmpdir(), 'client-'))
      await writeClient(root, join(folder, 'node_modules/lacewing-client'))
      const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, 'client/README.md'), 'utf8')) ?? []
      const program = example
        .replace('https://bugs.example.org', world.url)
        .replace('the key of an account', cast.ada.apiKey)
      writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
      writeFileSync(join(folder, 'program.ts'), program)
      const options = {
        strict: true,
        module: 'nodenext',
        target: 'es2024',
        lib: ['es2024', 'dom'],
        types: [],
        noEmit: true,
      }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.ts'] }))
      const compile = () => run(process.execPath, [join(root, 'node_modules/typescript-native/bin/tsc'), '-p', folder])
      await compile()
      const { stdout } = await run(process.execPath, [join(folder, 'program.ts')])
      assert.match(stdout, /^\d+ It smokes$/m)
      assert.match(stdout, /^bug\.update \d+ \[.*'priority'.*\]$/m)
      assert.match(stdout, /^100 no_such_alias$/m)
      const command = join(folder, 'node_modules/lacewing-client/lacewing.js')
      const env = {
        PATH: process.env.PATH,
        HOME: folder,
        LACEWING_SERVER: world.url,
        LACEWING_API_KEY: cast.ada.apiKey,
      }
      const list = await run(process.execPath, [command, 'list', 'smokes', '--columns', 'summary'], { env })
      assert.equal(list.stdout, 'It smokes\n')
      const page = readFileSync(join(folder, 'node_modules/lacewing-client/docs/command-line.md'), 'utf8')
      assert.deepEqual([/^# The command line/.test(page), /\]\((?!#)/.test(page)], [true, false])
      writeFileSync(join(folder, 'program.ts'), program.replace("'id,summary'", "'id,status'"))
      await assert.rejects(compile(), ({ stdout: faults }: { stdout: string }) =>
        /'summary' does not exist/.test(faults),
      )
    },
  )
})
