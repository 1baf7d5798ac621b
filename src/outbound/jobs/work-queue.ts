import { randomUUID } from 'node:crypto'
import type { Db } from '../../platform/database/db.ts'
import type { Log } from '../../platform/monitoring/log.ts'
import { runInRounds } from '../delivery/rounds.ts'
import type { Job, Outcome, Queue } from './job.ts'
import { claimLanes, firstJobsOf, listDueLanes, renewLanes } from './lane-store.ts'
import { type Attempt, saveAttempts } from './save-attempts.ts'
import { setAside } from './set-aside.ts'

/** Jobs that arrive, and attempts that end, at nearly the same time share a transaction. */
const GATHER_MILLISECONDS = 10
const IDLE_MILLISECONDS = 1000
/**
 * A server that has not renewed its lease for this long is considered dead, and others may take its lanes. An attempt
 * may take longer.
 */
const LEASE_SECONDS = 20
const RENEW_MILLISECONDS = 5000
/** Running attempts may take this long when the server ends; the rest is left to the next server. */
const GRACE_MILLISECONDS = 5000

/** Performs the jobs of a queue as long as this server runs, and shares them with the other servers. */
export function workQueue(db: Db, log: Log, queue: Queue) {
  const lease = randomUUID()
  const atWork = new Map<string, LaneAtWork>()
  const under = new Set<Promise<void>>()
  const stopping = new AbortController()
  let attempts: Ended[] = []
  let isEnding = false

  const claimRound = async () => {
    if (isEnding) return false
    const free = queue.parallel - atWork.size
    const troubled = [...atWork.values()].filter((it) => it.isTroubled).length
    const room = { fresh: free, troubled: Math.min(free, Math.ceil(queue.parallel / 2) - troubled) }
    const due = (await listDueLanes(db, queue.name, room)).filter((lane) => !atWork.has(lane)).slice(0, free)
    if (due.length === 0) return false
    const claimed = await claimLanes(db, queue.name, due, lease, LEASE_SECONDS)
    for (const { lane, failures } of claimed) atWork.set(lane, { lane, isTroubled: failures > 0, inARow: 0, ahead: [] })
    await beginAll(claimed.map(({ lane }) => lane))
    return due.length === free
  }

  const beginAll = async (lanes: readonly string[]) => {
    const jobs = await firstJobsOf(db, queue.name, lanes).catch(() => new Map<string, Job[]>())
    for (const lane of lanes) {
      const work = atWork.get(lane)
      if (work === undefined) continue
      if (jobs.has(lane)) begin(work, jobs.get(lane) ?? [])
      else finished(work, { lane, job: undefined })
    }
  }

  /** Performs one job after another, and saves the result of each while the next is running. */
  const begin = (work: LaneAtWork, jobs: readonly Job[]) => {
    // If the lane has failed before, one job is tried first.
    work.ahead = work.isTroubled ? jobs.slice(0, 1) : [...jobs]
    const doing = doAll(work)
    under.add(doing)
    void doing.finally(() => under.delete(doing))
  }

  const doAll = async (work: LaneAtWork) => {
    for (let job = work.ahead.shift(); job !== undefined; job = work.ahead.shift()) {
      const tried = { ...job, attempts: job.attempts + 1 }
      const outcome = await performed(queue, tried, stopping.signal)
      const isHeldUp = outcome === undefined || 'retry' in outcome || isEnding
      if (isHeldUp) work.ahead = []
      const { lane } = work
      const hasMore = work.ahead.length > 0
      finished(work, outcome ? { lane, job: tried, outcome, hasMore } : { lane, job: undefined })
    }
  }

  const finished = (work: LaneAtWork, attempt: Attempt) => {
    attempts.push({ attempt, work })
    settling.wake()
  }

  const settleRound = async () => {
    const ended = attempts
    if (ended.length === 0) return false
    attempts = []
    try {
      await settleAll(ended).catch(() => settleEach(ended))
    } finally {
      // What could not be saved is left in the list.
      attempts = [...ended, ...attempts]
    }
    claiming.wake()
    return attempts.length > 0
  }

  /** Removes the saved attempts from the list. */
  const settleAll = async (ended: Ended[], count = ended.length, how = saveAttempts) => {
    const settled = ended.slice(0, count)
    const keeps = (lane: string) => !isEnding && (atWork.get(lane)?.inARow ?? 0) < MOST_IN_A_ROW
    const by = { lease, leaseSeconds: LEASE_SECONDS, keeps }
    const all = settled.map(({ attempt }) => attempt)
    const { next, lost } = await how(db, queue, by, all)
    ended.splice(0, count)
    for (const { attempt, work } of settled) {
      if (lost.has(work.lane)) work.ahead = []
      if (atWork.get(work.lane) === work && !isUnderWay(attempt, lost)) goOn(work, next.get(work.lane))
    }
  }

  /**
   * If they cannot be saved together, saves them one by one: the faulty one is set aside, and holds up none of the
   * others.
   */
  const settleEach = async (ended: Ended[]) => {
    while (ended.length > 0) await settleAll(ended, 1).catch((fault) => settleAll(ended, 1, setAside(log, fault)))
  }

  const goOn = (work: LaneAtWork, jobs: readonly Job[] | undefined) => {
    if (jobs === undefined) return void atWork.delete(work.lane)
    work.inARow += jobs.length
    work.isTroubled = false
    begin(work, jobs)
  }

  const renew = () => {
    if (atWork.size > 0) renewLanes(db, queue.name, [...atWork.keys()], lease, LEASE_SECONDS).catch(() => {})
  }

  const pauses = { log, gatherMilliseconds: GATHER_MILLISECONDS, idleMilliseconds: IDLE_MILLISECONDS }
  const claiming = runInRounds({ name: `claiming jobs of ${queue.name}`, ...pauses }, claimRound)
  const settling = runInRounds({ name: `saving attempts of ${queue.name}`, ...pauses }, settleRound)
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

/** An attempt whose result is to be saved. */
interface Ended {
  attempt: Attempt
  work: LaneAtWork
}

interface LaneAtWork {
  lane: string
  /** Whether its last attempt failed. */
  isTroubled: boolean
  /** How many jobs were done since the lane was leased. */
  inARow: number
  /** The jobs to do next. */
  ahead: Job[]
}

function isUnderWay(attempt: Attempt, lost: ReadonlySet<string>) {
  return attempt.job !== undefined && attempt.hasMore && !lost.has(attempt.lane)
}

/** Limits the jobs of one lane in a row, so that a long lane leaves room for others. */
const MOST_IN_A_ROW = 50

/** Undefined if the end of the server interrupted the attempt, which then does not count. */
async function performed(queue: Queue, job: Job, stopping: AbortSignal): Promise<Outcome | undefined> {
  const cutting = new AbortController()
  const cut = () => cutting.abort()
  const late = setTimeout(cut, queue.limitSeconds * 1000)
  stopping.addEventListener('abort', cut)
  const isCut = new Promise<Outcome>((resolve) => {
    cutting.signal.onabort = () => resolve({ retry: `The attempt took longer than ${queue.limitSeconds} seconds.` })
  })
  const outcome = await Promise.race([isCut, attempted(queue, job, cutting.signal)])
  // Otherwise timers and listeners of thousands of attempts would be kept until the time limit.
  clearTimeout(late)
  stopping.removeEventListener('abort', cut)
  return stopping.aborted && !('done' in outcome) ? undefined : outcome
}

async function attempted(queue: Queue, job: Job, signal: AbortSignal): Promise<Outcome> {
  if (job.payload === undefined) return { dead: 'The stored job cannot be read.' }
  try {
    return await queue.perform(job, signal)
  } catch (fault) {
    return { retry: String(fault) }
  }
}
