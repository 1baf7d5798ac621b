import { sentenceInOrder } from '../core/name-in-sentence.ts'
import { Icon } from './icon.tsx'

/** What the server refused, above a form. */
export function FormFault({ text }: { text: string | undefined }) {
  if (text === undefined) return null
  return (
    <div class="note note-danger" role="alert">
      <Icon name="warn" />
      <div>{sentenceInOrder(text)}</div>
    </div>
  )
}
