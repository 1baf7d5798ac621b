import type { Log } from '../monitoring/log.ts'
import { forgetOldest } from './forget-oldest.ts'
import { SheddingLevel } from './shedding-level.ts'

/** What requests are, from those that an overloaded server refuses first to those that it refuses last. */
export const REQUEST_CLASSES = ['anonymous_search', 'anonymous', 'search', 'read', 'write'] as const

export type RequestClass = (typeof REQUEST_CLASSES)[number]

/** How long requests wait now, in milliseconds. */
interface Waits {
  /** For a turn of the event loop. */
  turn(done: (milliseconds: number) => void): void
  /** Calls back when the turn is over. */
  endOfTurn(done: () => void): void
  /** For a thread or a connection that runs searches. */
  search(): number
  /** For a connection to the database, of a caller who has none. */
  connection(): number
}

interface AdmissionLimits {
  /** Requests are refused if turns of the event loop take longer than this; 0 for never. */
  delayMilliseconds: number
  waits: Waits
  log: Log
  /** Called while requests are refused, about once a minute. */
  noteOverload(): void
}

const INTERVAL_MILLISECONDS = 20
/**
 * In a turn that takes so many times as long as it may, the rest of the first class is refused, and with each of the further steps that of
 * the next, but never a change: so that a sudden load makes no turn much longer, until the level has followed.
 */
const LONG_TURN_TIMES = 10
const LONG_TURN_STEP = 2
/** What waits for a thread or a connection waits for statements of others, which take longer than turns. */
const STATEMENT_WAIT_TIMES = 5
const NOTE_MILLISECONDS = 60_000
/** After so long without a refusal an overload is over. */
const CALM_MILLISECONDS = 5000
/** What one caller may have admitted in a second, if hardly anything of its class is refused. */
const MOST_OF_CALLER = 4096
const MOST_CALLERS = 10_000
const COUNTED_MILLISECONDS = 1000

/**
 * Decides which requests an overloaded process refuses at once, so that it answers the others in time. Of a class of which a part is
 * refused, callers with the most requests are refused first. Each process decides for itself.
 */
export class Admission {
  private readonly limits: AdmissionLimits
  private readonly all = new SheddingLevel(REQUEST_CLASSES.map((_, kind) => kind))
  private readonly searches = new SheddingLevel([
    REQUEST_CLASSES.indexOf('anonymous_search'),
    REQUEST_CLASSES.indexOf('search'),
  ])
  /** Requests of each caller that were admitted during the overload; they count less the older they are. */
  private readonly admitted = new Map<string, { count: number; at: number }>()
  private readonly refused = REQUEST_CLASSES.map(() => 0)
  private sampledAt = 0
  private turnBegan: number | undefined
  private delay = 0
  private began: { at: number; refused: number } | undefined
  private refusedAt = 0
  private notedAt = Number.NEGATIVE_INFINITY

  constructor(limits: AdmissionLimits) {
    this.limits = limits
  }

  /** Called for every request, with the current time. Returns whether some requests are refused now. */
  isOverloaded(now: number): boolean {
    const { delayMilliseconds, waits } = this.limits
    if (delayMilliseconds === 0) return false
    if (now - this.sampledAt >= INTERVAL_MILLISECONDS) this.sample(now)
    if (this.turnBegan !== undefined) return this.isShedding || this.levelInTurn(now) > 0
    this.turnBegan = now
    waits.endOfTurn(this.endTurn)
    return this.isShedding
  }

  private readonly endTurn = () => {
    this.turnBegan = undefined
  }

  /** How many classes are refused because this turn is too long already. */
  private levelInTurn(now: number): number {
    const times = (now - (this.turnBegan ?? now)) / this.limits.delayMilliseconds
    return Math.max(0, Math.min(REQUEST_CLASSES.length - 1, 1 + Math.floor((times - LONG_TURN_TIMES) / LONG_TURN_STEP)))
  }

  get isShedding(): boolean {
    return this.all.value > 0 || this.searches.value > 0
  }

  /** Whether a request is refused. If not, it counts as one of its caller's. */
  refuses(kind: RequestClass, caller: string, now: number): boolean {
    const at = REQUEST_CLASSES.indexOf(kind)
    this.all.noteSeen(at, now)
    this.searches.noteSeen(at, now)
    const part = at < this.levelInTurn(now) ? 1 : Math.max(this.all.partOf(at), this.searches.partOf(at))
    if (part > 0 && (part >= 1 || this.countOf(caller, now) >= MOST_OF_CALLER ** (1 - part))) {
      this.noteRefusal(at, now)
      return true
    }
    this.admitted.set(caller, { count: this.countOf(caller, now) + 1, at: now })
    forgetOldest(this.admitted, MOST_CALLERS)
    return false
  }

  counts() {
    const refused = REQUEST_CLASSES.map((kind, at) => ({ kind, count: this.refused[at] ?? 0 }))
    return { level: Math.max(this.all.value, this.searches.value), delaySeconds: this.delay / 1000, refused }
  }

  private countOf(caller: string, now: number): number {
    const it = this.admitted.get(caller)
    return it === undefined ? 0 : it.count * Math.exp((it.at - now) / COUNTED_MILLISECONDS)
  }

  private sample(now: number) {
    const intervals = (now - this.sampledAt) / INTERVAL_MILLISECONDS
    this.sampledAt = now
    const { delayMilliseconds: wanted, waits } = this.limits
    waits.turn((turn) => {
      this.delay = Math.max(turn, waits.connection() / STATEMENT_WAIT_TIMES)
      this.all.adjust(this.delay / wanted, intervals, now)
      this.searches.adjust(waits.search() / (wanted * STATEMENT_WAIT_TIMES), intervals, now)
      if (this.began !== undefined && now - this.refusedAt > CALM_MILLISECONDS) this.noteEnd()
    })
  }

  private noteRefusal(kind: number, now: number) {
    this.refused[kind] = (this.refused[kind] ?? 0) + 1
    this.refusedAt = now
    if (this.began === undefined) {
      this.began = { at: now, refused: this.refusedCount() - 1 }
      this.limits.log.error('overloaded: requests are refused', { delay_ms: Math.round(this.delay) })
    }
    if (now - this.notedAt < NOTE_MILLISECONDS) return
    this.notedAt = now
    this.limits.noteOverload()
  }

  private noteEnd() {
    const { at, refused } = this.began ?? { at: 0, refused: 0 }
    const seconds = Math.round((this.refusedAt - at) / 1000)
    this.limits.log.info('no longer overloaded', { seconds, refused: this.refusedCount() - refused })
    this.began = undefined
    this.admitted.clear()
  }

  private refusedCount() {
    return this.refused.reduce((sum, count) => sum + count, 0)
  }
}
