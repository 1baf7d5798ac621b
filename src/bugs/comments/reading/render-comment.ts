import type { LinkTemplates } from '../../../../shared/text/link-templates.ts'
import { type Piece, piecesOf } from '../../../../shared/text/text-pieces.ts'
import type { CallContext } from '../../../access/call.ts'
import { viewerOf } from '../../../access/visibility/visible-bugs.ts'
import { keptLinkTemplates } from '../../../platform/config/link-templates.ts'
import { errors } from '../../../platform/errors.ts'
import { mapInSlices } from '../../../platform/monitoring/event-loop.ts'
import { runLongWork } from '../../../platform/queues/long-work.ts'
import { enforce } from '../../../platform/rule.ts'
import { requireVisibleBugs } from '../../values/bug-refs.ts'
import { normalisedComment } from '../comment.ts'
import { commentRules } from '../comment-rules.ts'
import { escaped, htmlOf, type RenderContext, titlesFor } from './piece-html.ts'
import { renderMarkdown } from './render-markdown.ts'

export interface CommentToRender {
  text: string | undefined
  /** The bug that the text belongs to, by number or alias. */
  id: string | undefined
  is_markdown: boolean | undefined
}

/** Renders text as HTML, with links to what the caller may see. References to anything else stay plain text. */
export async function renderComment(
  context: RenderContext & Pick<CallContext, 'request'>,
  input: CommentToRender,
): Promise<string> {
  if (input.text === undefined) throw errors.parameter_required({ name: 'text' })
  const text = normalisedComment(input.text)
  enforce(commentRules, text)
  const here = input.id === undefined || input.id.trim() === '' ? undefined : await bugHere(context, input.id)
  return runLongWork(context.request.readLimits.caller, text.length, async () => {
    const markdown = input.is_markdown ? await renderMarkdown(context, text, here) : undefined
    return markdown ?? renderText(context, text, here)
  })
}

/** Renders text that is already normalised, in slices. `here` is the bug that it belongs to. */
export async function renderText(context: RenderContext, text: string, here: number | undefined): Promise<string> {
  const lines = text.split('\n')
  const templates = keptLinkTemplates(context.settings.link_templates)
  // Most lines refer to nothing. Only the pieces of the others are kept, because there may be very many lines.
  const referring = await mapInSlices(lines, (line) => referringPieces(line, templates))
  const titles = await titlesFor(context, referring.flat())
  const html = await mapInSlices(referring, (pieces, place) => {
    const line = lines[place] ?? ''
    return quoted(line, pieces === NONE ? escaped(line) : pieces.map((piece) => htmlOf(piece, titles, here)).join(''))
  })
  return html.join('\n')
}

const NONE: readonly Piece[] = []

function referringPieces(line: string, templates: LinkTemplates | undefined): readonly Piece[] {
  const pieces = piecesOf(line, templates)
  return pieces.some(({ kind }) => kind !== 'text') ? pieces : NONE
}

async function bugHere({ db, settings, caller }: RenderContext, ref: string): Promise<number | undefined> {
  const [id] = await requireVisibleBugs(db, settings, viewerOf(caller), [ref])
  return id
}

function quoted(line: string, html: string) {
  return line.startsWith('>') ? `<span class="quote">${html}</span>` : html
}
