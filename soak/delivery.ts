import { setTimeout as sleep } from 'node:timers/promises'
import { type Server, startServer } from '../bench/processes.ts'
import { HttpReceiver } from '../test/support/http-receiver.ts'
import { TestMailServer } from '../test/support/mail-server.ts'
import { mustSend, send } from './client.ts'
import { FeedListener } from './feed-listener.ts'
import { makeStorage, type Storage } from './storage.ts'

const SERVERS = 3
const WRITERS = 8
const BUGS = 50
const READERS = 10
const HOOK = '/hook'
/** Deliveries may finish after the last change: the mail of ten thousand changes takes longer than the changes. */
const LONGEST_WAIT_MILLISECONDS = 900_000

/**
 * Sends many changes through three servers on one PostgreSQL, two of which are killed on the way. Every change must
 * reach every listener of the feed once and in order, and the webhook and the mailbox at least once.
 */
export async function soakDelivery(changes: number): Promise<boolean> {
  const place = await makeStorage('postgres')
  const mailServer = await new TestMailServer().open()
  const receiver = new HttpReceiver()
  await receiver.open()
  const environment = { ...place.environment, LACEWING_SMTP_URL: mailServer.url }
  const servers: Server[] = []
  try {
    for (let count = 0; count < SERVERS; count++) servers.push(await startServer(place.folder, environment))
    return await deliverAll({ place, mailServer, receiver, servers }, changes)
  } finally {
    for (const server of servers) await server.kill()
    await mailServer.close()
    await receiver.close()
    await place.remove()
  }
}

interface Stage {
  place: Storage
  mailServer: TestMailServer
  receiver: HttpReceiver
  /** The servers that are running. */
  servers: Server[]
}

async function deliverAll(stage: Stage, changes: number): Promise<boolean> {
  const bugs = await prepare(stage)
  const ports = () => stage.servers.map(({ port }) => port)
  const begin = (await mustSend(ports()[0] as number, 'GET', '/event')).next_cursor as string
  const listeners = Array.from({ length: SERVERS * 2 }, (_, number) => new FeedListener(ports, number, begin))
  const following = listeners.map((listener) => listener.follow())
  const started = performance.now()
  const written = await writeAll(stage, bugs, changes)
  const seconds = (performance.now() - started) / 1000
  const arrived = await waitUntilDelivered(stage, listeners, Number(begin))
  for (const listener of listeners) listener.stop()
  await Promise.all(following)
  const waited = (performance.now() - started) / 1000 - seconds
  console.log(
    `delivery: ${written.acknowledged.size} changes acknowledged and ${written.unanswered} unanswered through ${SERVERS} servers, 2 of them killed, in ${seconds.toFixed(1)} s; ` +
      `all delivered ${waited.toFixed(1)} s after the last (${arrived ? 'complete' : 'NOT COMPLETE'})`,
  )
  return judge(stage, listeners, written.acknowledged, Number(begin))
}

async function prepare({ servers, receiver }: Stage): Promise<number[]> {
  const port = servers[0]?.port as number
  for (let number = 0; number < READERS; number++)
    await mustSend(port, 'POST', '/user', { email: readerOf(number), full_name: 'Reader', password: 'reader-of-all' })
  await mustSend(port, 'PUT', '/parameters', { webhook_networks: '127.0.0.0/8' })
  await mustSend(port, 'POST', '/webhook', { url: receiver.url + HOOK, events: ['bug.update'] })
  const bugs: number[] = []
  for (let count = 0; count < BUGS; count++) {
    const params = { product: 'TestProduct', component: 'TestComponent', summary: `Bug ${count}` }
    bugs.push((await mustSend(port, 'POST', '/bug', { ...params, cc: [readerOf(count)] })).id)
  }
  return bugs
}

function readerOf(number: number) {
  return `reader${number % READERS}@soak.test`
}

