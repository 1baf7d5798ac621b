// Everything that the page of one bug knows. Its parts read the signals, so that only what changes is drawn again.
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { me } from '../../core/account/session.ts'
import { afterPaint } from '../../core/after-paint.ts'
import { addPeople, loadPeople } from '../../core/bugs/people.ts'
import { etagOf, get, lastSeen, post } from '../../core/server/rest.ts'
import type { Attachment, Bug, BugAccess, Comment, Field, HistoryEntry } from '../../core/server/types.ts'
import { bugCalls, bugsCall } from '../../first-calls.ts'
import { referencesIn } from './stream/references.ts'

/** What is shown of another bug that this one names. */
export interface LinkedBug {
  id: number
  summary: string
  status: string
  resolution: string
  is_open: boolean
}

/** The reader's value, and the value that another user has saved before. */
export interface Conflict {
  label: string
  theirs: string
  mine: string
  /** Login name. */
  who: string | undefined
  setMine(): void
  /** Called when the reader keeps the other value. */
  keepTheirs?(): void
}

interface Answers {
  bug: { bugs: Bug[] }
  comments: { bugs: Record<string, { comments: Comment[] }> }
  history: { bugs: { history: HistoryEntry[] }[] }
  attachments: { bugs: Record<string, Attachment[]> }
  fields: { fields: Field[] }
  visit: { last_visit_ts: string }[]
}

type WholeBug = Bug & { comments: Comment[]; history: HistoryEntry[]; attachments: Attachment[] }

const EXTRA = 'tags,duplicates'
const COMMENTS = 'comments._default,comments.creator_detail'
const MOST_LINKED = 200

export class BugStore {
  readonly ref: string
  readonly bug = signal<Bug | undefined>(undefined)
  readonly comments = signal<readonly Comment[]>([])
  readonly history = signal<readonly HistoryEntry[]>([])
  readonly attachments = signal<readonly Attachment[]>([])
  readonly fields = signal<readonly Field[]>([])
  readonly linked = signal<ReadonlyMap<number, LinkedBug>>(new Map())
  readonly access = signal<BugAccess | undefined>(undefined)
  readonly fault = signal<Error | undefined>(undefined)
  /** The time of the reader's last visit; undefined at the first visit. */
  readonly lastVisit = signal<string | undefined>(undefined)
  /** Values that are being saved: shown at once. */
  readonly unsaved = signal<Readonly<Partial<Bug>>>({})
  readonly conflicts = signal<ReadonlyMap<string, Conflict>>(new Map())
  /** The field that was just saved. */
  readonly saved = signal<string | undefined>(undefined)
  /** The field of which the reader wants to know why it cannot be changed. */
  readonly asked = signal<string | undefined>(undefined)
  /** The field whose editor is open. */
  readonly editing = signal<string | undefined>(undefined)
  /** The time of which the bug is shown; undefined for now. Everything is read-only then. */
  readonly asOf = signal<string | undefined>(undefined)
  readonly past = signal<Bug | undefined>(undefined)
  readonly shown: ReadonlySignal<Bug | undefined> = computed(
    () => this.past.value ?? (this.bug.value && ({ ...this.bug.value, ...this.unsaved.value } as Bug)),
  )
  private etag: string | undefined
  private accessRequest: Promise<void> | undefined

  constructor(ref: string) {
    this.ref = ref
    const [bug, comments, history, attachments, fields, visit] = bugCalls(ref).map((call) => lastSeen<unknown>(call))
    if (bug !== undefined) this.take({ bug, comments, history, attachments, fields, visit } as Partial<Answers>)
  }

  get id() {
    return this.bug.value?.id ?? 0
  }

  /** The version that was read last, for changes with If-Match. */
  get version() {
    return this.etag
  }

  async load() {
    const calls = bugCalls(this.ref)
    this.etag = etagOf(calls[0] as string)
    const names = ['bug', 'comments', 'history', 'attachments', 'fields', 'visit'] as const
    try {
      const visit = me.value === undefined ? [] : get(calls[5] as string).catch(() => [])
      const answers = await Promise.all([...calls.slice(0, 5).map((call) => get<unknown>(call)), visit])
      this.take(Object.fromEntries(names.map((name, place) => [name, answers[place]])) as unknown as Answers)
      this.etag = etagOf(calls[0] as string)
      this.fault.value = undefined
    } catch (fault) {
      this.fault.value = fault as Error
      return
    }
    await afterPaint()
    await this.loadLinked()
    if (me.value !== undefined) await post(`/rest/bug_user_last_visit/${this.id}`, {}).catch(() => undefined)
  }

  /** Reads the bug again after a change, in one request. */
  async reload() {
    const address = `/rest/bug/${this.id}?include_fields=_default,${EXTRA},${COMMENTS},history,attachments`
    const { bugs } = await get<{ bugs: WholeBug[] }>(address)
    const [whole] = bugs
    if (whole === undefined) return
    const { comments, history, attachments, ...bug } = whole
    this.etag = etagOf(address)
    batch(() => {
      this.bug.value = bug as Bug
      this.comments.value = comments
      this.history.value = history
      this.attachments.value = attachments
    })
    this.learnPeople()
    await this.loadLinked()
  }

