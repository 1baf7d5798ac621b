import { Markdown } from './markdown.tsx'
import { TextWithLinks } from './text-with-links.tsx'

interface Props {
  text: string
  isMarkdown: boolean
  bugId?: number | undefined
}

/** What a comment will look like, before it is sent. */
export function ComposerPreview({ text, isMarkdown, bugId }: Props) {
  if (text.trim() === '') return <p class="faint">Nothing is written yet.</p>
  return (
    <div class="prose" dir="auto">
      {isMarkdown ? (
        <Markdown text={text} bugId={bugId} />
      ) : (
        <p class="typed">
          <TextWithLinks text={text} bugId={bugId} />
        </p>
      )}
    </div>
  )
}
