import { WrittenText } from './written-text.tsx'

interface Props {
  text: string
  isMarkdown: boolean
}

/** What a comment will look like, before it is sent. */
export function ComposerPreview({ text, isMarkdown }: Props) {
  if (text.trim() === '') return <p class="faint">Nothing is written yet.</p>
  return (
    <div class="prose" dir="auto">
      <WrittenText text={text} isMarkdown={isMarkdown} />
    </div>
  )
}