/** Writes through the running servers; one of them is killed after a third and one after two thirds of the changes. */
async function writeAll(stage: Stage, bugs: readonly number[], changes: number) {
  const acknowledged = new Set<string>()
  let begun = 0
  let unanswered = 0
  const writer = async (own: number) => {
    while (begun < changes) {
      const number = ++begun
      const marker = `marker-${number}-`
      if (number === Math.floor(changes / 3) || number === Math.floor((changes * 2) / 3))
        await stage.servers.pop()?.kill()
      const port = stage.servers[own % stage.servers.length]?.port as number
      const change = { whiteboard: marker, comment: { body: `Said with ${marker}` } }
      const answered = await send(port, 'PUT', `/bug/${bugs[number % bugs.length]}`, change)
      if (answered === undefined) unanswered++
      else if (answered.status === 200) acknowledged.add(marker)
      else throw new Error(JSON.stringify(answered))
      if (number % 1000 === 0) console.log(`delivery: ${number} of ${changes} changes`)
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, own) => writer(own)))
  return { acknowledged, unanswered }
}

/** Waits until all receivers have everything, or nothing has arrived for long. */
async function waitUntilDelivered(
  { place, receiver, mailServer }: Stage,
  listeners: readonly FeedListener[],
  begin: number,
) {
  const deadline = performance.now() + LONGEST_WAIT_MILLISECONDS
  while (performance.now() < deadline) {
    const events = (await eventsIn(place, begin)).length
    const left = await place.rows('select count(*) as count from jobs where died_at is null')
    const isHeard = listeners.every((listener) => listener.events.length >= events)
    const isQuiet =
      Number(left[0]?.count) === 0 &&
      receiver.at(HOOK).length >= events &&
      lettersOfChanges(mailServer).length >= events
    if (isHeard && isQuiet) return true
    await sleep(500)
  }
  return false
}

async function eventsIn(place: Storage, after: number) {
  const rows = await place.rows(
    `select position, facts from outbox where position > ${after} and kind = 'bug.update' order by position`,
  )
  const unordered = await place.rows('select id from outbox where position is null')
  if (unordered.length > 0) return [...rows, ...unordered]
  return rows
}

async function judge(
  stage: Stage,
  listeners: readonly FeedListener[],
  acknowledged: ReadonlySet<string>,
  begin: number,
) {
  const { place, receiver, mailServer } = stage
  const rows = await eventsIn(place, begin)
  const positions = rows.map(({ position }) => Number(position))
  const markers = rows.map(({ facts }) => /"added":"(marker-\d+-)"/.exec(String(facts))?.[1] ?? '')
  const missing = [...acknowledged].filter((marker) => !markers.includes(marker))
  const wrong: string[] = missing.map((marker) => `${marker} was acknowledged and has no event`)
  for (const { name, events, reconnections } of listeners) {
    const ids = events.map(({ id }) => id)
    const isSame = ids.length === positions.length && ids.every((id, place) => id === positions[place])
    const lost = positions.filter((position) => !ids.includes(position)).length
    if (!isSame) wrong.push(`${name} got ${ids.length} of ${positions.length} events, ${lost} lost`)
    console.log(`delivery: ${name}: ${ids.length} events, ${reconnections} reconnections`)
  }
  const hooked = receiver.at(HOOK).map(({ headers }) => String(headers['webhook-id']))
  wrong.push(...countOf('hook', hooked, positions.length))
  const firsts = [...new Set(hooked)].map((id) => Number(/\d+$/.exec(id)?.[0]))
  if (firsts.some((id, place) => place > 0 && id < (firsts[place - 1] as number)))
    wrong.push('The webhook got events out of order')
  const mailed = lettersOfChanges(mailServer).map(({ text }) => /Said with (marker-\d+-)/.exec(text)?.[1] ?? '')
  wrong.push(...countOf('mail', mailed, positions.length))
  for (const line of wrong.slice(0, 20)) console.log(`  ${line}`)
  return wrong.length === 0
}

function countOf(what: string, got: readonly string[], wanted: number): string[] {
  const different = new Set(got).size
  console.log(`delivery: ${what}: ${different} of ${wanted}, ${got.length - different} of them twice`)
  return different < wanted ? [`${what}: ${wanted - different} lost`] : []
}

/** Mail about the changes; before, there was one about each new bug. */
function lettersOfChanges({ messages: letters }: TestMailServer) {
  return letters.filter(({ text }) => text.includes('Said with'))
}
