import { loginFor } from '../../../access/reader.ts'
import { renderText } from '../../../bugs/comments/render-comment.ts'
import type { HistoryChange } from '../../../bugs/history/history.ts'
import { valuesIn } from '../../../bugs/history/history.ts'
import { ownAddressOf } from '../../../bugs/see-also/see-also.ts'
import type { FieldDefinitions } from '../../../catalogue/fields/field.ts'
import { fieldNameOf, interfaceNameOf } from '../../../catalogue/fields/field-names.ts'
import { keptFields } from '../../../catalogue/fields/field-store.ts'
import type { ChangeTopic, DependencyTopic, MailJob, RequestTopic } from '../mail-job.ts'
import { siteOf } from '../mail-scene.ts'
import { type Role, roles } from '../preferences/mail-preference.ts'
import { eventsIn, FIELD_OF_ROLE } from '../recipients/mail-events.ts'
import { type Occasion, type Reason, reasonsThatCount } from '../recipients/wants-mail.ts'
import { findName } from './addressee-store.ts'
import type { Addressee } from './find-addressee.ts'
import { type Fact, type Letter, personInWords, type ToldComment, type ToldLine } from './letter.ts'
import {
  attachmentFor,
  bugFor,
  changesFor,
  commentFor,
  descriptionFor,
  type Reader,
  type ShownBug,
  type ShownComment,
} from './read-as.ts'

/** What the addressee is told, or undefined when there is nothing that they may know and want to. */
export async function writeLetter(reader: Reader, addressee: Addressee, job: MailJob): Promise<Letter | undefined> {
  const bug = await bugFor(reader, job.bugId)
  if (bug === undefined) return undefined
  const { login, real_name } = await findName(reader.db, job.who)
  const writing = { reader, addressee, job, bug, fields: await reader.catalogue(keptFields), login, name: real_name }
  switch (job.topic.type) {
    case 'change':
      return job.kind === 'bug.create' ? newBug(writing, job.topic) : change(writing, job.topic)
    case 'dependency':
      return dependency(writing, job.topic)
    case 'request':
      return request(writing, job.topic)
  }
}

interface Writing {
  reader: Reader
  addressee: Addressee
  job: MailJob
  bug: ShownBug
  fields: FieldDefinitions
  /** Of whoever did it. */
  login: string
  name: string
}

async function newBug(writing: Writing, { reasons }: ChangeTopic): Promise<Letter | undefined> {
  const { reader, addressee, job, bug } = writing
  const told = { kind: 'new', changes: [], comment: undefined, hasNewAttachment: false } as const
  const counted = counting(writing, reasons, told)
  if (counted.length === 0) return undefined
  const description = await descriptionFor(reader, job.bugId, job.at)
  return {
    ...common(writing, counted),
    type: 'new',
    title: `${addressee.form.has_new_prefix === 1 ? 'New: ' : ''}${bug.summary}`,
    opening: `${doer(writing)} filed bug ${bug.id}.`,
    facts: factsOf(writing),
    comments: await toldComments(writing, description),
  }
}

async function change(writing: Writing, topic: ChangeTopic): Promise<Letter | undefined> {
  const { reader, job, bug } = writing
  const changes = await changesFor(reader, job.bugId, job.at, topic.history)
  const comment = await commentFor(reader, topic.commentId)
  const attachment = await attachmentFor(reader, topic.attachmentId)
  if (changes.length === 0 && comment === undefined) return undefined
  const hasNewAttachment = attachment !== undefined
  const counted = counting(writing, topic.reasons, { kind: 'changed', changes, comment, hasNewAttachment })
  if (counted.length === 0) return undefined
  const deed = changes.length > 0 ? 'changed' : hasNewAttachment ? 'attached a file to' : 'commented on'
  return {
    ...common(writing, counted),
    opening: `${doer(writing)} ${deed} bug ${bug.id}.`,
    changes: changes.map((line) => toldLine(writing.fields, line)),
    comments: await toldComments(writing, comment),
    changedFields: [
      ...new Set(changes.map(({ field_name }) => fieldNameOf(field_name))),
      ...(hasNewAttachment ? ['attachments.created'] : []),
    ],
    attachmentId: attachment?.id ?? changes.find(({ attachment_id }) => attachment_id !== undefined)?.attachment_id,
  }
}

const DEPENDENCY_FIELDS = ['status', 'resolution']

async function dependency(
  writing: Writing,
  { reasons, blockerId, history }: DependencyTopic,
): Promise<Letter | undefined> {
  const { reader, job, bug, fields } = writing
  const blocker = await bugFor(reader, blockerId)
  if (blocker === undefined) return undefined
  const all = await changesFor(reader, blockerId, job.at, history)
  const changes = all.filter(({ field_name }) => DEPENDENCY_FIELDS.includes(field_name))
  if (changes.length === 0) return undefined
  const told = { kind: 'dependency', changes: [], comment: undefined, hasNewAttachment: false } as const
  const counted = counting(writing, reasons, told)
  if (counted.length === 0) return undefined
  const opening = `Bug ${bug.id} depends on bug ${blockerId} (${blocker.summary}), which ${doer(writing)} changed.`
  return {
    ...common(writing, counted),
    type: 'dep_changed',
    opening,
    changes: changes.map((line) => toldLine(fields, line)),
    changedFields: [...new Set(changes.map(({ field_name }) => fieldNameOf(field_name)))],
  }
}

