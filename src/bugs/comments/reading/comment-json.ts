import { neutralNick } from '../../../../shared/nicks.ts'
import type { Caller } from '../../../access/caller.ts'
import { loginFor } from '../../../access/visibility/reader-rights.ts'
import type { Settings } from '../../../platform/config/settings.ts'
import { quoted } from '../../../platform/text/quoted.ts'
import { everyField, type FieldKind, type FieldSelection } from '../../../platform/wire/field-selection.ts'
import { isAboutAttachment, servedText } from '../comment.ts'
import type { CommentPart } from './comment-columns.ts'
import type { CommentRow } from './comment-view-store.ts'

export interface CommentContext {
  caller: Caller
  settings: Settings
  select: FieldSelection
}

/** The parts to read for the requested fields. Computed once per selection, because most requests share one. */
export function commentParts({ select, settings }: CommentContext): ReadonlySet<CommentPart> {
  const known = hasTags(settings) ? parts.withTags : parts.withoutTags
  const found = known.get(select) ?? neededParts(select, hasTags(settings))
  known.set(select, found)
  return found
}

const parts = {
  withTags: new WeakMap<FieldSelection, ReadonlySet<CommentPart>>(),
  withoutTags: new WeakMap<FieldSelection, ReadonlySet<CommentPart>>(),
}

function neededParts(select: FieldSelection, areTagged: boolean): ReadonlySet<CommentPart> {
  const wanted = (['text', 'creator', 'creator_detail'] as const).filter((part) => select.wants(part, kindOf(part)))
  return new Set<CommentPart>([...wanted, ...(areTagged && select.wants('tags') ? (['tags'] as const) : [])])
}

/** Bugzilla's comments do not have the names of their authors, so they are returned on request. */
function kindOf(field: string): FieldKind {
  return field === 'creator_detail' ? 'extra' : 'default'
}

/** A comment as the REST API returns it. */
export function presentComment(comment: CommentRow, readContext: CommentContext) {
  const { id, bug_id, number, at, kind, about_id, is_private, is_markdown } = comment
  const creator = loginFor(comment.creator, readContext)
  const detail = detailOf(comment, creator, readContext)
  const whole = {
    id,
    bug_id,
    attachment_id: isAboutAttachment(kind) ? about_id : null,
    count: number,
    text: commentText(comment),
    creator,
    ...(detail && { creator_detail: detail }),
    time: at,
    creation_time: at,
    is_private: is_private === 1,
    // compat: Bugzilla 5 does not have this field, so plain comments do not either.
    ...(is_markdown === 1 && { is_markdown: true }),
    ...(hasTags(readContext.settings) && { tags: JSON.parse(comment.tags ?? '[]') as string[] }),
  }
  return detail === undefined ? readContext.select.pick(whole) : readContext.select.pick(whole, kindOf)
}

/** The same as JSON text. Writing the usual fields in their order takes half the time of making an object of them first. */
export function writtenComment(comment: CommentRow, readContext: CommentContext): string {
  if (readContext.select !== everyField) return JSON.stringify(presentComment(comment, readContext))
  const { id, bug_id, number, kind, about_id, is_private, is_markdown, tags } = comment
  const at = quoted(comment.at)
  const about = isAboutAttachment(kind) ? about_id : null
  const creator = quoted(loginFor(comment.creator, readContext))
  const text = JSON.stringify(commentText(comment))
  const markdown = is_markdown === 1 ? ',"is_markdown":true' : ''
  const tagged = hasTags(readContext.settings) ? `,"tags":${tags === undefined ? '[]' : compactJson(tags)}` : ''
  return `{"id":${id},"bug_id":${bug_id},"attachment_id":${about},"count":${number},"text":${text},"creator":${creator},"time":${at},"creation_time":${at},"is_private":${is_private === 1}${markdown}${tagged}}`
}

/** PostgreSQL writes JSON with spaces. */
function compactJson(json: string): string {
  return json === '[]' ? json : JSON.stringify(JSON.parse(json))
}

/** The author, in the same form as those of bugs; undefined unless it was requested. */
function detailOf(comment: CommentRow, login: string, { select }: CommentContext) {
  const { creator_id: id, creator_name: name = '', creator_nick } = comment
  if (id === undefined) return undefined
  const nick = creator_nick ?? neutralNick(id)
  return select.within('creator_detail').pick({ id, real_name: name, nick, name: login, email: login })
}

export function commentText({
  text = '',
  kind,
  about_id,
  other_id = null,
  attachment_summary = null,
}: CommentRow): string {
  return servedText({
    text,
    kind,
    aboutId: isAboutAttachment(kind) ? about_id : other_id,
    attachmentSummary: attachment_summary,
  })
}

export function hasTags(settings: Settings) {
  return settings.comment_taggers_group !== ''
}
