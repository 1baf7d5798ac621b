import { neutralNick } from '../../../../shared/nicks.ts'
import { type Caller, isIn } from '../../../access/caller.ts'
import { loginFor } from '../../../access/visibility/reader-rights.ts'
import { type ChangeColumns, presentChange } from '../../../changes/change-json.ts'
import type { Settings } from '../../../platform/config/settings.ts'
import { quoted } from '../../../platform/text/quoted.ts'
import { everyField, type FieldKind, type FieldSelection } from '../../../platform/wire/field-selection.ts'
import { isAboutAttachment, servedText } from '../comment.ts'
import { OWN } from '../reactions/reaction-store.ts'
import type { CommentPart } from './comment-columns.ts'
import type { CommentRow } from './comment-view-store.ts'

export interface CommentContext {
  caller: Caller
  settings: Settings
  select: FieldSelection
}

/** The parts to read for the requested fields. Computed once per selection, because most requests share one. */
export function commentParts({ select, settings }: CommentContext): ReadonlySet<CommentPart> {
  const switches = (hasTags(settings) ? 1 : 0) + (settings.use_comment_reactions ? 2 : 0)
  const known = parts[switches] as (typeof parts)[number]
  const found = known.get(select) ?? neededParts(select, settings)
  known.set(select, found)
  return found
}

/** For each setting of the two parameters that decide on parts. */
const parts = Array.from({ length: 4 }, () => new WeakMap<FieldSelection, ReadonlySet<CommentPart>>())

function neededParts(select: FieldSelection, settings: Settings): ReadonlySet<CommentPart> {
  const wanted = (['text', 'creator', 'creator_detail', 'mentions', 'source'] as const).filter(
    (part) => select.wants(part, kindOf(part)) || (OTHER_NAMES[part] ?? []).some((name) => select.wants(name, 'extra')),
  )
  return new Set<CommentPart>([
    ...wanted,
    ...(hasTags(settings) && select.wants('tags') ? (['tags'] as const) : []),
    ...(settings.use_comment_reactions && select.wants('reactions') ? (['reactions'] as const) : []),
  ])
}

/** Fields that are made of a part besides the one with its name. */
const OTHER_NAMES: Partial<Record<CommentPart, readonly string[]>> = {
  text: ['raw_text'],
  creator: ['author'],
  source: ['change_id', 'undoes'],
}

/** Bugzilla's comments do not have the names of their authors, so they are returned on request. */
function kindOf(field: string): FieldKind {
  return EXTRA_FIELDS.has(field) ? 'extra' : 'default'
}

const EXTRA_FIELDS: ReadonlySet<string> = new Set([
  ...['creator_detail', 'author', 'raw_text'],
  ...['change_id', 'source', 'undoes'],
])

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
    ...(comment.mentions && mentionsOf(comment.mentions, readContext)),
    ...(hasTags(readContext.settings) && { tags: JSON.parse(comment.tags ?? '[]') as string[] }),
    ...(hasReactions(comment) && reactionsIn(comment.reactions)),
    ...(comment.is_answer === 1 && { is_answer: true }),
    ...(comment.edit_count > 0 && { edit_count: comment.edit_count, last_change_time: comment.edited_at }),
    ...(comment.change_ref !== undefined && presentChange(readContext.caller, comment as ChangeColumns)),
    author: creator,
    raw_text: comment.text ?? '',
  }
  return readContext.select.pick(whole, kindOf)
}

/** The same as JSON text. Writing the usual fields in their order takes half the time of making an object of them first. */
export function writtenComment(comment: CommentRow, readContext: CommentContext): string {
  if (readContext.select !== everyField) return JSON.stringify(presentComment(comment, readContext))
  const { id, bug_id, number, kind, about_id, is_private, is_markdown, tags, mentions } = comment
  if (hasReactions(comment) || comment.is_answer === 1 || comment.edit_count > 0)
    return JSON.stringify(presentComment(comment, readContext))
  const at = quoted(comment.at)
  const about = isAboutAttachment(kind) ? about_id : null
  const creator = quoted(loginFor(comment.creator, readContext))
  const text = JSON.stringify(commentText(comment))
  const markdown = is_markdown === 1 ? ',"is_markdown":true' : ''
  const named = mentions ? mentionsOf(mentions, readContext) : undefined
  const mentioned = named?.mentions === undefined ? '' : `,"mentions":${JSON.stringify(named.mentions)}`
  const tagged = hasTags(readContext.settings) ? `,"tags":${tags === undefined ? '[]' : compactJson(tags)}` : ''
  return `{"id":${id},"bug_id":${bug_id},"attachment_id":${about},"count":${number},"text":${text},"creator":${creator},"time":${at},"creation_time":${at},"is_private":${is_private === 1}${markdown}${mentioned}${tagged}}`
}

interface MentionRow {
  nick: string
  id: number
  login: string
  real_name: string
}

/** The mentioned users whom the reader may know. With usevisibilitygroups these are the reader and, for editusers, everybody. */
function mentionsOf(json: string, viewer: CommentContext) {
  const { caller, settings } = viewer
  const all = (JSON.parse(json) as MentionRow[]).filter(
    ({ id }) => !settings.usevisibilitygroups || id === caller.id || isIn(caller, 'editusers'),
  )
  if (all.length === 0) return {}
  return {
    mentions: all.map(({ nick, id, login, real_name }) => ({ nick, id, name: loginFor(login, viewer), real_name })),
  }
}

/** A user who was deleted may have been the only one. */
function hasReactions(comment: CommentRow): comment is CommentRow & { reactions: string } {
  return typeof comment.reactions === 'string' && comment.reactions !== '[]'
}

/** How many there are of each name, and which of them are the reader's own. */
function reactionsIn(json: string) {
  const marked = JSON.parse(json) as string[]
  const own = marked.flatMap((name) => (name.endsWith(OWN) ? name.slice(0, -OWN.length) : []))
  const names = marked.map((name) => (name.endsWith(OWN) ? name.slice(0, -OWN.length) : name))
  const reactions = Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]))
  return { reactions, ...(own.length > 0 && { own_reactions: own }) }
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
