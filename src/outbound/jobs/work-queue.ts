import { randomUUID } from 'node:crypto'
import type { Db } from '../../platform/database/db.ts'
import type { Log } from '../../platform/log.ts'
import { inRounds } from '../rounds.ts'
import type { Job, Outcome, Queue } from './job.ts'
import { claimLanes, firstJobsOf, listDueLanes, renewLanes } from './lane-store.ts'
import { type Attempt, settle } from './settle.ts'

/** Jobs that come, and attempts that end, at nearly the same time share a transaction. */
const GATHER_MILLISECONDS = 10
const IDLE_MILLISECONDS = 1000
/** After this time without a sign of life a server is taken for dead, and its lanes are anybody's. However long an attempt may take. */
const LEASE_SECONDS = 20
const RENEW_MILLISECONDS = 5000
/** What is under way when the server ends may take so long; the rest is left to the next server. */
const GRACE_MILLISECONDS = 5000

/** Does the jobs of a queue for as long as this server runs, sharing them with the other servers. */
export function workQueue(db: Db, log: Log, queue: Queue) {
  const lease = randomUUID()
  /** Lanes at work, each with whether its last attempt failed. */
  const atWork = new Map<string, { isTroubled: boolean; inARow: number }>()
  const under = new Set<Promise<void>>()
  const stopping = new AbortController()
  let attempts: Attempt[] = []
  let isEnding = false

  const claimRound = async () => {
    if (isEnding) return false
    const free = queue.parallel - atWork.size
    const troubled = [...atWork.values()].filter((it) => it.isTroubled).length
    const room = { fresh: free, troubled: Math.min(free, Math.ceil(queue.parallel / 2) - troubled) }
    const due = (await listDueLanes(db, queue.name, room)).filter((lane) => !atWork.has(lane)).slice(0, free)
    if (due.length === 0) return false
    const claimed = await claimLanes(db, queue.name, due, lease, LEASE_SECONDS)
    for (const { lane, failures } of claimed) atWork.set(lane, { isTroubled: failures > 0, inARow: 0 })
    const jobs = await firstJobsOf(
      db,
      queue.name,
      claimed.map(({ lane }) => lane),
    )
    const found = new Set(jobs.map(({ lane }) => lane))
    for (const { lane } of claimed) if (!found.has(lane)) finished({ lane, job: undefined })
    for (const job of jobs) begin(job)
    return due.length === free
  }

  const begin = (job: Job) => {
    const attempt = performed(queue, { ...job, attempts: job.attempts + 1 }, stopping.signal).then((it) => finished(it))
    under.add(attempt)
    void attempt.finally(() => under.delete(attempt))
  }

  const finished = (attempt: Attempt) => {
    attempts.push(attempt)
    settling.wake()
  }

  const settleRound = async () => {
    const settled = attempts
    if (settled.length === 0) return false
    attempts = []
    try {
      const keeps = (lane: string) => !isEnding && (atWork.get(lane)?.inARow ?? 0) < MOST_IN_A_ROW
      const next = await settle(db, queue, { lease, leaseSeconds: LEASE_SECONDS, keeps }, settled)
      for (const { lane } of settled) goOn(lane, next.get(lane))
    } catch (fault) {
      attempts = [...settled, ...attempts]
      throw fault
    }
    claiming.wake()
    return attempts.length > 0
  }

  const goOn = (lane: string, job: Job | undefined) => {
    const work = atWork.get(lane)
    if (job === undefined || work === undefined) return void atWork.delete(lane)
    work.inARow++
    work.isTroubled = false
    begin(job)
  }

  const renew = () => {
    if (atWork.size > 0) renewLanes(db, queue.name, [...atWork.keys()], lease, LEASE_SECONDS).catch(() => {})
  }

  const pauses = { log, gatherMilliseconds: GATHER_MILLISECONDS, idleMilliseconds: IDLE_MILLISECONDS }
  const claiming = inRounds({ name: `Finding jobs for ${queue.name}`, ...pauses }, claimRound)
  const settling = inRounds({ name: `Settling jobs of ${queue.name}`, ...pauses }, settleRound)
  const stop = db.listen('jobs', claiming.wake)
  const renewing = setInterval(renew, RENEW_MILLISECONDS).unref()
  return {
    async end() {
      isEnding = true
      stop()
      await claiming.end()
      const late = setTimeout(() => stopping.abort(), GRACE_MILLISECONDS)
      await Promise.all(under)
      clearTimeout(late)
      await settling.end()
      await settleRound()
      clearInterval(renewing)
    },
  }
}

/** So that a long lane leaves room for others. */
const MOST_IN_A_ROW = 50

async function performed(queue: Queue, job: Job, stopping: AbortSignal): Promise<Attempt> {
  const cutting = new AbortController()
  const cut = () => cutting.abort()
  const late = setTimeout(cut, queue.limitSeconds * 1000)
  stopping.addEventListener('abort', cut)
  const isCut = new Promise<Outcome>((resolve) => {
    cutting.signal.onabort = () => resolve({ retry: `It took longer than ${queue.limitSeconds} seconds.` })
  })
  const outcome = await Promise.race([isCut, attempted(queue, job, cutting.signal)])
  // Timers and listeners of thousands of attempts would otherwise be kept for as long as one of them may take.
  clearTimeout(late)
  stopping.removeEventListener('abort', cut)
  const isCutShort = stopping.aborted && !('done' in outcome)
  return isCutShort ? { lane: job.lane, job: undefined } : { lane: job.lane, job, outcome }
}

async function attempted(queue: Queue, job: Job, signal: AbortSignal): Promise<Outcome> {
  try {
    return await queue.perform(job, signal)
  } catch (fault) {
    return { retry: String(fault) }
  }
}
