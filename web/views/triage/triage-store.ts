// One queue while it is worked: its bugs, the bug that is shown, who has which bug open, and what the reader decided.
import { signal } from '@preact/signals'
import type { AnswerAt } from '../../../client/call-types.ts'
import { queueCall } from '../../../shared/first-calls.ts'
import { addressOf } from '../../../shared/rest-address.ts'
import { me } from '../../core/account/session.ts'
import { etagOf } from '../../core/server/known-answers.ts'
import { get, isRefusedFor, post, put, remove } from '../../core/server/rest.ts'
import type { Bug } from '../../core/server/types.ts'
import { showFault, showToast } from '../../core/toasts.ts'
import { nameOf } from '../../parts/person.tsx'

export type TriageQueue = AnswerAt<ReturnType<typeof queueCall>>['queues'][number]

export function bugCall(ref: number) {
  return addressOf('/bug/:ref', { ref })
}

export function commentsCall(ref: number) {
  return addressOf('/bug/:ref/comment', { ref, oldest: 5, include_fields: COMMENT_FIELDS })
}

const COMMENT_FIELDS = 'id,count,text,time,creator,creator_detail,is_private,is_markdown'

export function duplicatesCall({ id, product }: Pick<Bug, 'id' | 'product'>) {
  const fields = 'id,summary,status,resolution,is_open,component,severity,priority,type'
  return addressOf('/bug/possible_duplicates', { id, product, limit: 4, include_fields: fields })
}

export type DecisionKind = 'accepted' | 'asked' | 'duplicate' | 'declined' | 'snoozed'

const WORDS: Readonly<Record<DecisionKind, string>> = {
  accepted: 'is accepted',
  asked: 'waits for its reporter',
  duplicate: 'is a duplicate',
  declined: 'is declined',
  snoozed: 'is snoozed',
}

/** What the reader decided, and what takes it back: the values from before, and the version of the bug afterwards. */
interface Decided {
  id: number
  bug: number
  before: Readonly<Record<string, unknown>> | undefined
  version: string | undefined
}

const CLAIM_AGAIN_MILLISECONDS = 60_000

export class TriageStore {
  readonly name: string
  readonly queue = signal<TriageQueue | undefined>(undefined)
  readonly fault = signal<Error | undefined>(undefined)
  readonly current = signal<number | undefined>(undefined)
  /** Why the server refused the last decision. */
  readonly refused = signal<string | undefined>(undefined)
  readonly isBusy = signal(false)
  /** Whom others have open, by bug. */
  readonly claims = signal<ReadonlyMap<number, { id: number; name: string; real_name: string }>>(new Map())
  private readonly decided: Decided[] = []
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(name: string) {
    this.name = name
  }

  async load() {
    try {
      const { queues } = await get(queueCall(this.name))
      const queue = queues[0]
      if (queue === undefined) return
      this.fault.value = undefined
      this.queue.value = queue
      this.claims.value = new Map(queue.claims.map(({ bug_id, person }) => [bug_id, person]))
      if (this.current.value === undefined) this.show(this.nextAfter(undefined))
    } catch (fault) {
      this.fault.value = fault as Error
    }
  }

  /** Whether the reader decided it on this page. */
  isOwn(decision: number) {
    return this.decided.some(({ id }) => id === decision)
  }

  get waiting(): readonly number[] {
    return this.queue.value?.bugs ?? []
  }

  /** The next bug that nobody else has open, from the beginning again at the end. */
  nextAfter(bug: number | undefined): number | undefined {
    const all = this.waiting
    const start = bug === undefined ? 0 : all.indexOf(bug) + 1
    return [...all.slice(start), ...all.slice(0, start)].find((it) => it !== bug && !this.claims.value.has(it))
  }

  step(by: 1 | -1) {
    const all = this.waiting
    const at = this.current.value === undefined ? -1 : all.indexOf(this.current.value)
    const next = all[at + by]
    if (next !== undefined) this.show(next, true)
  }

  /** `isChosen`: the reader wants to see this one, also if somebody else has it open. */
  show(bug: number | undefined, isChosen = false) {
    this.current.value = bug
    this.refused.value = undefined
    clearTimeout(this.timer)
    if (bug === undefined) return
    void this.claim(bug, isChosen)
    const next = this.nextAfter(bug)
    if (next !== undefined) preload(next)
  }

