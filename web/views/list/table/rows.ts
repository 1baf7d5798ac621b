// The rows of a list: pages of bugs, loaded where the reader looks and dropped when far away, so that a list of a million stays small.

import { effect, signal } from '@preact/signals'
import type { Answer } from '../../../../client/call-types.ts'
import { countCall, listCall, ROWS_AT_ONCE } from '../../../../shared/first-calls.ts'
import { addressOf } from '../../../../shared/rest-address.ts'
import { me } from '../../../core/account/session.ts'
import { lastSeen } from '../../../core/server/known-answers.ts'
import { get, getOnce, isConnected } from '../../../core/server/rest.ts'
import type { Bug } from '../../../core/server/types.ts'

type ListResponse = Answer<'GET /bug'>

interface LoadedPage {
  bugs: readonly Bug[]
  isFresh: boolean
}

const MOST_PAGES = 12
const MOST_REQUESTS = 2

export class Rows {
  readonly query: URLSearchParams
  /** Undefined until it is known. */
  readonly total = signal<number | undefined>(undefined)
  readonly fault = signal<Error | undefined>(undefined)
  /** Parameters that mean nothing to a search. */
  readonly ignored = signal<readonly string[]>([])
  /** Grows when a row has changed: what reads rows reads this too. */
  readonly version = signal(0)
  private readonly pages = new Map<number, LoadedPage>()
  private readonly loading = new Set<number>()
  /** The first and the last page of what the reader looks at. */
  private wanted: readonly [number, number] = [0, 0]
  private readonly visits = new Map<number, string>()
  private readonly abort = new AbortController()
  private stopWatching: (() => void) | undefined

  constructor(query: URLSearchParams) {
    this.query = query
    const seen = lastSeen(listCall(query))
    this.total.value = lastSeen(countCall(query))?.bug_count
    if (seen !== undefined) this.keep(0, seen, false)
  }

  start() {
    this.load(0)
    // What could not be loaded is loaded when the server answers again.
    this.stopWatching ??= effect(() => {
      if (isConnected.value) this.loadWanted()
    })
  }

  close() {
    this.stopWatching?.()
    this.abort.abort()
  }

  at(row: number): Bug | undefined {
    return this.pages.get(Math.floor(row / ROWS_AT_ONCE))?.bugs[row % ROWS_AT_ONCE]
  }

  /** The row of a bug that is loaded. */
  rowOf(id: number): number | undefined {
    for (const [page, { bugs }] of this.pages) {
      const place = bugs.findIndex((bug) => bug.id === id)
      if (place >= 0) return page * ROWS_AT_ONCE + place
    }
    return undefined
  }

  /** In the order of the list. */
  get loaded(): readonly Bug[] {
    const pages = [...this.pages].sort(([one], [other]) => one - other)
    return pages.flatMap(([, { bugs }]) => bugs)
  }

  /** The first and the last row of the loaded pages around a row. */
  loadedAround(row: number): readonly [first: number, last: number] {
    const page = Math.floor(row / ROWS_AT_ONCE)
    let [from, to] = [page, page]
    while (this.pages.has(from - 1)) from--
    while (this.pages.has(to + 1)) to++
    const last = to * ROWS_AT_ONCE + (this.pages.get(to)?.bugs.length ?? 0) - 1
    return [from * ROWS_AT_ONCE, last]
  }

  /** Loads the beginning of the list, so that it can be printed. */
  async loadFirst(count: number) {
    const pages = Math.ceil(Math.min(count, this.total.value ?? 0) / ROWS_AT_ONCE)
    for (let page = 0; page < pages; page++) {
      if (this.pages.has(page)) continue
      const found = await getOnce(listCall(this.query, page * ROWS_AT_ONCE), this.abort.signal)
      this.keep(page, found, true)
    }
  }

  /** Whether the reader has looked at the bug of a row before its last change. */
  isUnread(row: number): boolean {
    const bug = this.at(row)
    const visit = bug && this.visits.get(bug.id)
    return visit !== undefined && bug !== undefined && bug.last_change_time > visit
  }

  /** The numbers of the loaded bugs from one row to another. */
  readonly idsBetween = (from: number, to: number): number[] => {
    const [first, last] = [Math.min(from, to), Math.max(from, to)]
    return Array.from({ length: last - first + 1 }, (_, place) => this.at(first + place)).flatMap((bug) =>
      bug === undefined ? [] : [bug.id],
    )
  }

  /** Loads what is missing between two rows, and drops what is far from them. */
  need(first: number, last: number) {
    const [from, to] = [Math.floor(first / ROWS_AT_ONCE), Math.floor(last / ROWS_AT_ONCE)]
    this.wanted = [from, to]
    this.loadWanted()
    const middle = (from + to) / 2
    const farthest = [...this.pages.keys()].sort((one, other) => Math.abs(other - middle) - Math.abs(one - middle))
    for (const page of farthest.slice(0, Math.max(0, this.pages.size - MOST_PAGES))) this.pages.delete(page)
  }

  /** Shows bugs as they are now, where they were. */
  replace(bugs: readonly Bug[]) {
    const newer = new Map(bugs.map((bug) => [bug.id, bug]))
    for (const page of this.pages.values()) page.bugs = page.bugs.map((bug) => newer.get(bug.id) ?? bug)
    this.version.value++
  }

  /** Few requests at a time: who drags through a long list passes many pages, and wants only the one at the end. */
  private loadWanted() {
    const [from, to] = this.wanted
    for (let page = from; page <= to && this.loading.size < MOST_REQUESTS; page++)
      if (this.pages.get(page)?.isFresh !== true) this.load(page)
  }

  private load(page: number) {
    if (this.loading.has(page)) return
    this.loading.add(page)
    // Only the beginning of a list is shown again when one comes back to it.
    const read = page === 0 ? get : getOnce
    read(listCall(this.query, page * ROWS_AT_ONCE), this.abort.signal).then(
      (found) => {
        this.loading.delete(page)
        this.keep(page, found, true)
        this.loadWanted()
      },
      (fault) => {
        this.loading.delete(page)
        // What is there already can be read on; the missing page is asked for again when it is scrolled to.
        if (!this.abort.signal.aborted && this.pages.size === 0) this.fault.value = fault as Error
      },
    )
  }

  private keep(page: number, found: ListResponse, isFresh: boolean) {
    const { bugs = [], ignored = [] } = found
    this.pages.set(page, { bugs, isFresh })
    this.fault.value = undefined
    this.ignored.value = ignored
    if (page === 0) this.count(bugs.length, isFresh)
    this.version.value++
    if (isFresh) void this.loadVisits(bugs)
  }

  private count(first: number, isFresh: boolean) {
    // Until it is known how many there are, there is at least one more page.
    if (first < ROWS_AT_ONCE) this.total.value = first
    else this.total.value ??= 2 * ROWS_AT_ONCE
    if (first >= ROWS_AT_ONCE && isFresh) void this.countAll()
  }

  private async countAll() {
    try {
      const { bug_count: count } = await get(countCall(this.query), this.abort.signal)
      this.total.value = count
    } catch {
      // The list can be read without its length.
    }
  }

  private async loadVisits(bugs: readonly Bug[]) {
    if (me.value === undefined || bugs.length === 0) return
    const address = addressOf('/bug_user_last_visit', { ids: bugs.map(({ id }) => id) })
    try {
      const visits = await get(address, this.abort.signal)
      for (const { id, last_visit_ts: time } of visits) this.visits.set(id, time)
      if (visits.length > 0) this.version.value++
    } catch {
      // Unread marks are a help, and the list works without them.
    }
  }
}
