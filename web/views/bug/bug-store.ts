// Everything that the page of one bug knows. Its parts read the signals, so that only what changes is drawn again.

import { batch, computed, type ReadonlySignal, signal } from '@preact/signals'
import { BUG_FIELDS, bugCalls, FIELDS_CALL } from '../../../shared/first-calls.ts'
import { COMMENT_FIELDS } from '../../../shared/parts-of-pages.ts'
import { addressOf } from '../../../shared/rest-address.ts'
import { me } from '../../core/account/session.ts'
import { afterPaint } from '../../core/after-paint.ts'
import { currentAddress } from '../../core/router.ts'
import { etagOf, lastSeen } from '../../core/server/known-answers.ts'
import { get, isRefused, post, RestError } from '../../core/server/rest.ts'
import type { Attachment, Bug, Field, HistoryEntry } from '../../core/server/types.ts'
import { answersSeen, type BugAnswers } from './bug-answers.ts'
import { learnPeopleOf } from './bug-people.ts'
import type { Conflict } from './conflict.ts'
import { readLinked } from './linked-bugs.ts'
import { ReadOrder } from './read-order.ts'
import { RightsOfReader } from './rights-of-reader.ts'
import { BugComments } from './stream/bug-comments.ts'
import type { LinkedBug } from './stream/references.ts'
import { whyNot } from './why-not.ts'

const COMMENTS = 'comments._default,comments.creator_detail'

export class BugStore {
  readonly ref: string
  readonly bug = signal<Bug | undefined>(undefined)
  private readonly commentParts: BugComments
  readonly comments: BugComments['list']
  /** Comments that have not been read yet. */
  readonly gaps: BugComments['gaps']
  readonly commentCount: BugComments['count']
  readonly history = signal<readonly HistoryEntry[]>([])
  readonly attachments = signal<readonly Attachment[]>([])
  readonly fields = signal<readonly Field[]>([])
  readonly linked = signal<ReadonlyMap<number, LinkedBug>>(new Map())
  private readonly rights = new RightsOfReader()
  readonly access = this.rights.access
  readonly isAccessKnown = this.rights.isKnown
  readonly fault = signal<Error | undefined>(undefined)
  /** The time of the reader's last visit; undefined at the first visit. */
  readonly lastVisit = signal<string | undefined>(undefined)
  /** The number of the last comment that was shown before the reader asked for new ones. */
  readonly lastSeenComment = signal<number | undefined>(undefined)
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
  /** The number of the bug if it is hidden from the reader. */
  hiddenId: number | undefined
  private etag: string | undefined
  private readonly reads = new ReadOrder<'fields' | 'stream'>()

  constructor(ref: string) {
    this.ref = ref
    this.commentParts = new BugComments(ref)
    this.comments = this.commentParts.list
    this.gaps = this.commentParts.gaps
    this.commentCount = this.commentParts.count
    const seen = answersSeen(ref)
    if (seen !== undefined) this.take(seen)
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
    const read = this.reads.begin()
    this.etag = etagOf(calls.bug)
    const knownFields = lastSeen(FIELDS_CALL)
    try {
      const [linked, bug, comments, history, attachments, fields, visit] = await Promise.all([
        this.commentParts.readLinked(currentAddress.value.hash),
        get(calls.bug),
        get(calls.comments),
        get(calls.history),
        get(calls.attachments),
        // They hardly ever change, so the paint does not wait for them a second time.
        knownFields ?? get(calls.fields),
        me.value === undefined ? [] : get(calls.visit).catch(() => []),
      ])
      this.fault.value = undefined
      batch(() => {
        this.fields.value = fields.fields
        if (!this.reads.isNewest('stream', read)) return
        const newerFields = this.reads.isNewest('fields', read) ? undefined : this.bug.value
        this.take({ bug, comments, history, attachments, fields, visit })
        if (linked !== undefined) this.commentParts.add(linked)
        if (newerFields === undefined) this.etag = etagOf(calls.bug)
        else this.bug.value = newerFields
      })
    } catch (fault) {
      if (!this.noteRefusal(fault)) this.fault.value = fault as Error
      return
    }
    await afterPaint()
    await Promise.all([this.loadAccess(), this.loadLinked(), this.loadRest(), knownFields && this.reloadFieldList()])
    if (me.value !== undefined) await post('/bug_user_last_visit/:ref', { ref: this.id }).catch(() => undefined)
  }