  /** Reads the fields alone: comments and changes stay as they are, so that nothing moves under the reader. */
  async refreshFields() {
    const address = `/rest/bug/${this.id}?include_fields=_default,${EXTRA}`
    const { bugs } = await get<{ bugs: Bug[] }>(address).catch(() => ({ bugs: [] }))
    const [bug] = bugs
    if (bug === undefined) return
    this.etag = etagOf(address)
    this.bug.value = bug
    this.learnPeople()
    await this.loadLinked()
  }

  /** When the newest comment or change that is shown was made. */
  get newestTime(): string {
    const times = [this.comments.value.at(-1)?.time, this.history.value.at(-1)?.when].filter((it) => it !== undefined)
    return times.sort().at(-1) ?? ''
  }

  /** What the reader may change, and why; read when it is first needed. */
  loadAccess(): Promise<void> {
    if (me.value === undefined) return Promise.resolve()
    this.accessRequest ??= get<BugAccess>(`/rest/bug/${this.id}/access`).then(
      (access) => {
        this.access.value = access
      },
      () => {
        this.accessRequest = undefined
      },
    )
    return this.accessRequest
  }

  /** Rights change with the product, the assignee and the groups. */
  forgetAccess() {
    this.accessRequest = undefined
    void this.loadAccess()
  }

  may(field: string) {
    if (this.asOf.value !== undefined) return false
    return this.access.value?.fields[field]?.allowed ?? false
  }

  /** Why a field cannot be changed. */
  reason(field: string): string {
    if (this.asOf.value !== undefined) return 'This is the bug as it was. Go back to today to change it.'
    if (me.value === undefined) return 'Log in to change this.'
    const rule = this.access.value?.fields[field]?.rule
    if (this.access.value?.edit.allowed === false) return 'You may not change bugs of this product.'
    return rule === undefined ? 'You may not change this.' : `You may not change this: ${rule}.`
  }

  field(name: string) {
    return this.fields.value.find((field) => field.name === name)
  }

  setConflict(name: string, conflict: Conflict | undefined) {
    const next = new Map(this.conflicts.value)
    if (conflict === undefined) next.delete(name)
    else next.set(name, conflict)
    this.conflicts.value = next
  }

  private take(answers: Partial<Answers>) {
    const bug = answers.bug?.bugs[0]
    if (bug === undefined) return
    batch(() => {
      this.bug.value = bug
      this.comments.value = answers.comments?.bugs[bug.id]?.comments ?? []
      this.history.value = answers.history?.bugs[0]?.history ?? []
      this.attachments.value = answers.attachments?.bugs[bug.id] ?? []
      this.fields.value = answers.fields?.fields ?? []
      this.lastVisit.value = answers.visit?.[0]?.last_visit_ts
    })
    this.learnPeople()
  }

  private learnPeople() {
    const bug = this.bug.value
    if (bug === undefined) return
    addPeople(this.comments.value.map(({ creator_detail: author }) => author))
    addPeople([bug.creator_detail, bug.assigned_to_detail, bug.qa_contact_detail, ...(bug.cc_detail ?? []), me.value])
    void loadPeople([
      ...this.comments.value.map(({ creator }) => creator),
      ...this.history.value.map(({ who }) => who),
      ...this.attachments.value.map(({ creator }) => creator),
      ...[...(bug.flags ?? []), ...this.attachments.value.flatMap(({ flags }) => flags)].flatMap((flag) => [
        flag.setter,
        ...(flag.requestee === undefined ? [] : [flag.requestee]),
      ]),
    ])
  }

  /** Status and summary of the bugs that this one names, in one request. */
  private async loadLinked() {
    const bug = this.bug.value
    if (bug === undefined) return
    const ids = referencesIn(bug, this.comments.value, this.fields.value).filter((id) => !this.linked.value.has(id))
    if (ids.length === 0) return
    const address = bugsCall(ids.slice(0, MOST_LINKED), 'id,summary,status,resolution,is_open')
    const { bugs } = await get<{ bugs: LinkedBug[] }>(address).catch(() => ({ bugs: [] }))
    this.linked.value = new Map([...this.linked.value, ...bugs.map((it) => [it.id, it] as const)])
  }
}

const Store = createContext<BugStore | undefined>(undefined)
export const StoreProvider = Store.Provider

export function useBugStore(): BugStore {
  const store = useContext(Store)
  if (store === undefined) throw new Error('useBug and useBugStore work only on the page of a bug')
  return store
}

/** The bug that is shown: the parts of the page are drawn only when there is one. */
export function useBug(): Bug {
  const bug = useBugStore().shown.value
  if (bug === undefined) throw new Error('useBug and useBugStore work only on the page of a bug')
  return bug
}
