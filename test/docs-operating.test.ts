import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, it } from 'node:test'
import type { BodyAt } from './support/body-types.ts'
import { findProgram } from './support/debian-program.ts'
import { fencedIn, root } from './support/doc-examples.ts'
import { fileBug } from './support/file-bug.ts'
import { freePort } from './support/free-port.ts'
import { itInSoak } from './support/sample.ts'
import { ServerProcess, stopAll } from './support/server-process.ts'
import { describeOnSqlite } from './support/world.ts'

const blocks = fencedIn('docs/operating.md')
const manual = readFileSync(`${root}docs/operating.md`, 'utf8')
const newFolder = () => mkdtempSync(join(process.env.LACEWING_TEST_FOLDER ?? tmpdir(), 'operating-'))
const KEY = 'a-key-that-was-given'

describe('The systemd unit of docs/operating.md', () => {
  const SYSTEMD = { name: 'systemd-analyze', package: 'systemd', versionOption: '--version' }
  const unit = blocks.find(({ language }) => language === 'ini')?.text ?? ''

  it('is valid for systemd and can be enabled', () => {
    const program = findProgram(SYSTEMD)
    if (program === undefined) return
    const folder = newFolder()
    const units = join(folder, 'etc/systemd/system')
    mkdirSync(units, { recursive: true })
    const file = join(units, 'lacewing.service')
    writeFileSync(file, unit.replaceAll('/opt/lacewing/', root))
    const verified = spawnSync(program, ['verify', file], { encoding: 'utf8' })
    assert.deepEqual([verified.status, verified.stderr], [0, ''])
    const enabled = spawnSync(join(dirname(program), 'systemctl'), ['--root', folder, 'enable', 'lacewing.service'])
    assert.equal(enabled.status, 0, String(enabled.stderr))
    assert.ok(existsSync(join(units, 'multi-user.target.wants')))
  })
})

describe('The recipe for systemd', () => {
  it('makes the folders that it writes to, and needs no other', () => {
    const recipe = blocks.find(({ text }) => text.includes('systemctl enable --now lacewing'))?.text ?? ''
    const folder = newFolder()
    const own = recipe
      .split('\n')
      .filter((line) => line.startsWith('install '))
      .map((line) => line.replaceAll(/ -[og] \S+/g, '').replaceAll('/etc/lacewing', `${folder}/etc/lacewing`))
    mkdirSync(join(folder, 'etc'))
    writeFileSync(join(folder, 'lacewing.env'), 'LACEWING_DATA=/var/lib/lacewing\n')
    execFileSync('sh', ['-ec', own.join('\n')], { cwd: folder })
    assert.equal(statSync(join(folder, 'etc/lacewing/lacewing.env')).mode & 0o777, 0o640)
    assert.equal(statSync(join(folder, 'etc/lacewing')).mode & 0o777, 0o750)
  })
})