  /** Reads the comments between the oldest and the newest ones, and what they name. */
  async loadRest() {
    if (this.gaps.value.length === 0) return
    await this.commentParts.loadRest()
    this.learnPeople()
    await this.loadLinked()
  }

  async reloadFieldList() {
    const answer = await get(FIELDS_CALL).catch(() => undefined)
    if (answer !== undefined) this.fields.value = answer.fields
  }

  /** Reads the bug again after a change, in one request. */
  async reload() {
    const include_fields = `${BUG_FIELDS},${COMMENTS},history,attachments` as const
    const address = addressOf('/bug/:ref', { ref: this.id, include_fields })
    const read = this.reads.begin()
    const { bugs } = await get(address)
    const [whole] = bugs
    if (whole === undefined) return
    const { comments = [], history = [], attachments = [], ...bug } = whole
    batch(() => {
      if (this.reads.isNewest('fields', read)) {
        this.etag = etagOf(address)
        this.bug.value = bug as Bug
      }
      if (!this.reads.isNewest('stream', read)) return
      this.commentParts.setAll(comments)
      this.history.value = history
      this.attachments.value = attachments as Attachment[]
    })
    this.learnPeople()
    await this.loadLinked()
  }

  /** Reads the fields alone: comments and changes stay as they are, so that nothing moves under the reader. */
  async refreshFields() {
    const address = addressOf('/bug/:ref', { ref: this.id, include_fields: BUG_FIELDS })
    const read = this.reads.begin()
    const answer = await get(address).catch((fault) => void this.noteRefusal(fault))
    const bug = answer?.bugs[0]
    if (bug === undefined || !this.reads.isNewest('fields', read)) return
    this.etag = etagOf(address)
    this.bug.value = bug
    this.learnPeople()
    await this.loadLinked()
  }

  /** Reads one comment again, whose text, reactions or mark has changed. */
  async refreshComment(id: number) {
    const address = addressOf('/bug/comment/:comment_id', { comment_id: id, include_fields: COMMENT_FIELDS })
    const answer = await get(address).catch((fault) => (isRefused(fault) ? null : undefined))
    if (answer === undefined) return
    this.comments.value = this.comments.value.flatMap((it) => (it.id === id ? (answer?.comments[id] ?? []) : it))
  }

  /** If the reader may not see the bug any more, the page shows nothing of it. Returns whether that is so. Some calls have a reason of their own. */
  noteRefusal(fault: unknown): boolean {
    if (!(fault instanceof RestError && fault.reason?.endsWith('bug_not_visible'))) return false
    this.hiddenId = this.id || Number(this.ref)
    this.fault.value = fault
    for (const it of [this.past, this.bug]) it.value = undefined
    return true
  }

  /** Marks what is read from now on as new. */
  markNew() {
    const last = this.comments.value.at(-1)
    const times = [last?.time, this.history.value.at(-1)?.when].filter((it) => it !== undefined)
    this.lastVisit.value = times.sort().at(-1)
    this.lastSeenComment.value = last?.count
  }

  loadAccess(): Promise<void> {
    return this.rights.load(this.id)
  }

  forgetAccess() {
    this.rights.forget()
    void this.loadAccess()
  }

  may(field: string) {
    if (this.asOf.value !== undefined) return false
    return this.access.value?.fields[field]?.allowed ?? false
  }

  /** Why a field cannot be changed. */
  reason(field: string) {
    return whyNot(field, this.access.value, this.asOf.value !== undefined)
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

  private take(answers: Partial<BugAnswers>) {
    const bug = answers.bug?.bugs[0]
    if (bug === undefined) return
    batch(() => {
      this.bug.value = bug
      this.commentParts.setEnds(answers.comments?.bugs[bug.id]?.comments ?? [])
      this.history.value = answers.history?.bugs[0]?.history ?? []
      this.attachments.value = answers.attachments?.bugs[bug.id] ?? []
      this.fields.value = answers.fields?.fields ?? []
      // An answer may arrive after the reader has asked for new comments.
      if (this.lastSeenComment.value === undefined) this.lastVisit.value = answers.visit?.[0]?.last_visit_ts
    })
    this.learnPeople()
  }

  private learnPeople() {
    if (this.bug.value !== undefined) learnPeopleOf(this.bug.value, this)
  }

  private async loadLinked() {
    const bug = this.bug.value
    if (bug === undefined) return
    const found = await readLinked(bug, this.comments.value, this.fields.value, this.linked.value)
    if (found.length > 0)
      this.linked.value = new Map([...this.linked.value, ...found.map((it) => [it.id, it] as const)])
  }
}
