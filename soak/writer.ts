import { randomBytes } from 'node:crypto'
import { ADMIN } from '../bench/processes.ts'
import { type Answered, send } from './client.ts'
import type { Ledger } from './ledger.ts'

/** A client that writes without pause, and records in the ledger what was acknowledged. */
export async function write(port: number, ledger: Ledger, state: WriterState, isOver: () => boolean) {
  await repeatLost(port, ledger, state)
  while (!isOver() && state.lost === undefined) {
    const bugId = ledger.someBug()
    const kind = Math.random()
    if (bugId === undefined || kind < 0.3) await file(port, ledger, state)
    else if (kind < 0.5) await comment(port, ledger, bugId)
    else if (kind < 0.85) await change(port, ledger, bugId)
    else await attach(port, ledger, bugId)
  }
}

/** A new bug whose response was lost is sent again, until it is answered. */
export interface WriterState {
  lost?: NewBug | undefined
}

type NewBug = ReturnType<typeof newBug>

async function repeatLost(port: number, ledger: Ledger, state: WriterState) {
  const { lost } = state
  if (lost === undefined) return
  ledger.repeated++
  if (await sent(port, ledger, lost)) state.lost = undefined
}

async function file(port: number, ledger: Ledger, state: WriterState) {
  const bug = newBug(ledger)
  if (!(await sent(port, ledger, bug)) && bug.isOnce) state.lost = bug
}

async function sent(port: number, ledger: Ledger, { marker, isOnce, params }: NewBug) {
  const answered = await send(port, 'POST', '/bug', params, isOnce ? { 'Idempotency-Key': marker } : {})
  if (entered(ledger, answered)) ledger.bugs.push({ id: answered.body.id, marker })
  return answered !== undefined
}

function newBug(ledger: Ledger) {
  const marker = ledger.marker()
  const other = ledger.someBug()
  return {
    marker,
    /** Whether it has an Idempotency-Key. */
    isOnce: Math.random() < 0.5,
    params: {
      product: 'TestProduct',
      component: 'TestComponent',
      summary: marker,
      description: `described by ${marker}`,
      alias: [`alias-${marker}`],
      cc: [ADMIN.LACEWING_ADMIN_LOGIN],
      ...(other !== undefined && Math.random() < 0.3 && { depends_on: [other] }),
    },
  }
}

async function comment(port: number, ledger: Ledger, bugId: number) {
  const text = `only said by ${ledger.marker()}`
  const answered = await send(port, 'POST', `/bug/${bugId}/comment`, { comment: text, work_time: 0.25 })
  if (entered(ledger, answered)) ledger.comments.push({ id: answered.body.id, bugId, text })
}

async function change(port: number, ledger: Ledger, bugId: number) {
  const marker = ledger.marker()
  const answered = await send(port, 'PUT', `/bug/${bugId}`, {
    whiteboard: marker,
    comment: { body: `said with ${marker}` },
    ...anotherChange(ledger),
  })
  if (!entered(ledger, answered)) return
  // Which bug it duplicates is in the comments, not in the history.
  for (const [field, { removed, added }] of Object.entries(answered.body.bugs[0].changes))
    if (field !== 'dupe_of') ledger.changes.push({ bugId, field, removed, added })
}

function anotherChange(ledger: Ledger) {
  const other = ledger.someBug()
  const kind = Math.random()
  if (kind < 0.2) return { dupe_of: other }
  if (kind < 0.4) return { status: 'RESOLVED', resolution: 'FIXED' }
  if (kind < 0.6) return { status: 'CONFIRMED' }
  if (kind < 0.8) return { depends_on: { add: [other] } }
  return { priority: PRIORITIES[Math.floor(Math.random() * PRIORITIES.length)], work_time: 0.5 }
}

const PRIORITIES = ['Highest', 'High', 'Normal', 'Low', 'Lowest']

async function attach(port: number, ledger: Ledger, bugId: number) {
  const data = randomBytes(Math.floor(Math.random() * 30_000) + 1).toString('base64')
  const answered = await send(port, 'POST', `/bug/${bugId}/attachment`, {
    ids: [bugId],
    data,
    file_name: 'noise.bin',
    summary: 'Noise',
    content_type: 'application/octet-stream',
  })
  if (entered(ledger, answered)) ledger.attachments.push({ id: Number(answered.body.ids[0]), bugId, data })
}

/** Whether the server acknowledged the request. */
function entered<Body>(ledger: Ledger, answered: Answered<Body> | undefined): answered is Answered<Body> {
  if (answered === undefined) ledger.unanswered++
  else if (answered.status >= 500) ledger.failures.push(JSON.stringify(answered))
  else if (answered.status >= 300) ledger.refused++
  else ledger.acknowledged++
  return answered !== undefined && answered.status < 300
}