async function request(writing: Writing, { as, flag, commentId }: RequestTopic): Promise<Letter | undefined> {
  const { reader, addressee, bug } = writing
  if (as === 'requestee' && !addressee.preferences.wantsFlag('requested')) return undefined
  if (as === 'asker' && !addressee.preferences.wantsFlag('answered')) return undefined
  const attachment = await attachmentFor(reader, flag.attachmentId)
  if (flag.attachmentId !== null && attachment === undefined) return undefined
  const deed = deedOf(flag.name, flag.after)
  const place = attachment === undefined ? `bug ${bug.id}` : `attachment ${attachment.id} (${attachment.summary})`
  const shown = (words: string | null) => loginsFor(reader, words ?? '')
  return {
    ...common(writing, []),
    type: 'request',
    title: `${flag.name} ${deed}: ${bug.summary}`,
    opening: `${doer(writing)} ${deed} ${flag.name} on ${place}${attachment === undefined ? '' : ` of bug ${bug.id}`}.`,
    changes: [{ what: 'Flag', removed: shown(flag.before), added: shown(flag.after) }],
    comments: await toldComments(writing, await commentFor(reader, commentId)),
    request: as,
    changedFields: ['flagtypes.name'],
    attachmentId: attachment?.id,
  }
}

/** A flag in words tells who is asked; strangers are told as much of the address as they are told elsewhere. */
function loginsFor(reader: Reader, words: string) {
  return words.replace(/\(([^)]*)\)$/, (_, login: string) => `(${loginFor(login, reader)})`)
}

const DEEDS: Readonly<Record<string, string>> = { '?': 'requested', '+': 'granted', '-': 'denied' }

function deedOf(name: string, after: string | null) {
  return DEEDS[after?.charAt(name.length) ?? ''] ?? 'cleared'
}

function common({ reader, job, bug, login, name }: Writing, reasons: readonly Reason[]): Letter {
  return {
    type: 'changed',
    bug,
    who: { login: loginFor(login, reader), name },
    at: job.at,
    title: String(bug.summary),
    opening: '',
    facts: [],
    changes: [],
    comments: [],
    reasons,
    request: undefined,
    changedFields: [],
    attachmentId: undefined,
    link: ownAddressOf(Number(bug.id), siteOf(reader)),
  }
}

function doer({ reader, login, name }: Writing) {
  return personInWords(loginFor(login, reader), name)
}

interface Seen {
  kind: 'new' | 'changed' | 'dependency'
  changes: readonly HistoryChange[]
  comment: ShownComment | undefined
  hasNewAttachment: boolean
}

/** The reasons for which the addressee wants to be told of what they may see of the change. */
function counting({ addressee, bug, job }: Writing, reasons: readonly Reason[], seen: Seen): Reason[] {
  const occasion: Occasion = {
    events: eventsIn({
      kind: seen.kind,
      fields: seen.changes.map(({ field_name }) => field_name),
      hasComment: seen.comment?.isWritten ?? false,
      hasNewAttachment: seen.hasNewAttachment,
    }),
    people: peopleIn(seen.changes),
    isOwn: job.who === addressee.caller.id,
    isUnconfirmed: bug.status === UNCONFIRMED,
  }
  return reasonsThatCount(addressee.preferences, addressee.caller.login, reasons, occasion)
}

const UNCONFIRMED = 'UNCONFIRMED'

function peopleIn(changes: readonly HistoryChange[]): Map<Role, ReadonlySet<string>> {
  return new Map(
    roles.map((role) => {
      const own = changes.filter(({ field_name }) => field_name === FIELD_OF_ROLE[role])
      return [role, new Set(own.flatMap(({ removed, added }) => [...valuesIn(removed), ...valuesIn(added)]))]
    }),
  )
}

function toldLine(fields: FieldDefinitions, { field_name, removed, added, attachment_id }: HistoryChange): ToldLine {
  const label = fields.named(fieldNameOf(field_name))?.display_name ?? field_name
  return { what: attachment_id === undefined ? label : `Attachment ${attachment_id}: ${label}`, removed, added }
}

/** The fields of a new bug that mail tells, as far as they hold something. */
function factsOf({ bug, fields, reader }: Writing): Fact[] {
  return fields.all
    .filter(({ is_in_new_mail, is_obsolete }) => is_in_new_mail === 1 && is_obsolete === 0)
    .filter(({ name }) => name !== 'classification' || reader.settings.useclassification)
    .map(({ name, display_name }) => ({ label: display_name, value: inWords(bug[interfaceNameOf(name)]) }))
    .filter(({ value }) => value !== '')
}

function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(', ')
  return value === undefined || value === null || value === 0 ? '' : String(value)
}

async function toldComments({ reader, bug }: Writing, comment: ShownComment | undefined): Promise<ToldComment[]> {
  if (comment === undefined) return []
  const html = await renderText({ ...reader, baseUrl: siteOf(reader) }, comment.text, Number(bug.id))
  return [{ ...comment, html, author: comment.creator }]
}