describe('compose.yaml', () => {
  const COMPOSE = { name: 'docker-compose', package: 'docker-compose', versionOption: 'version' }
  const text = readFileSync(`${root}compose.yaml`, 'utf8')

  it('passes on every setting that the image does not set', () => {
    const settings = new Set(readFileSync(`${root}src/platform/config/config.ts`, 'utf8').match(/LACEWING_[A-Z_]+/g))
    const decided = [...readFileSync(`${root}Dockerfile`, 'utf8').matchAll(/(LACEWING_\w+)=/g)].map(([, name]) => name)
    const passed = [...text.matchAll(/^ +(LACEWING_\w+): /gm)].map(([, name]) => name)
    assert.deepEqual(passed.sort(), [...settings].filter((name) => !decided.includes(name)).sort())
  })

  it('is valid for docker compose', () => {
    const program = findProgram(COMPOSE)
    if (program === undefined) return
    const env = { PATH: process.env.PATH ?? '', POSTGRES_PASSWORD: 'x', LACEWING_SMTP_URL: 'smtp://mail.example.com' }
    const shown = execFileSync(program, ['-f', 'compose.yaml', 'config'], { cwd: root, env, encoding: 'utf8' })
    assert.match(shown, /LACEWING_SMTP_URL: "?smtp:\/\/mail\.example\.com/)
    assert.match(shown, /LACEWING_DATABASE_URL: "?postgres:\/\/lacewing:x@postgres/)
  })
})

describe('The Docker image', () => {
  const lines = readFileSync(`${root}Dockerfile`, 'utf8')
    .replaceAll(/^ *#.*\n/gm, '')
    .replaceAll('\\\n', '')
    .split('\n')
  const all = (word: string) =>
    lines.flatMap((line) => (line.startsWith(`${word} `) ? line.slice(word.length + 1) : []))
  after(stopAll)

  it('is made of the release, of files that are sent to Docker', () => {
    const sent = readFileSync(`${root}.dockerignore`, 'utf8').split('\n')
    const copied = all('COPY').flatMap((step) => step.split(' ').slice(0, -1))
    assert.deepEqual(
      copied.filter((name) => !sent.includes(`!${name}`) || !existsSync(root + name)),
      ['--from=release', '/build/lacewing'],
    )
    assert.ok(all('RUN').some((step) => step.startsWith('npm run release && ')))
  })

  it('has every folder that the server and the pages import from', () => {
    const files = globSync('{src,shared,web}/**/*.{ts,tsx}', { cwd: root }).filter((file) => !file.endsWith('.test.ts'))
    const imported = files.flatMap((file) =>
      [...readFileSync(root + file, 'utf8').matchAll(/ from '(\.\.?\/[^']+)'/g)].map(
        ([, path = '']) => join(dirname(file), path).split('/')[0] ?? '',
      ),
    )
    const copied = all('COPY').map((step) => step.split(' ')[0] ?? '')
    assert.deepEqual(
      [...new Set(imported)].filter((folder) => !copied.includes(folder)),
      [],
    )
  })

  // Docker itself is not needed: the steps of the file are carried out in a folder. That installs the packages anew.
  itInSoak('can run the server, its health check, and the commands of docs/operating.md', async () => {
    const [build, data] = [newFolder(), newFolder()]
    const path = `${dirname(process.execPath)}:${process.env.PATH}`
    for (const step of all('COPY').filter((it) => !it.startsWith('--from')))
      for (const name of step.split(' ').slice(0, -1)) cpSync(root + name, join(build, name), { recursive: true })
    for (const step of all('RUN').filter((it) => !it.includes('chown')))
      execFileSync('sh', ['-c', step], { cwd: build, env: { ...process.env, PATH: path }, stdio: 'pipe' })
    const folder = join(newFolder(), 'lacewing')
    renameSync(join(build, 'lacewing'), folder)
    rmSync(build, { recursive: true })
    const port = String(await freePort())
    const env = { PATH: path, LACEWING_DATA: data, LACEWING_PORT: port, LACEWING_ADMIN_API_KEY: KEY }
    const server = new ServerProcess(env, [], { cwd: folder, program: JSON.parse(all('CMD')[0] as string) })
    const { url } = await server.listening()
    const check = JSON.parse(/CMD (\[.*\])/.exec(all('HEALTHCHECK')[0] as string)?.[1] ?? '[]') as string[]
    execFileSync(check[0] as string, check.slice(1), { cwd: folder, env })

    const headers = { 'X-TRACKER-API-KEY': KEY, 'Content-Type': 'application/json' }
    await fetch(`${url}/rest/parameters`, { method: 'PUT', headers, body: '{"incoming_address": "bugs@example.com"}' })
    const { address } = (await (await fetch(`${url}/rest/user/1/mail_address`, { headers })).json()) as BodyAt<
      'GET',
      '/rest/user/1/mail_address'
    >
    const fields = '@product = TestProduct\n@component = TestComponent\n\n'
    const message = `From: a@example.com\nTo: ${address}\nSubject: By mail\nMessage-ID: <1@example.com>\n\n${fields}Text`
    writeFileSync(join(folder, 'message.eml'), message)
    const commands = blocks.find(({ text }) => text.startsWith('docker exec '))?.text.split(/\n(?=docker)/) ?? []
    const own = (start: string) =>
      commands
        .find((it) => it.startsWith(start))
        ?.slice(start.length)
        .replaceAll('/data/', `${data}/`) as string
    const received = execFileSync('sh', ['-c', own('docker exec -i lacewing ')], { cwd: folder, env, encoding: 'utf8' })
    assert.match(received, /bug 1001/)
    execFileSync('sh', ['-c', own('docker exec lacewing ')], { cwd: folder, env, stdio: 'pipe' })
    assert.deepEqual(summariesIn(join(data, 'backup.db')), ['By mail'])
    await server.stop()
  })
})

describeOnSqlite('The settings that docs/operating.md recommends', (world) => {
  it('are taken as they are written', async () => {
    const sent = blocks.flatMap(({ text, place }) => {
      const [, path, body] =
        /^curl -X PUT [\s\S]* https:\/\/bugs\.example\.com(\/rest\/\S+) -d '(\{[\s\S]*\})'$/.exec(text) ?? []
      return path === undefined || body === undefined ? [] : { path, body, place }
    })
    assert.equal(sent.length, 5)
    for (const { path, body, place } of sent) {
      const { status, text } = await world.ada.put(path, JSON.parse(body))
      assert.equal(status, 200, `${place}: ${text}`)
    }
    assert.equal((await world.nobody.get('/rest/product')).status, 401)
  })
})

describeOnSqlite('Each kind of installation in docs/operating.md', (world) => {
  const KINDS = [
    { kind: 'Public project', statuses: [202, 202] },
    { kind: 'Company', statuses: [400, 202] },
    { kind: 'Closed team', statuses: [400, 400] },
  ]

  /** The parameters of a column of the table, as JSON values. */
  function columnOf(index: number): Record<string, unknown> {
    const table = manual.slice(manual.indexOf('| | public project |')).split('\n\n')[0] ?? ''
    const rows = table.split('\n').filter((row) => row.startsWith('| `'))
    return Object.fromEntries(
      rows.flatMap((row) => {
        const [, first = '', ...cells] = row.split(/ ?\| ?/)
        const [names, values] = [first, cells[index] ?? ''].map((cell) =>
          [...cell.matchAll(/`([^`]*)`/g)].map(([, it]) => it),
        )
        return (names ?? []).map((name, place) => [name, JSON.parse(values?.[place] ?? 'null')])
      }),
    )
  }

  it('is one command with all parameters of its column, and does what the table says', async () => {
    for (const [index, { kind, statuses }] of KINDS.entries()) {
      const text = blocks.find((block) => block.text.startsWith(`# ${kind}\n`))?.text ?? ''
      const sent = JSON.parse(/ -d '(\{[\s\S]*\})'$/.exec(text)?.[1] ?? '{}')
      assert.deepEqual(sent, columnOf(index), kind)
      assert.equal((await world.ada.put('/rest/parameters', sent)).status, 200, kind)
      const join = async (email: string) => (await world.nobody.post('/rest/account', { email })).status
      assert.deepEqual([await join('new@elsewhere.test'), await join('new@example.com')], statuses, kind)
      const readable = (await world.nobody.get('/rest/product?type=accessible')).status
      assert.equal(readable, sent.requirelogin ? 401 : 200, kind)
    }
  })
})

describeOnSqlite('The commands of docs/operating.md', (world) => {
  it('can be read by a shell', () => {
    for (const { text, place } of blocks.filter(({ language }) => language === 'sh')) {
      const checked = spawnSync('sh', ['-n'], { input: text, encoding: 'utf8' })
      assert.deepEqual([checked.status, checked.stderr], [0, ''], place)
    }
  })

  it('back up a database while it is in use, with sqlite3 and with Node', async () => {
    const sqlite3 = findProgram({ name: 'sqlite3', package: 'sqlite3', versionOption: '--version' })
    const [data, backups] = [world.dataFolder, newFolder()]
    await fileBug(world.ada, { summary: 'Kept' })
    for (const program of [sqlite3, 'node']) {
      if (program === undefined) continue
      const command = blocks.find(
        ({ text }) => text.startsWith(`${basename(program)} `) || text.startsWith(`${program} `),
      )
      const own = command?.text.replaceAll('/var/lib/lacewing', data).replaceAll('/backup', backups) as string
      execFileSync('sh', ['-c', own.replace(/^\S+/, program)], { cwd: root })
      assert.deepEqual(summariesIn(join(backups, 'lacewing.db')), ['Kept'], program)
      rmSync(join(backups, 'lacewing.db'))
    }
  })

  it('receive mail through the script, with the settings that systemd reads', () => {
    const script = blocks.find(({ text }) => text.startsWith('#!/bin/sh'))?.text as string
    const [, settings] =
      /EnvironmentFile=(\S+)/.exec(blocks.find(({ language }) => language === 'ini')?.text ?? '') ?? []
    assert.ok(settings !== undefined && script.includes(settings))
    const folder = newFolder()
    const file = join(folder, 'receive-mail.sh')
    writeFileSync(file, script.replaceAll('/opt/lacewing', root).replaceAll('/etc/lacewing', folder))
    chmodSync(file, 0o755)
    const refused = () => spawnSync(file, { input: 'To: nobody@example.com\n\nText', encoding: 'utf8' })
    assert.equal(refused().status, 75, 'without settings the mail server tries again')
    writeFileSync(join(folder, 'lacewing.env'), `LACEWING_DATA=${folder}/data\n`)
    const { status, stderr } = refused()
    assert.equal(status, 65)
    assert.match(stderr, /refused: the parameter incoming_address is empty/)
  })
})

function summariesIn(file: string) {
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = database.prepare('select summary from bugs').all() as { summary: string }[]
  database.close()
  return rows.map(({ summary }) => summary)
}
