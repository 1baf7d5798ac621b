import type { LinkTemplates } from '../../../../shared/text/link-templates.ts'
import type { Piece } from '../../../../shared/text/text-pieces.ts'
import type { CallContext } from '../../../access/call.ts'
import { insiderParams } from '../../../access/visibility/reader-rights.ts'
import { keptFields } from '../../../catalogue/fields/field-store.ts'
import { keptWorkflow } from '../../../catalogue/workflow/workflow-store.ts'
import { keptLinkTemplates } from '../../../platform/config/link-templates.ts'
import { isTurnLong, laterTurn } from '../../../platform/monitoring/event-loop.ts'
import { dictionary } from '../../../platform/text/dictionary.ts'
import { localBugUrl } from '../../links/see-also/see-also.ts'
import { listAttachmentTitles, listBugTitles } from './comment-title-store.ts'

export type RenderContext = Pick<CallContext, 'db' | 'caller' | 'settings' | 'catalogue' | 'baseUrl'>

/** The titles and addresses of links. */
export interface Titles {
  baseUrl: string
  templates: LinkTemplates | undefined
  bugs: ReadonlyMap<number, { title: string; isOpen: boolean }>
  attachments: ReadonlyMap<number, { title: string; isObsolete: boolean }>
}

/** What the caller may know about the bugs and attachments that the pieces refer to. */
export async function titlesFor(context: RenderContext, pieces: readonly Piece[]): Promise<Titles> {
  const { db, settings, catalogue, baseUrl } = context
  const reader = insiderParams(context)
  const bugIds = pieces.flatMap((piece) => bugIn(piece, baseUrl)?.id ?? [])
  const attachmentIds = pieces.flatMap((piece) => (piece.kind === 'attachment' ? piece.id : []))
  const workflow = await catalogue(keptWorkflow)
  const fields = await catalogue(keptFields)
  const nameOf = (field: string, id: number) => fields.valuesOf(field).find((value) => value.id === id)?.name ?? ''
  const bugs = await inParts(bugIds, (ids) => listBugTitles(db, settings, reader, ids))
  const attachments = await inParts(attachmentIds, (ids) => listAttachmentTitles(db, settings, reader, ids))
  return {
    baseUrl,
    templates: keptLinkTemplates(settings.link_templates),
    bugs: new Map(
      bugs.map((bug) => {
        const progress = [nameOf('bug_status', bug.status_id), nameOf('resolution', bug.resolution_id)]
        const title = `${progress.filter((word) => word !== '').join(' ')} - ${bug.summary}`
        return [bug.id, { title, isOpen: workflow.isOpen(bug.status_id) }]
      }),
    ),
    attachments: new Map(attachments.map((it) => [it.id, { title: it.summary, isObsolete: it.is_obsolete === 1 }])),
  }
}

/** A text may refer to thousands of bugs. Reading all of them at once would keep the event loop. */
async function inParts<Row>(ids: readonly number[], read: (ids: readonly number[]) => Promise<Row[]>): Promise<Row[]> {
  const different = [...new Set(ids)]
  const rows: Row[] = []
  for (let start = 0; start < different.length; start += IDS_TOGETHER) {
    if (start > 0 && isTurnLong()) await laterTurn()
    rows.push(...(await read(different.slice(start, start + IDS_TOGETHER))))
  }
  return rows
}

const IDS_TOGETHER = 200

export function htmlOf(piece: Piece, titles: Titles, here: number | undefined): string {
  const text = escaped(piece.text)
  switch (piece.kind) {
    case 'text':
    case 'mention':
      return text
    case 'template':
      return `<a href="${escaped(piece.address)}" rel="nofollow noopener noreferrer">${text}</a>`
    case 'mail':
      return `<a href="mailto:${text}">${text}</a>`
    case 'comment':
      return here === undefined ? text : `<a href="${bugAddress(titles, here, piece.number)}">${text}</a>`
    case 'attachment':
      return attachmentLink(piece.id, text, titles)
    case 'bug':
      return bugLink(piece.id, piece.comment, text, titles) ?? text
    case 'url': {
      const own = bugIn(piece, titles.baseUrl)
      const link = own && bugLink(own.id, own.comment, text, titles)
      return link ?? `<a href="${text}" rel="nofollow noopener noreferrer">${text}</a>`
    }
  }
}

function bugLink(id: number, comment: number | undefined, text: string, titles: Titles): string | undefined {
  const bug = titles.bugs.get(id)
  if (bug === undefined) return undefined
  const start = `<a class="bug${bug.isOpen ? '' : ' closed'}" href="${bugAddress(titles, id, comment)}" title="${escaped(bug.title)}">`
  return `${start}${bug.isOpen ? text : `<s>${text}</s>`}</a>`
}

function attachmentLink(id: number, text: string, { attachments, baseUrl }: Titles): string {
  const attachment = attachments.get(id)
  if (attachment === undefined) return text
  const address = escaped(`${baseUrl.replace(/\/+$/, '')}/attachment.cgi?id=${id}&action=edit`)
  const kind = `attachment${attachment.isObsolete ? ' obsolete' : ''}`
  const shown = attachment.isObsolete ? `<s>${text}</s>` : text
  return `<a class="${kind}" href="${address}" title="${escaped(attachment.title)}">${shown}</a>`
}

export function bugAddress({ baseUrl }: Titles, id: number, comment: number | undefined) {
  return escaped(localBugUrl(id, baseUrl) + (comment === undefined ? '' : `#c${comment}`))
}

/** The bug that a piece refers to, by its number or by its URL in this installation. */
function bugIn(piece: Piece, baseUrl: string): { id: number; comment: number | undefined } | undefined {
  if (piece.kind === 'bug') return piece
  const own = localBugUrl(0, baseUrl).slice(0, -1)
  if (piece.kind !== 'url' || !piece.text.startsWith(own)) return undefined
  const match = /^(\d{1,10})(?:#c(\d{1,10}))?$/.exec(piece.text.slice(own.length))
  return match === null
    ? undefined
    : { id: Number(match[1]), comment: match[2] === undefined ? undefined : Number(match[2]) }
}

const ENTITIES: Readonly<Record<string, string>> = dictionary({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
})

export function escaped(text: string) {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
