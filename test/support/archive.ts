import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { buildApp } from '../../src/app.ts'
import { exportArchive } from '../../src/moving/archive/export-archive.ts'
import { type ArchiveImportOptions, importArchive } from '../../src/moving/archive/import-archive.ts'
import { CHECKSUMS, MANIFEST, type Manifest, manifestText, parseManifest } from '../../src/moving/archive/manifest.ts'
import { TAR_END, tarHeader, tarPadding } from '../../src/moving/archive/tar.ts'
import { assignEventPositions } from '../../src/outbound/events/assign-event-positions.ts'
import { type Config, readConfig } from '../../src/platform/config/config.ts'
import { NO_PROGRESS, type Progress } from '../../src/platform/progress.ts'
import { openDatabaseOf } from '../../src/prepare.ts'
import type { BodyAt } from './body-types.ts'
import { mysqlDump } from './bugzilla-dump.ts'
import { copyPostgres, type Engine, required } from './copy-database.ts'
import { importInto, openTarget, writeDump } from './import-bugzilla.ts'
import { emptyInstallation, newDataFolder, newInstallation } from './server-process.ts'
import { smallBugzilla } from './small-bugzilla.ts'

/** The API key of the administrator of the small Bugzilla. */
export const ADMIN_KEY = 'k'.repeat(40)
/** That of a user who sees private comments. */
export const INSIDER_KEY = 'i'.repeat(40)

const LOG = { info() {}, warn() {}, error() {}, flush: async () => {} }

export type Send = <const Verb extends string, const Path extends string>(
  method: Verb,
  path: Path,
  body?: unknown,
  key?: string,
) => Promise<{ status: number; body: BodyAt<Verb, `/rest/${Path}`> }>

