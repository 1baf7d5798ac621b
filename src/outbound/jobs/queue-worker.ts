import { randomUUID } from 'node:crypto'
import type { Db } from '../../platform/database/db.ts'
import type { Log } from '../../platform/monitoring/log.ts'
import { type Rounds, runInRounds } from '../delivery/rounds.ts'
import type { AttemptOutcome, Job, Queue } from './job.ts'
import { claimLanes, firstJobsOf, listDueLanes, renewLanes } from './lane-store.ts'
import { performJob } from './perform-job.ts'
import { type JobAttempt, saveAttempts } from './save-attempts.ts'
import { setAside } from './set-aside.ts'

/** Jobs that arrive, and attempts that end, at nearly the same time share a transaction. */
const CLAIM_MILLISECONDS = 5
const SAVE_MILLISECONDS = 10
/** A server that does not renew its leases for so long is taken for dead, and other servers take its lanes. An attempt may take longer. */
const LEASE_SECONDS = 20
const RENEW_MILLISECONDS = 5000
/** Attempts that run when the server ends may take so long; the other jobs are left to the next server. */
const GRACE_MILLISECONDS = 5000
/** With more results that are not saved yet, the next attempts wait: after a crash these jobs are done twice. */
const MOST_UNSAVED = 200
/** So that a long lane leaves room for others. */
const MOST_IN_A_ROW = 50

/** A lane that this server has claimed. */
interface ClaimedLane {
  lane: string
  /** Whether its last attempt failed. */
  isTroubled: boolean
  /** How many jobs were done since it was claimed. */
  inARow: number
  /** The jobs that are done next. */
  ahead: Job[]
}

/** An attempt that is not saved yet. */
interface UnsavedAttempt {
  attempt: JobAttempt
  claimed: ClaimedLane
}

/** Does the jobs of a queue while this server runs, and shares them with the other servers. Woken when jobs are due: watch-due-queues.ts. */
export class QueueWorker {
  private readonly db: Db
  private readonly log: Log
  private readonly queue: Queue
  private readonly lease = randomUUID()
  private readonly lanes = new Map<string, ClaimedLane>()
  private readonly running = new Set<Promise<void>>()
  private readonly stopping = new AbortController()
  private readonly claiming: Rounds
  private readonly saving: Rounds
  private readonly renewing: NodeJS.Timeout
  private unsaved: UnsavedAttempt[] = []
  private savingCount = 0
  private attempts = 0
  private readonly waitingLanes: (() => void)[] = []
  private isEnding = false

  constructor(db: Db, log: Log, queue: Queue) {
    this.db = db
    this.log = log
    this.queue = queue
    const claiming = { name: `claiming jobs of ${queue.name}`, log, batchMilliseconds: CLAIM_MILLISECONDS }
    this.claiming = runInRounds(claiming, () => this.claimRound())
    const saving = { name: `saving attempts of ${queue.name}`, log, batchMilliseconds: SAVE_MILLISECONDS }
    this.saving = runInRounds(saving, () => this.saveRound())
    this.renewing = setInterval(() => this.renew(), RENEW_MILLISECONDS).unref()
  }

  get name() {
    return this.queue.name
  }

  /** Jobs of the queue may be due. */
  wake() {
    this.claiming.wake()
  }

  async end() {
    this.isEnding = true
    await this.claiming.end()
    this.wakeLanes()
    const late = setTimeout(() => this.stopping.abort(), GRACE_MILLISECONDS)
    await Promise.all(this.running)
    clearTimeout(late)
    await this.saving.end()
    await this.saveRound()
    clearInterval(this.renewing)
  }

  /** Claims lanes with due jobs. Returns whether there may be more. */
  private async claimRound(): Promise<boolean> {
    if (this.isEnding) return false
    const { db, queue, lanes } = this
    const free = (queue.claimedLanes ?? queue.parallel) - lanes.size
    const troubled = [...lanes.values()].filter((it) => it.isTroubled).length
    const room = { fresh: free, troubled: Math.min(free, Math.ceil(queue.parallel / 2) - troubled) }
    const due = (await listDueLanes(db, queue.name, room)).filter((lane) => !lanes.has(lane)).slice(0, free)
    if (due.length === 0) return false
    const claimed = await claimLanes(db, queue.name, due, this.lease, LEASE_SECONDS)
    for (const { lane, failures } of claimed) lanes.set(lane, { lane, isTroubled: failures > 0, inARow: 0, ahead: [] })
    await this.startLanes(claimed.map(({ lane }) => lane))
    return due.length === free
  }

  private async startLanes(lanes: readonly string[]) {
    const jobs = await firstJobsOf(this.db, this.queue.name, lanes).catch(() => new Map<string, Job[]>())
    for (const lane of lanes) {
      const claimed = this.lanes.get(lane)
      if (claimed === undefined) continue
      if (jobs.has(lane)) this.start(claimed, jobs.get(lane) ?? [])
      else this.saveSoon(claimed, { lane, job: undefined })
    }
  }

