import { useState } from 'preact/hooks'
import { TextField } from '../../../parts/field.tsx'
import { DraftForm } from '../changes/draft-form.tsx'

interface Props {
  title: string
  name: string
  onName(name: string): void
  onClose(): void
}

/** Asks for one name. */
export function NameDialog({ title, name, onName, onClose }: Props) {
  const [text, setText] = useState(name)
  const written = text.trim()
  return (
    <DraftForm title={title} onAdd={written === '' ? undefined : () => onName(written)} onClose={onClose}>
      <TextField label="Name" isNeeded isFocused value={text} onText={setText} />
    </DraftForm>
  )
}