  private async claim(bug: number, isChosen: boolean) {
    if (!this.queue.value?.is_worker) return
    try {
      const { person } = await put('/triage/:queue/claim', { queue: this.name, bug })
      const isOther = person.id !== me.value?.id
      const claims = new Map(this.claims.value)
      if (isOther) claims.set(bug, person)
      else claims.delete(bug)
      this.claims.value = claims
      if (this.current.value !== bug) return
      if (isOther && !isChosen) return this.show(this.nextAfter(bug) ?? bug, true)
      this.timer = setTimeout(() => void this.claim(bug, true), CLAIM_AGAIN_MILLISECONDS)
    } catch {
      // Triage works without claims.
    }
  }

  leave() {
    clearTimeout(this.timer)
  }

  /** Changes the bug, unless somebody else has changed it since it was shown, and records the decision. Returns whether it was done. */
  async decide(bug: Bug, kind: DecisionKind, change: object | undefined, until?: string): Promise<boolean> {
    if (this.isBusy.value) return false
    this.isBusy.value = true
    this.refused.value = undefined
    try {
      const isChanging = change !== undefined && Object.keys(change).length > 0
      if (isChanging) await put('/bug/:ref', { ref: bug.id, ...change }, versionHeader(bug.id))
      const recorded = await post('/triage/:queue/decision', {
        queue: this.name,
        bug: bug.id,
        decision: kind,
        ...(until !== undefined && { until }),
      })
      const before = isChanging ? valuesBefore(bug, change) : undefined
      this.decided.push({ id: recorded.id, bug: bug.id, before, version: await versionAfter(bug.id) })
      const next = this.nextAfter(bug.id)
      await this.load()
      this.show(next !== undefined && this.waiting.includes(next) ? next : this.nextAfter(undefined))
      showToast({
        kind: 'done',
        text: `Bug ${bug.id} ${WORDS[kind]}.`,
        action: { name: 'Undo', run: () => void this.undo() },
      })
      return true
    } catch (fault) {
      this.refused.value = isRefusedFor(fault, 'changed_meanwhile')
        ? 'Somebody else has changed this bug meanwhile. It is shown as it is now: look again, then decide.'
        : fault instanceof Error
          ? fault.message
          : String(fault)
      if (isRefusedFor(fault, 'changed_meanwhile')) await get(bugCall(bug.id)).catch(() => undefined)
      return false
    } finally {
      this.isBusy.value = false
    }
  }

  /** Takes back the last decision: the values from before, while nothing else has changed. A comment that was sent stays. */
  async undo() {
    const last = this.decided.pop()
    if (last === undefined) return showToast({ kind: 'done', text: 'There is nothing to undo.' })
    try {
      if (last.before !== undefined)
        await put(
          '/bug/:ref',
          { ref: last.bug, ...last.before },
          last.version === undefined ? {} : { 'If-Match': last.version },
        )
      await remove('/triage/:queue/decision/:id', { queue: this.name, id: last.id })
      await get(bugCall(last.bug)).catch(() => undefined)
      await this.load()
      this.show(last.bug, true)
      showToast({ kind: 'done', text: `Bug ${last.bug} is as it was before. A comment that was sent stays.` })
    } catch (fault) {
      if (!isRefusedFor(fault, 'changed_meanwhile')) return showFault(fault)
      showToast({ kind: 'failed', text: `Bug ${last.bug} has changed since. Nothing was undone.` })
    }
  }
}

/** What is read before it is shown is there at once. */
function preload(bug: number) {
  for (const address of [bugCall(bug), commentsCall(bug)]) get(address).catch(() => undefined)
}

function versionHeader(bug: number): Record<string, string> {
  const version = etagOf(bugCall(bug))
  return version === undefined ? {} : { 'If-Match': version }
}

async function versionAfter(bug: number): Promise<string | undefined> {
  await get(bugCall(bug)).catch(() => undefined)
  return etagOf(bugCall(bug))
}

/** The values that undo a change. Of a status that was closed, the status alone brings back the rest. */
function valuesBefore(bug: Bug, change: object): Record<string, unknown> {
  const names = Object.keys(change).filter((name) => !['comment', 'flags', 'resolution', 'dupe_of'].includes(name))
  const values = Object.fromEntries(names.map((name) => [name, bug[name as keyof Bug]]))
  return 'dupe_of' in change ? { ...values, status: bug.status } : values
}

export function personName(person: { name: string; real_name: string }) {
  return nameOf(person)
}
