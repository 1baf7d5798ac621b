import { useState } from 'preact/hooks'
import { SelectField, TextField } from '../../../parts/field.tsx'
import { DraftForm } from '../changes/draft-form.tsx'

export interface WrittenValue {
  name: string
  /** Only for a new status. */
  isOpen: boolean
  /** The value of the controlling field; empty for always. */
  shownWith: string
}

interface Props {
  title: string
  value: WrittenValue
  isNewStatus: boolean
  /** What controls which values are offered, with its values. */
  controller: { label: string; values: readonly string[] } | undefined
  onDone(value: WrittenValue): void
  onClose(): void
}

/** Asks for a value. */
export function ValueDialog({ title, value, isNewStatus, controller, onDone, onClose }: Props) {
  const [written, setWritten] = useState(value)
  const name = written.name.trim()
  return (
    <DraftForm title={title} onAdd={name === '' ? undefined : () => onDone({ ...written, name })} onClose={onClose}>
      <TextField
        label="Name"
        isNeeded
        isFocused
        value={written.name}
        onText={(text) => setWritten({ ...written, name: text })}
      />
      {isNewStatus && (
        <SelectField
          label="Bugs with it are"
          hint="It cannot be changed later."
          value={written.isOpen ? 'open' : 'closed'}
          options={['open', 'closed'].map((word) => ({ value: word, name: word }))}
          onChoice={(word) => setWritten({ ...written, isOpen: word === 'open' })}
        />
      )}
      {controller !== undefined && (
        <SelectField
          label="Offered"
          value={written.shownWith}
          options={[
            { value: '', name: 'always' },
            ...controller.values.map((it) => ({ value: it, name: `if ${controller.label} is ${it}` })),
          ]}
          onChoice={(shownWith) => setWritten({ ...written, shownWith })}
        />
      )}
    </DraftForm>
  )
}
