import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { openDatabase } from '../../src/platform/database/open-database.ts'
import type { BodyAt } from '../support/body-types.ts'
import { cast } from '../support/cast.ts'
import { readComments } from '../support/discussion.ts'
import { fileBug, readBug } from '../support/file-bug.ts'
import { inOneWorld } from '../support/one-world.ts'
import { isEveryCombination } from '../support/sample.ts'
import { ServerProcess, stopAll } from '../support/server-process.ts'
import { sure } from '../support/sure.ts'
import { onlyPositions, type Reply, type World } from '../support/world.ts'

const describeTogether = inOneWorld()

const UPDATES = 16
const PAUSE_MILLISECONDS = 300

after(stopAll)

describeTogether('Many updates of one bug at once', (world) => {
  it('are made one after another, each whole, and none is lost', async () => {
    const id = await fileBug(world.edna, { estimated_time: 1000 })
    const replies = await Promise.all(
      Array.from({ length: UPDATES }, (_, turn) => put(`${world.url}/rest/bug/${id}`, changeOf(turn))),
    )
    await requireOneOrder(world, id, replies)
  })

  it('are so from several servers too', async () => {
    const id = await fileBug(world.edna, { estimated_time: 1000 })
    const needsProcesses = world.engine === 'sqlite' && isEveryCombination
    const server = await (needsProcesses ? severalProcesses(world) : secondServer(world))
    const urls = [world.url, server.url]
    const replies = await Promise.all(
      Array.from({ length: UPDATES }, (_, turn) => put(`${urls[turn % 2]}/rest/bug/${id}`, changeOf(turn))),
    )
    await server.stop()
    await requireOneOrder(world, id, replies)
  })

  it('fail after the first one if all name the revision that they read', async () => {
    const id = await fileBug(world.edna)
    const etag = (await world.edna.get(`/rest/bug/${id}`)).headers.get('etag') ?? ''
    const replies = await Promise.all(
      Array.from({ length: UPDATES }, (_, turn) =>
        world.edna.put(`/rest/bug/${id}`, { summary: `Turn ${turn}` }, { 'If-Match': etag }),
      ),
    )
    assert.equal(replies.filter((reply) => reply.status === 200).length, 1)
    assert.equal(replies.filter((reply) => reply.status === 412).length, UPDATES - 1)
  })
})

describeTogether('Updates of several bugs at once', (world) => {
  it('never deadlock, whatever the order in which they name the bugs', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => fileBug(world.edna)))
    const replies = await Promise.all(
      Array.from({ length: 24 }, (_, turn) =>
        world.edna.put('/rest/bug/update', {
          ids: turn % 2 === 0 ? ids : ids.toReversed(),
          summary: `Turn ${turn}`,
          ...(turn % 3 === 0 && { see_also: turn % 2 === 0 ? { add: [`https://github.com/x/y/issues/${turn}`] } : {} }),
        }),
      ),
    )
    assert.deepEqual(
      replies.filter((reply) => reply.status !== 200).map((reply) => reply.text),
      [],
    )
    const last = new Set(await Promise.all(ids.map(async (id) => (await readBug(world.edna, id)).summary)))
    assert.equal(last.size, 1)
  })
})

/** The processes that LACEWING_PROCESSES starts on one database. */
async function severalProcesses({ dataFolder }: World) {
  const server = new ServerProcess({ LACEWING_DATA: dataFolder, LACEWING_PROCESSES: '2' })
  const { url } = await server.listening()
  return { url, stop: () => server.stop() }
}

/** Its connections are its own, as those of another process: servers share nothing but the database. */
async function secondServer({ dataFolder, databaseUrl }: World) {
  const db = openDatabase(databaseUrl)
  const log = { info() {}, error() {}, async flush() {} }
  const app = buildApp(db, readConfig({ LACEWING_PORT: '0', LACEWING_DATA: dataFolder }), log, onlyPositions)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const stop = async () => {
    await app.close()
    await db.close()
  }
  return { url, stop }
}

function changeOf(turn: number) {
  return { summary: `Turn ${turn}`, comment: { body: `Said in turn ${turn}` }, work_time: 1 }
}

type Changed = Pick<Reply<BodyAt<'PUT', '/rest/bug/1'>>, 'status' | 'text' | 'body'>

/** Sends the change again for as long as the server is too busy: on a slow machine they take longer than a server lets one wait. */
async function put(url: string, body: object): Promise<Changed> {
  const response = await fetch(url, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json', 'X-TRACKER-API-KEY': cast.edna.apiKey },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (response.status === 503) {
    await sleep(PAUSE_MILLISECONDS)
    return put(url, body)
  }
  return { status: response.status, text, body: JSON.parse(text) }
}

/** Everything that was acknowledged is there, in one order, with nothing half made. */
async function requireOneOrder(world: World, id: number, replies: readonly Changed[]) {
  for (const reply of replies) assert.equal(reply.status, 200, reply.text)
  const lines = await world.db.query((q) =>
    q.selectFrom('bug_changes').selectAll().where('bug_id', '=', id).where('field', '=', 'summary').orderBy('id'),
  )
  assert.equal(lines.length, UPDATES)
  let summary = 'Something is wrong'
  for (const line of lines) {
    assert.equal(line.removed, summary)
    summary = line.added
  }
  const returned = replies.map((reply) => sure(reply.body.bugs[0].changes.summary))
  assert.deepEqual(
    new Set(returned.map(({ removed, added }) => `${removed} → ${added}`)),
    new Set(lines.map(({ removed, added }) => `${removed} → ${added}`)),
  )
  const bug = await readBug(world.edna, id)
  assert.deepEqual([bug.summary, bug.actual_time, bug.remaining_time], [summary, UPDATES, 1000 - UPDATES])
  const comments = await readComments(world.edna, id)
  assert.deepEqual(
    comments.map((comment) => comment.count),
    Array.from({ length: UPDATES + 1 }, (_, number) => number),
  )
  assert.deepEqual(
    comments.slice(1).map((comment) => comment.text.replace('Said in turn', 'Turn')),
    lines.map((line) => line.added),
  )
  const events = await world.db.query((q) => q.selectFrom('outbox').select('id').where('bug_id', '=', id))
  assert.equal(events.length, UPDATES + 1)
}
