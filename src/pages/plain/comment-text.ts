import type { LinkTemplates } from '../../../shared/text/link-templates.ts'
import { type Piece, piecesOf } from '../../../shared/text/text-pieces.ts'
import { isTurnLong, laterTurn } from '../../platform/monitoring/event-loop.ts'
import { type Html, html } from './html.ts'

/** To find the links takes longer than to write the text, so it is not done for more than this on a page, in characters. */
export const MOST_WITH_LINKS = 20_000

/** The texts of comments as they were typed, with links in the first ones. Markdown is not rendered. Other requests are served in between. */
export async function commentTexts(
  texts: readonly string[],
  { bug, root, templates }: { bug: number; root: string; templates: LinkTemplates | undefined },
): Promise<Html[]> {
  const written: Html[] = []
  let left = MOST_WITH_LINKS
  for (const text of texts) {
    if (isTurnLong()) await laterTurn()
    left -= text.length
    written.push(left < 0 ? html`${text}` : html`${piecesOf(text, templates).map((piece) => linked(piece, bug, root))}`)
  }
  return written
}

function linked(piece: Piece, bug: number, root: string): Html | string {
  const { text } = piece
  switch (piece.kind) {
    case 'url':
      return /^https?:/i.test(text) ? html`<a href="${text}" rel="nofollow noopener ugc">${text}</a>` : text
    case 'template':
      return html`<a href="${piece.address}" rel="nofollow noopener ugc">${text}</a>`
    case 'bug':
      return html`<a href="${root}/bug/${piece.id}${piece.comment === undefined ? '' : `#c${piece.comment}`}">${text}</a>`
    case 'comment':
      return html`<a href="${root}/bug/${bug}#c${piece.number}">${text}</a>`
    case 'attachment':
      return html`<a href="${root}/attachment/${piece.id}">${text}</a>`
    default:
      return text
  }
}
