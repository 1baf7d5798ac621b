// The rows of a list: pages of bugs, loaded where the reader looks and dropped when far away, so that a list of a million stays small.
import { signal } from '@preact/signals'
import { countCall, listCall, ROWS_AT_ONCE } from '../../addresses.ts'
import { get, lastSeen } from '../../core/rest.ts'
import { me } from '../../core/session.ts'
import type { Bug } from '../../core/types.ts'

interface Found {
  bugs: Bug[]
  ignored?: string[]
}

interface LoadedPage {
  bugs: readonly Bug[]
  isFresh: boolean
}

const MOST_PAGES = 12

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
  private readonly visits = new Map<number, string>()
  private readonly abort = new AbortController()

  constructor(query: URLSearchParams) {
    this.query = query
    const seen = lastSeen<Found>(listCall(query))
    this.total.value = lastSeen<{ bug_count: number }>(countCall(query))?.bug_count
    if (seen !== undefined) this.keep(0, seen, false)
  }

  start() {
    this.load(0)
  }

  close() {
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

  /** Whether the reader has looked at the bug before its last change. */
  isUnread({ id, last_change_time: changed }: Bug) {
    const visit = this.visits.get(id)
    return visit !== undefined && changed > visit
  }

  /** Loads what is missing between two rows, and drops what is far from them. */
  need(first: number, last: number) {
    const [from, to] = [Math.floor(first / ROWS_AT_ONCE), Math.floor(last / ROWS_AT_ONCE)]
    for (let page = from; page <= to; page++) if (this.pages.get(page)?.isFresh !== true) this.load(page)
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

  private load(page: number) {
    if (this.loading.has(page)) return
    this.loading.add(page)
    get<Found>(listCall(this.query, page * ROWS_AT_ONCE), this.abort.signal)
      .then(
        (found) => this.keep(page, found, true),
        (fault) => {
          // What is there already can be read on; the missing page is asked for again when it is scrolled to.
          if (!this.abort.signal.aborted && this.pages.size === 0) this.fault.value = fault as Error
        },
      )
      .finally(() => this.loading.delete(page))
  }

  private keep(page: number, found: Found, isFresh: boolean) {
    this.pages.set(page, { bugs: found.bugs, isFresh })
    this.fault.value = undefined
    this.ignored.value = found.ignored ?? []
    if (page === 0) this.count(found.bugs.length, isFresh)
    this.version.value++
    if (isFresh) void this.loadVisits(found.bugs)
  }

  private count(first: number, isFresh: boolean) {
    if (first < ROWS_AT_ONCE) this.total.value = first
    else if (this.total.value === undefined || isFresh) void this.countAll()
  }

  private async countAll() {
    // Until it is known how many there are, there is at least one more page.
    this.total.value ??= 2 * ROWS_AT_ONCE
    try {
      const { bug_count: count } = await get<{ bug_count: number }>(countCall(this.query), this.abort.signal)
      this.total.value = count
    } catch {
      // The list can be read without its length.
    }
  }

  private async loadVisits(bugs: readonly Bug[]) {
    if (me.value === undefined || bugs.length === 0) return
    const ids = bugs.map(({ id }) => `ids=${id}`).join('&')
    try {
      const visits = await get<{ id: number; last_visit_ts: string }[]>(
        `/rest/bug_user_last_visit?${ids}`,
        this.abort.signal,
      )
      for (const { id, last_visit_ts: time } of visits) this.visits.set(id, time)
      if (visits.length > 0) this.version.value++
    } catch {
      // Unread marks are a help, and the list works without them.
    }
  }
}