/** Runs a server on an installation for as long as `work` takes. */
export async function withServer<Result>(
  config: Config,
  work: (send: Send, url: string) => Promise<Result>,
): Promise<Result> {
  const db = await openDatabaseOf(config)
  const app = buildApp(db, config, LOG as never, ({ db: own, log }) => assignEventPositions(own, log))
  try {
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    return await work(
      async <Verb extends string, Path extends string>(method: Verb, path: Path, body?: unknown, key = ADMIN_KEY) => {
        const response = await fetch(`${url}/rest/${path}`, {
          method,
          headers: { 'X-Tracker-API-Key': key, 'Content-Type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        return { status: response.status, body: (await response.json()) as BodyAt<Verb, `/rest/${Path}`> }
      },
      url,
    )
  } finally {
    await app.close()
    await db.close()
  }
}

/**
 * An installation with nearly everything that there is: an imported Bugzilla, and some changes after it. It is made once per engine and
 * run; each caller gets a copy.
 */
export async function richInstallation(engine: Engine): Promise<Config> {
  const { dataFolder, databaseUrl } = await madeOnce(engine)
  const folder = newDataFolder()
  cpSync(dataFolder, folder, { recursive: true })
  const database =
    engine === 'sqlite' ? {} : { LACEWING_DATABASE_URL: await copyPostgres(new URL(databaseUrl).pathname.slice(1)) }
  return readConfig({ LACEWING_DATA: folder, LACEWING_PORT: '0', ...database })
}

/** Where the rich installation is. The test processes take turns: the first one makes it. */
async function madeOnce(engine: Engine): Promise<Pick<Config, 'dataFolder' | 'databaseUrl'>> {
  const note = join(required('LACEWING_TEST_FOLDER'), `rich-${engine}.json`)
  if (!existsSync(note)) {
    const client = new pg.Client(`${required('LACEWING_TEST_POSTGRES')}/postgres`)
    await client.connect()
    await client.query('select pg_advisory_lock(2)')
    if (!existsSync(note)) {
      const { dataFolder, databaseUrl } = await newRichInstallation(engine)
      writeFileSync(`${note}.new`, JSON.stringify({ dataFolder, databaseUrl }))
      renameSync(`${note}.new`, note)
    }
    await client.end()
  }
  return JSON.parse(readFileSync(note, 'utf8'))
}

async function newRichInstallation(engine: Engine): Promise<Config> {
  const target = await openTarget(engine)
  await importInto(target, writeDump(target, mysqlDump(smallBugzilla())))
  await target.db.close()
  await withServer(target.config, changeMuch)
  return target.config
}

async function changeMuch(send: Send) {
  const made = async <const Path extends string>(path: Path, body: unknown, key = ADMIN_KEY) => {
    const reply = await send('POST', path, body, key)
    if (reply.status >= 300) throw new Error(`${path}: ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  const { body } = await send('GET', 'bug/10')
  const { product, component, version } = body.bugs[0]
  const filed = []
  for (const summary of ['The zeppelin leaks', 'Ünïcode — 漢字 🐛', 'A third one'])
    filed.push((await made('bug', { product, component, version, summary, description: `About ${summary}` })).id)
  const [first, second, third] = filed as [number, number, number]
  await made(`bug/${first}/comment`, { comment: 'a private xylophone', is_private: true }, INSIDER_KEY)
  await made(`bug/${first}/attachment`, {
    data: Buffer.from('some bytes of a file').toString('base64'),
    file_name: 'notes.txt',
    summary: 'notes',
    content_type: 'text/plain',
  })
  await made(`bug/${second}/attachment`, {
    // Longer than what is read of a file at once.
    data: Buffer.alloc(1_050_000, 'lacewing').toString('base64'),
    file_name: 'large.bin',
    summary: 'large',
    content_type: 'application/octet-stream',
  })
  await send('PUT', `bug/${first}`, { status: 'RESOLVED', resolution: 'DUPLICATE', dupe_of: third })
  await send('PUT', `bug/${second}`, { depends_on: { add: [third] }, whiteboard: 'on the board' })
  const tiles = [{ title: 'Leaks', kind: 'over_time', query: 'summary=zeppelin' }]
  const { body: who } = await send('GET', 'whoami')
  await made('dashboard', { name: 'Team', tiles, shared_with: [who.groups[0].name] })
  await made('absence', { from: '2026-01-01', until: new Date(Date.now() + 86_400_000).toISOString() })
  await made('rotation', { name: 'Turns', users: [who.id] })
  const queue = { name: 'Portal', query: 'summary=zeppelin', group: who.groups[0].name, rotation: 'Turns' }
  await made('triage', queue)
  await made('triage/Portal/decision', { bug: first, decision: 'accepted' })
  const until = new Date(Date.now() + 86_400_000).toISOString()
  await made('triage/Portal/decision', { bug: second, decision: 'snoozed', until })
  await made('webhook', { url: 'https://hooks.example.com/in', events: ['bug.update'] }).catch(() => {})
  await discuss(send, made, { product, component, bug: third, userId: who.id })
}

type Make = (path: 'component-watching' | 'keyword-watching' | 'reminder' | 'canned_reply', body: unknown) => unknown

/** What belongs to users and what they say about comments. */
async function discuss(
  send: Send,
  made: Make,
  at: { product: string; component: string; bug: number; userId: number },
) {
  const { product, component, bug, userId } = at
  const { body: insider } = await send('GET', 'whoami', undefined, INSIDER_KEY)
  const { body: comment } = await send('POST', `bug/${bug}/comment`, {
    comment: `What do you think, @${insider.nick}?`,
  })
  await send('PUT', `editcomments/comment/${comment.id}`, { new_comment: `Please look, @${insider.nick}.` })
  await send('PUT', `bug/comment/${comment.id}/reactions`, { add: ['+1'] }, INSIDER_KEY)
  await send('PUT', `bug/comment/${comment.id}/answer`, { is_answer: true })
  await send('PUT', `product/${product}`, { votesperuser: 20, maxvotesperbug: 5 })
  await send('PUT', `bug/${bug}/votes`, { votes: 2 })
  await send('PUT', `bug/${bug}/presence`, { writing: true })
  await send('PUT', `user/${userId}/mail`, { times: { time_zone: 'Europe/Berlin', digest_at: '08:30' } })
  await made('component-watching', { product, component })
  await made('reminder', { bug_id: bug, note: 'Is it tight?', reminder_ts: new Date().toISOString().slice(0, 10) })
  await made('canned_reply', { product, name: 'Thanks', text: 'Thank you for the report.' })
  await send('PUT', `inbox/${bug}`, { state: 'snoozed' })
}

export async function emptyConfig(engine: Engine): Promise<Config> {
  return readConfig({ ...(await emptyInstallation(engine)), LACEWING_PORT: '0' })
}

/** With tables, but without rows: an import into it does not migrate it, which takes longer than most imports. */
export async function migratedConfig(engine: Engine): Promise<Config> {
  return readConfig({ ...(await newInstallation(engine, 'migrated')), LACEWING_PORT: '0' })
}

export function newFile(name = 'archive.tar.gz') {
  return join(mkdtempSync(join(required('LACEWING_TEST_FOLDER'), 'archive-')), name)
}

export async function exported(config: Config, attachmentsByReference = false): Promise<string> {
  const file = newFile()
  await exportArchive(config, file, { attachmentsByReference }, NO_PROGRESS)
  return file
}

export async function imported(
  config: Config,
  file: string,
  options: Partial<ArchiveImportOptions> = {},
  progress: Progress = NO_PROGRESS,
) {
  const db = await openDatabaseOf(config)
  try {
    return await importArchive(
      db,
      config,
      file,
      { discardWaiting: false, attachmentsInFolder: false, ...options },
      progress,
    )
  } finally {
    await db.close()
  }
}

export interface ArchiveFile {
  name: string
  bytes: Buffer
  type?: string
}

/** The files of an archive, read without the code under test. */
export function filesIn(file: string): ArchiveFile[] {
  const tar = gunzipSync(readFileSync(file))
  const files: ArchiveFile[] = []
  for (let at = 0; tar[at] !== 0; ) {
    const name = tar.toString('latin1', at, at + 100).replaceAll('\0', '')
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8)
    files.push({ name, bytes: tar.subarray(at + 512, at + 512 + size) })
    at += 512 + Math.ceil(size / 512) * 512
  }
  return files
}

/** An archive of these files, with checksums that fit. */
export function archiveOf(files: readonly ArchiveFile[], change: (manifest: Manifest) => void = () => {}): Buffer {
  const manifest = parseManifest(String(files.find(({ name }) => name === MANIFEST)?.bytes))
  const rest = files.filter(({ name }) => name !== MANIFEST && name !== CHECKSUMS)
  change(manifest)
  const isContent = ({ name }: ArchiveFile) => name.startsWith('contents/')
  const contents = rest.filter(isContent)
  const checksums = {
    files: rest.filter((it) => !isContent(it)).map(({ name, bytes }) => [name, sha256(bytes)]),
    contents: { count: contents.length, sha256: sha256(contents.map(({ name }) => `${name}\n`).join('')) },
    missing_contents: [],
  }
  return tarOf([
    { name: MANIFEST, bytes: Buffer.from(manifestText(manifest)) },
    ...rest,
    { name: CHECKSUMS, bytes: Buffer.from(JSON.stringify(checksums)) },
  ])
}

export function tarOf(files: readonly ArchiveFile[]): Buffer {
  const blocks = files.flatMap(({ name, bytes, type }) => {
    const header = tarHeader(name, bytes.length)
    if (type !== undefined) retype(header, type)
    return [header, bytes, tarPadding(bytes.length)]
  })
  return gzipSync(Buffer.concat([...blocks, TAR_END]), { level: 1 })
}

/** Changes the kind of an entry, with its checksum. */
function retype(header: Buffer, type: string) {
  const sum = Number.parseInt(header.toString('latin1', 148, 154), 8) + type.charCodeAt(0) - '0'.charCodeAt(0)
  header.write(type, 156, 'latin1')
  header.write(sum.toString(8).padStart(6, '0'), 148, 'latin1')
}

function sha256(bytes: Buffer | string) {
  return createHash('sha256').update(bytes).digest('hex')
}
