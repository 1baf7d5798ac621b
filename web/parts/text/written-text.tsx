import { Markdown } from './markdown.tsx'
import { PlainText } from './plain-text.tsx'

interface Props {
  text: string
  isMarkdown: boolean
  /** The bug that the text belongs to, for “comment 3”. */
  bugId?: number | undefined
}

/** What a user wrote in a comment or a description, for inside of `.prose`. */
export function WrittenText({ text, isMarkdown, bugId }: Props) {
  return isMarkdown ? <Markdown text={text} bugId={bugId} /> : <PlainText text={text} bugId={bugId} />
}
