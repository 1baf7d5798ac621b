import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { cast } from '../support/cast.ts'
import { itInSoak } from '../support/sample.ts'
import { describeOnSqlite } from '../support/world.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'lacewing-generated-'))
after(() => rmSync(folder, { recursive: true, force: true }))

describeOnSqlite('a client that is generated from the OpenAPI document', (world) => {
  itInSoak('compiles, and does a typical day of work', async () => {
    const { text } = await world.nobody.get('/rest/openapi.json')
    const program = await compiled(text)
    const { typicalCalls } = await import(pathToFileURL(program).href)
    const { id, ...rest } = await typicalCalls(world.url, cast.ada.apiKey)
    assert.deepEqual(rest, {
      summary: 'The lamp is dark',
      ids: [id],
      added: 'RESOLVED',
      texts: ['', 'It was bright yesterday.', 'A new bulb.'],
      me: cast.ada.login,
      code: 101,
    })
  })
})

/** Generates the types, checks the program against them with the project's own compiler options, and answers where it is. */
async function compiled(document: string): Promise<string> {
  const program = join(folder, 'typical-calls.ts')
  mkdirSync(join(folder, 'generated'), { recursive: true })
  writeFileSync(join(folder, 'generated/lacewing.ts'), astToString(await openapiTypescript(JSON.parse(document))))
  copyFileSync(join(root, 'test/openapi/typical-calls.ts'), program)
  rmSync(join(folder, 'node_modules'), { force: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { lib: ['es2025', 'dom'], rootDir: '/', preserveSymlinks: true },
      include: ['*.ts'],
    }),
  )
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript-native/bin/tsc'), '-p', folder], {
      encoding: 'utf8',
    })
  } catch (fault) {
    assert.fail(`The client does not compile: ${(fault as { stdout: string }).stdout}`)
  }
  return program
}
