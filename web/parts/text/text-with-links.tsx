// What people wrote, as text with links. The links are built as nodes: text never becomes HTML.
import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { isAllowedAddress } from '../../../shared/text/allowed-address.ts'
import { type Piece, piecesOf } from '../../../shared/text/text-pieces.ts'
import { bugAddress, hrefOf } from '../../core/router.ts'
import { linkTemplates } from './link-templates.ts'
import { MentionLink } from './mention-link.tsx'

/** What a page knows about the bugs, comments and attachments that texts refer to. */
export interface KnownReferences {
  /** The bug whose page this is: its comments are on the page. */
  bugId: number | undefined
  /** Title and state of a bug that the reader may see. */
  bug(id: number): { title: string; isOpen: boolean } | undefined
  /** Whether that bug has a comment with this number that the reader may see. */
  hasComment(number: number): boolean
  attachment(id: number): { href: string; title: string; isObsolete: boolean } | undefined
}

const NOTHING_KNOWN: KnownReferences = {
  bugId: undefined,
  bug: () => undefined,
  hasComment: () => false,
  attachment: () => undefined,
}

/** A page provides what it knows; without it references are links without titles. */
export const References = createContext<KnownReferences>(NOTHING_KNOWN)

interface Props {
  text: string
  /** The bug that the text belongs to, for “comment 3”. Without it these stay text. */
  bugId?: number | undefined
}

/** A text whose addresses and references to bugs, comments and attachments are links. Line breaks are kept as they are. */
export function TextWithLinks({ text, bugId }: Props) {
  return (
    <>
      {piecesOf(text, linkTemplates.value).map((piece, place) => (
        <PieceOfText key={place} piece={piece} bugId={bugId} />
      ))}
    </>
  )
}

export function PieceOfText({ piece, bugId }: { piece: Piece; bugId: number | undefined }) {
  switch (piece.kind) {
    case 'text':
      return <>{piece.text}</>
    case 'url':
      return <OutsideLink href={piece.text}>{piece.text}</OutsideLink>
    case 'template':
      return <OutsideLink href={piece.address}>{piece.text}</OutsideLink>
    case 'mention':
      return <MentionLink nick={piece.nick} text={piece.text} />
    case 'mail':
      return <OutsideLink href={`mailto:${piece.text}`}>{piece.text}</OutsideLink>
    case 'bug':
      return <BugLink id={piece.id} comment={piece.comment} text={piece.text} />
    case 'comment':
      return <CommentLink number={piece.number} bugId={bugId} text={piece.text} />
    case 'attachment':
      return <AttachmentLink id={piece.id} text={piece.text} />
  }
}

/** A link whose address an author chose; only its content if the address is not allowed. The other server learns nothing of this page. */
export function OutsideLink({ href, children }: { href: string; children: ComponentChildren }) {
  if (!isAllowedAddress(href)) return <>{children}</>
  return (
    <a class={children === href ? 'link is-bare' : 'link'} href={href} rel="noreferrer nofollow" dir="auto">
      {children}
    </a>
  )
}

/** A link to a bug or one of its comments, with status and summary as a title where the page knows them. */
export function BugLink({ id, comment, text }: { id: number; comment?: number | undefined; text?: string }) {
  const known = useContext(References).bug(id)
  return (
    <a
      class={known?.isOpen === false ? 'reference is-closed' : 'reference'}
      href={hrefOf(bugAddress(id)) + (comment === undefined ? '' : `#c${comment}`)}
      title={known?.title}
    >
      {text ?? id}
    </a>
  )
}

function CommentLink({ number, bugId, text }: { number: number; bugId: number | undefined; text: string }) {
  const { bugId: shownId, hasComment } = useContext(References)
  const id = bugId ?? shownId
  const isHere = id !== undefined && id === shownId
  if (id === undefined || (isHere && !hasComment(number))) return <>{text}</>
  return (
    <a class="reference" href={`${isHere ? '' : hrefOf(bugAddress(id))}#c${number}`}>
      {text}
    </a>
  )
}

function AttachmentLink({ id, text }: { id: number; text: string }) {
  const known = useContext(References).attachment(id)
  return (
    <a
      class={known?.isObsolete ? 'reference is-closed' : 'reference'}
      href={known?.href ?? hrefOf(`/attachment/${id}`)}
      title={known?.title}
    >
      {text}
    </a>
  )
}
