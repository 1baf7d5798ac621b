import { useState } from 'preact/hooks'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { SelectField, TextField } from '../../../parts/field.tsx'

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

/** Asks for a value. The change waits in the bar. */
export function ValueDialog({ title, value, isNewStatus, controller, onDone, onClose }: Props) {
  const [written, setWritten] = useState(value)
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          const name = written.name.trim()
          if (name === '') return
          onClose()
          onDone({ ...written, name })
        }}
      >
        <TextField
          label="Name"
          isNeeded
          isFocused
          value={written.name}
          onText={(name) => setWritten({ ...written, name })}
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
              ...controller.values.map((name) => ({ value: name, name: `if ${controller.label} is ${name}` })),
            ]}
            onChoice={(shownWith) => setWritten({ ...written, shownWith })}
          />
        )}
        <div class="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit">
            Add to the changes
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
