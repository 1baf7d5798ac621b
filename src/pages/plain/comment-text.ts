import { type Piece, piecesOf } from '../../../shared/text/text-pieces.ts'
import { type Html, html } from './html.ts'

/** To find the links takes longer than to write the text, so it is not done for more than this, in characters. */
const MOST_WITH_LINKS = 20_000

/** The text of a comment as it was typed, with links. Markdown is not rendered. */
export function commentText(text: string, bug: number, root: string): Html {
  if (text.length > MOST_WITH_LINKS) return html`${text}`
  return html`${piecesOf(text).map((piece) => linked(piece, bug, root))}`
}

function linked(piece: Piece, bug: number, root: string): Html | string {
  const { text } = piece
  switch (piece.kind) {
    case 'url':
      return /^https?:/i.test(text) ? html`<a href="${text}" rel="nofollow noopener ugc">${text}</a>` : text
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