  private start(claimed: ClaimedLane, jobs: readonly Job[]) {
    // Of a lane that has failed before, one job is tried first.
    claimed.ahead = claimed.isTroubled ? jobs.slice(0, 1) : [...jobs]
    const doing = this.performAll(claimed)
    this.running.add(doing)
    void doing.finally(() => this.running.delete(doing))
  }

  /** Does one job after the other. Each attempt is saved while the next one runs. */
  private async performAll(claimed: ClaimedLane) {
    for (let job = claimed.ahead.shift(); job !== undefined; job = claimed.ahead.shift()) {
      const tried = { ...job, attempts: job.attempts + 1 }
      const outcome = await this.performInTurn(tried)
      const isHeldUp = outcome === undefined || endsRow(outcome) || this.isEnding
      if (isHeldUp) claimed.ahead = []
      const { lane } = claimed
      const hasMore = claimed.ahead.length > 0
      this.saveSoon(claimed, outcome ? { lane, job: tried, outcome, hasMore } : { lane, job: undefined })
    }
  }

  /** Undefined if the server ends before it is the turn of this job. */
  private async performInTurn(job: Job) {
    while (!this.hasRoom()) await new Promise<void>((resolve) => this.waitingLanes.push(resolve))
    if (this.isEnding) return undefined
    this.attempts++
    try {
      return await performJob(this.queue, job, this.stopping.signal)
    } finally {
      this.attempts--
      this.waitingLanes.shift()?.()
    }
  }

  private hasRoom() {
    if (this.isEnding) return true
    return this.attempts < this.queue.parallel && this.unsaved.length + this.savingCount < MOST_UNSAVED
  }

  private wakeLanes() {
    for (const wake of this.waitingLanes.splice(0, this.isEnding ? this.waitingLanes.length : this.queue.parallel))
      wake()
  }

  private saveSoon(claimed: ClaimedLane, attempt: JobAttempt) {
    this.unsaved.push({ attempt, claimed })
    this.saving.wake()
  }

  private async saveRound(): Promise<boolean> {
    const unsaved = this.unsaved
    if (unsaved.length === 0) return false
    this.unsaved = []
    this.savingCount = unsaved.length
    try {
      await this.save(unsaved, unsaved.length).catch(() => this.saveOneByOne(unsaved))
    } finally {
      // What could not be saved is still in the list.
      this.unsaved = [...unsaved, ...this.unsaved]
      this.savingCount = 0
      this.wakeLanes()
    }
    this.claiming.wake()
    return this.unsaved.length > 0
  }

  /** Saves the first attempts of the list and removes them from it. */
  private async save(unsaved: UnsavedAttempt[], count: number, how = saveAttempts) {
    const saved = unsaved.slice(0, count)
    const keeps = (lane: string) => !this.isEnding && (this.lanes.get(lane)?.inARow ?? 0) < MOST_IN_A_ROW
    const by = { lease: this.lease, leaseSeconds: LEASE_SECONDS, keeps }
    const attempts = saved.map(({ attempt }) => attempt)
    const { next, lost } = await how(this.db, this.queue, by, attempts)
    unsaved.splice(0, count)
    for (const { attempt, claimed } of saved) {
      const { lane } = claimed
      if (lost.has(lane)) claimed.ahead = []
      if (this.lanes.get(lane) === claimed && !isStillRunning(attempt, lost)) this.continueLane(claimed, next.get(lane))
    }
  }

  /** If they cannot be saved together: the one at fault is set aside, and does not hold up the others. */
  private async saveOneByOne(unsaved: UnsavedAttempt[]) {
    while (unsaved.length > 0)
      await this.save(unsaved, 1).catch((fault) => this.save(unsaved, 1, setAside(this.log, fault)))
  }

  private continueLane(claimed: ClaimedLane, jobs: readonly Job[] | undefined) {
    if (jobs === undefined) return void this.lanes.delete(claimed.lane)
    claimed.inARow += jobs.length
    claimed.isTroubled = false
    this.start(claimed, jobs)
  }

  private renew() {
    if (this.lanes.size === 0) return
    renewLanes(this.db, this.queue.name, [...this.lanes.keys()], this.lease, LEASE_SECONDS).catch(() => {})
  }
}

function isStillRunning(attempt: JobAttempt, lost: ReadonlySet<string>) {
  return attempt.job !== undefined && attempt.hasMore && !lost.has(attempt.lane)
}

/** Whether the next jobs of the lane wait, or may be done already together with this one. */
function endsRow(outcome: AttemptOutcome): boolean {
  return (
    'retry' in outcome ||
    'waitSeconds' in outcome ||
    'goOn' in outcome ||
    ('done' in outcome && outcome.others !== undefined)
  )
}
