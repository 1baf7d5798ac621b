// Changes that are not saved yet. They stay in this browser until they are saved or discarded.
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { dropDraft, keepDraft, keyOf, readDraft } from '../../../core/drafts/drafts.ts'

/** A call of the REST API that PUT /rest/admin/changes makes. */
export interface ChangeCall {
  method: 'POST' | 'PUT' | 'DELETE'
  /** With its variables filled in, such as /rest/component/5. */
  path: string
  params?: Readonly<Record<string, unknown>>
}

/** One changed value, one new object or one that is removed. */
export interface Change {
  /** What is changed, such as `component 5 assignee`: a later change of the same replaces this one. Drafts keep it, so it never changes. */
  key: string
  /** In the bar, such as “owner of Radio”. */
  title: string
  /** What was saved when it was changed, in words: it is struck through. */
  before: string
  after: string
  /** What the page calls values, such as “everybody” for an empty one. */
  words?: Readonly<Record<string, string>>
  call: ChangeCall
  /** Further calls, if one is not enough, such as for the order of a list. */
  more?: readonly ChangeCall[]
  /** Calls with a higher number are made later, else in the order of the changes. Removing is the last. */
  order?: number
  /** It cannot be undone: what happens is shown before it is saved. */
  isFinal?: boolean
}

/** A value as the page shows it. */
export function valueInWords({ words }: Pick<Change, 'words'>, value: string): string {
  const own = words !== undefined && Object.hasOwn(words, value) ? words[value] : undefined
  return own ?? (value === '' ? 'nothing' : value)
}

interface Kept {
  /** The configuration that the changes were made to. */
  version: number
  since: string
  changes: readonly Change[]
}

const NONE: Kept = { version: 0, since: '', changes: [] }

export class ChangeDraft {
  readonly changes: ReadonlySignal<readonly Change[]>
  /** Whether the changes were there before this page was opened. */
  readonly wasKept = signal(false)
  private readonly kept = signal<Kept>(NONE)
  private readonly byKey: ReadonlySignal<ReadonlyMap<string, Change>>
  private readonly name: string

  constructor(name: string) {
    this.name = name
    this.changes = computed(() => this.kept.value.changes)
    this.byKey = computed(() => new Map(this.changes.value.map((change) => [change.key, change])))
    this.readAgain()
  }

  get version() {
    return this.kept.value.version
  }

  /** When the first of the changes was made. */
  get since() {
    return this.kept.value.since
  }

  get(key: string): Change | undefined {
    return this.byKey.value.get(key)
  }

  /** The value that is not saved yet, or else the saved one. */
  valueOf(key: string, saved: string): string {
    return this.get(key)?.after ?? saved
  }

  /** A change back to what is saved is no change. `version` is that of the configuration that the page shows. */
  set(change: Change, version: number) {
    if (change.before === change.after && change.call.method === 'PUT') return this.drop(change.key)
    const { changes, since } = this.kept.value
    const others = changes.filter(({ key }) => key !== change.key)
    const isFirst = changes.length === 0
    this.keep({
      version: isFirst ? version : this.version,
      since: isFirst ? new Date().toISOString() : since,
      // In its old place, so that the bar does not change the order of its words while one types.
      changes:
        others.length === changes.length
          ? [...changes, change]
          : changes.map((it) => (it.key === change.key ? change : it)),
    })
  }

  drop(...keys: readonly string[]) {
    this.keep({ ...this.kept.value, changes: this.changes.value.filter(({ key }) => !keys.includes(key)) })
  }

  clear() {
    this.keep(NONE)
  }

  /** These changes are saved. What was changed again while they were sent stays, and is a change of the saved value. */
  settle(sent: readonly Change[]) {
    const byKey = new Map(sent.map((change) => [change.key, change]))
    const left = this.changes.value.filter(
      (it) => byKey.get(it.key) !== it && !(byKey.has(it.key) && it.call.method !== 'PUT'),
    )
    const changes = left.map((it) => ({ ...it, before: byKey.get(it.key)?.after ?? it.before }))
    this.keep(changes.length === 0 ? NONE : { ...this.kept.value, changes })
  }

  /** The changes are now based on a newer configuration, in which `key` is `now`. */
  rebase(version: number, saved: ReadonlyMap<string, string> = new Map()) {
    const changes = this.changes.value.map((it) => ({ ...it, before: saved.get(it.key) ?? it.before }))
    this.keep({
      ...this.kept.value,
      version,
      changes: changes.filter((it) => it.before !== it.after || it.call.method !== 'PUT'),
    })
  }

  readAgain() {
    const kept = readDraft<Kept>(this.name)
    const isUsable = Array.isArray(kept?.changes) && kept.changes.every((it) => it.call !== undefined)
    this.kept.value = kept !== undefined && isUsable ? kept : NONE
    this.wasKept.value = this.changes.value.length > 0
  }

  private keep(kept: Kept) {
    this.kept.value = kept
    if (kept.changes.length > 0) return keepDraft(this.name, kept)
    this.wasKept.value = false
    dropDraft(this.name)
  }
}

/** What each call changes: values of one object are changed by one call, at the place of the last of them. */
export interface PlannedCall {
  call: ChangeCall
  titles: string[]
}

const LAST = 9

export function planCalls(changes: readonly Change[]): PlannedCall[] {
  const planned = new Map<string, PlannedCall & { order: number }>()
  for (const { key, title, call, more = [], order = call.method === 'DELETE' ? LAST : 0 } of changes)
    for (const each of [call, ...more]) {
      const name = each.method === 'PUT' ? each.path : `${key} ${each.path}`
      const before = planned.get(name)
      planned.delete(name)
      const params = { ...before?.call.params, ...each.params }
      const titles = [...new Set([...(before?.titles ?? []), title])]
      planned.set(name, { call: { ...each, params }, titles, order: Math.max(order, before?.order ?? 0) })
    }
  return [...planned.values()].sort((a, b) => a.order - b.order)
}

const drafts = new Map<string, ChangeDraft>()

/** The draft of a place of the administration, such as `products/Kettle`. */
export function draftOf(place: string): ChangeDraft {
  const key = keyOf(`admin ${place}`)
  const draft = drafts.get(key) ?? new ChangeDraft(`admin ${place}`)
  drafts.set(key, draft)
  return draft
}

// Another tab of the same user has changed or saved it.
addEventListener('storage', ({ key }) => drafts.get(key ?? '')?.readAgain())
