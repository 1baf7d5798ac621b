import type { Static } from '@sinclair/typebox'
import { bugCalls } from '../../../shared/first-calls.ts'
import { COMMENTS_WITHOUT_SCRIPT, commentPartCall, firstPlainComment } from '../../../shared/parts-of-pages.ts'
import type { Attachment as AttachmentSchema } from '../../bugs/attachments/attachment-schema.ts'
import type { Comment as CommentSchema } from '../../bugs/comments/comment-schema.ts'
import type { Bug as BugSchema } from '../../bugs/reading/bug-schema.ts'
import { keptLinkTemplates } from '../../platform/config/link-templates.ts'
import { commentTexts } from './comment-text.ts'
import { type Html, html, shortened, timeOf } from './html.ts'
import type { PlainPage, PlainSource } from './plain-source.ts'

type Bug = Static<typeof BugSchema>
type Comment = Static<typeof CommentSchema>
type Attachment = Static<typeof AttachmentSchema>

/** A bug with its fields, comments and attachments. */
export async function plainBug(
  ref: string,
  query: URLSearchParams,
  source: PlainSource,
): Promise<PlainPage | undefined> {
  const { root, bodyOf, parameters } = source
  const calls = bugCalls(ref)
  const bug = bodyOf<{ bugs: Bug[] }>(calls.bug)?.bugs[0]
  if (bug === undefined) return undefined
  const from = firstPlainComment(query)
  const ends = commentsIn(bodyOf(calls.comments))
  const shown = from === undefined ? ends : commentsIn(bodyOf(commentPartCall(ref, from)))
  const attachments = Object.values(bodyOf<{ bugs: Record<string, Attachment[]> }>(calls.attachments)?.bugs ?? {})[0]
  const last = ends.at(-1)?.count ?? 0
  const texts = await commentTexts(
    shown.map(({ text }) => text),
    { bug: bug.id, root, templates: keptLinkTemplates(parameters.link_templates ?? '') },
  )
  return {
    title: `${bug.id} ${bug.summary}`,
    description: shortened(ends.find(({ count }) => count === 0)?.text ?? ''),
    canonical: `/bug/${bug.id}`,
    content: html`<article>
<h1 dir="auto">${bug.id} ${bug.summary}</h1>
<dl class="plain-fields">${fieldsOf(bug, root)}</dl>
${attachments === undefined || attachments.length === 0 ? undefined : attachmentList(attachments, root)}
<h2>Comments</h2>
${shown.map((comment, place) => plainComment(comment, texts[place]))}
${rest(bug.id, shown, last, root)}
</article>`,
  }
}

function commentsIn(body: { bugs: Record<string, { comments: Comment[] }> } | undefined): Comment[] {
  return Object.values(body?.bugs ?? {})[0]?.comments ?? []
}

function fieldsOf(bug: Bug, root: string): Html[] {
  const link = (id: number) => html`<a href="${root}/bug/${id}">${id}</a> `
  const product = html`<a href="${root}/product/${encodeURIComponent(bug.product)}">${bug.product}</a>`
  const rows: [label: string, value: Html | string | undefined][] = [
    ['Status', [bug.status, bug.resolution].filter(Boolean).join(' ')],
    ['Product', product],
    ['Component', bug.component],
    ['Version', bug.version],
    ['Priority', bug.priority],
    ['Severity', bug.severity],
    ['Assigned to', bug.assigned_to_detail?.real_name || bug.assigned_to],
    ['Reported by', bug.creator_detail?.real_name || bug.creator],
    ['Keywords', bug.keywords?.join(', ')],
    ['Depends on', bug.depends_on?.length ? html`${bug.depends_on.map(link)}` : undefined],
    ['Blocks', bug.blocks?.length ? html`${bug.blocks.map(link)}` : undefined],
    ['Duplicate of', bug.dupe_of ? link(bug.dupe_of) : undefined],
    ['Filed', bug.creation_time && timeOf(bug.creation_time)],
    ['Changed', bug.last_change_time && timeOf(bug.last_change_time)],
  ]
  return rows
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([label, value]) => html`<dt>${label}</dt><dd dir="auto">${value}</dd>\n`)
}

function attachmentList(attachments: readonly Attachment[], root: string): Html {
  const items = attachments.map(
    ({ id, summary, file_name }) =>
      html`<li><a href="${root}/rest/bug/attachment/${id}/content">${summary || file_name}</a></li>\n`,
  )
  return html`<h2>Attachments</h2><ul>${items}</ul>`
}

function plainComment({ count, creator, creator_detail, time }: Comment, text: Html | undefined): Html {
  return html`<section class="plain-comment" id="plain-c${count}">
<h3>Comment ${count}, ${creator_detail?.real_name || creator}, ${timeOf(time)}</h3>
<p class="plain-text" dir="auto">${text}</p>
</section>
`
}

/** Links to the comments that are not shown. */
function rest(id: number, shown: readonly Comment[], last: number, root: string): Html | undefined {
  if (shown.length > last) return undefined
  const links: Html[] = []
  for (let from = 0; from <= last && links.length < MOST_LINKS; from += COMMENTS_WITHOUT_SCRIPT) {
    const to = Math.min(last, from + COMMENTS_WITHOUT_SCRIPT - 1)
    links.push(html`<a href="${root}/bug/${id}?comments_from=${from}">${from} to ${to}</a> `)
  }
  return html`<nav aria-label="Comments">Comments ${links}</nav>`
}

const MOST_LINKS = 200
