import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Server, startServer } from '../bench/processes.ts'
import type { BodyAt } from '../test/support/body-types.ts'
import { runCommand } from './command.ts'
import { type Engine, makeStorage, type Storage } from './storage.ts'
import { unexpectedValues } from './world-values.ts'

/** Of these accounts nobody knows how the password is hashed, or the hash is of `crypt()`. */
const UNUSABLE_PASSWORDS = 2
const DIFFERENCES = fileURLToPath(new URL('./world-differences.txt', import.meta.url))

/**
 * Imports a real Bugzilla from the folder that WORLD_FOLDER names, and compares the answers of the import with the
 * recorded ones: each must agree, except where docs/compat.md says why. The folder has the dump, the parameters, the
 * attachments, API keys, the recorded answers, and the script that records and compares.
 */
export async function soakWorld(engine: Engine): Promise<boolean> {
  const folder = process.env.WORLD_FOLDER
  if (folder === undefined || !existsSync(join(folder, 'answers.json.gz'))) {
    console.log('world: not run, because WORLD_FOLDER does not name a folder with answers.json.gz')
    return true
  }
  const world = (name: string) => join(folder, name)
  const storage = await makeStorage(engine)
  const settings = { LACEWING_DATA: storage.folder, ...storage.environment }
  try {
    const options = ['--params', world('params.json'), '--attachments', world('attachments'), '--time-zone', 'UTC']
    await runCommand(['import', 'bugzilla', world('world.sql.gz'), ...options], settings)
    // It throws unless nothing is wrong.
    await runCommand(['check'], settings)
    console.log(`world: ${engine}: imported, and the check found nothing`)
    return await compareServer(storage, world)
  } finally {
    await storage.remove()
  }
}

async function compareServer(storage: Storage, world: (name: string) => string): Promise<boolean> {
  const server = await startServer(storage.folder, storage.environment)
  try {
    const base = `http://127.0.0.1:${server.port}/rest`
    const mine = join(storage.folder, 'answers.json.gz')
    const record = ['record', '--base', base, '--keys', world('keys.json'), '--like', world('answers.json.gz')]
    run(world('record-world.mjs'), [...record, '--out', mine])
    const compared = run(world('record-world.mjs'), ['diff', world('answers.json.gz'), mine, '--decided', DIFFERENCES])
    const explained = Number(/(\d+) answers agree because/.exec(compared)?.[1] ?? 0)
    const [, agree = 0, all = 0, differ = 0] = (/(\d+) of (\d+) answers agree, (\d+) differ/.exec(compared) ?? []).map(
      Number,
    )
    const unused = compared.split('\n').filter((line) => line.includes('(matches nothing)'))
    if (differ > 0) console.log(compared.replace(/^decided: .*\n/gm, ''))
    for (const line of unused) console.log(`world: ${line}`)
    const values = unexpectedValues(world('answers.json.gz'), mine)
    for (const line of values.slice(0, 20)) console.log(`world: ${line}`)
    console.log(
      `world: ${storage.engine}: of ${all} answers ${agree - explained} agree literally, ${explained} with differences that docs/compat.md explains, ${differ} do not`,
    )
    const areAccountsUsable = await accountsWork(server, storage.engine, world)
    return all > 0 && differ === 0 && unused.length === 0 && values.length === 0 && areAccountsUsable
  } finally {
    await server.stop()
  }
}

function run(script: string, words: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, ...words], {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  })
  if (status === null || status > 1) throw new Error(`${script} ${words[0]} ended with ${status}: ${stderr}`)
  return stdout
}

/** Every old password and every old API key must work. */
async function accountsWork({ port }: Server, engine: Engine, world: (name: string) => string): Promise<boolean> {
  const get = async <const Path extends string>(path: Path) => {
    const response = await fetch(`http://127.0.0.1:${port}/rest/${path}`, { headers: { Accept: 'application/json' } })
    return (await response.json()) as Partial<BodyAt<'GET', `/rest/${Path}`>>
  }
  const keys: Record<string, string> = JSON.parse(readFileSync(world('keys.json'), 'utf8'))
  let usableKeys = 0
  for (const key of Object.values(keys)) {
    const { code, id } = await get(`whoami?api_key=${encodeURIComponent(key)}`)
    if (id !== undefined || code === DISABLED) usableKeys++
  }
  const everybody = await get(`user?match=*&limit=1000&include_disabled=1&include_fields=name&api_key=${keys.admin}`)
  const users = everybody.users ?? []
  let right = 0
  for (const { name } of users) {
    const password = name.startsWith('admin@') ? 'adminpass1' : 'password1'
    const { code, id } = await get(`login?login=${encodeURIComponent(name)}&password=${password}`)
    if (id !== undefined || code === DISABLED) right++
  }
  console.log(
    `world: ${engine}: ${right} of ${users.length} passwords and ${usableKeys} of ${Object.keys(keys).length} API keys work`,
  )
  return right === users.length - UNUSABLE_PASSWORDS && usableKeys === Object.keys(keys).length
}

/** The account is disabled: said only if the password or the key is right. */
const DISABLED = 301
