import { piecesOf } from '../../../../web/text/text-pieces.ts'
import { viewerOf } from '../../../access/visibility/visible-bugs.ts'
import { errors } from '../../../platform/errors.ts'
import { enforce } from '../../../platform/rule.ts'
import { requireVisibleBugs } from '../../values/bug-refs.ts'
import { normalisedComment } from '../comment.ts'
import { commentRules } from '../comment-rules.ts'
import { htmlOf, type RenderContext, titlesFor } from './piece-html.ts'
import { renderMarkdown } from './render-markdown.ts'

export interface CommentToRender {
  text: string | undefined
  /** The bug that the text belongs to, by number or alias. */
  id: string | undefined
  is_markdown: boolean | undefined
}

/** Renders text as HTML, with links to what the caller may see. References to anything else stay plain text. */
export async function renderComment(context: RenderContext, input: CommentToRender): Promise<string> {
  if (input.text === undefined) throw errors.parameter_required({ name: 'text' })
  const text = normalisedComment(input.text)
  enforce(commentRules, text)
  const here = input.id === undefined || input.id.trim() === '' ? undefined : await bugHere(context, input.id)
  const markdown = input.is_markdown ? await renderMarkdown(context, text, here) : undefined
  return markdown ?? renderText(context, text, here)
}

/** Renders text that is already normalised. `here` is the bug that it belongs to. */
export async function renderText(context: RenderContext, text: string, here: number | undefined): Promise<string> {
  const lines = text.split('\n').map((line) => ({ isQuoted: line.startsWith('>'), pieces: piecesOf(line) }))
  const titles = await titlesFor(
    context,
    lines.flatMap(({ pieces }) => pieces),
  )
  const html = (piece: (typeof lines)[number]['pieces'][number]) => htmlOf(piece, titles, here)
  return lines.map(({ isQuoted, pieces }) => quoted(isQuoted, pieces.map(html).join(''))).join('\n')
}

async function bugHere({ db, settings, caller }: RenderContext, ref: string): Promise<number | undefined> {
  const [id] = await requireVisibleBugs(db, settings, viewerOf(caller), [ref])
  return id
}

function quoted(isQuoted: boolean, html: string) {
  return isQuoted ? `<span class="quote">${html}</span>` : html
}
