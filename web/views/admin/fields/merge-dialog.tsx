import { useState } from 'preact/hooks'
import type { Field } from '../../../core/server/types.ts'
import { SelectField } from '../../../parts/field.tsx'
import { DraftForm } from '../changes/draft-form.tsx'

interface Props {
  field: Field
  name: string
  targets: readonly string[]
  onMerge(into: string): void
  onClose(): void
}

/** Asks which value the bugs of another one get. How many they are is shown before it is saved. */
export function MergeDialog({ field, name, targets, onMerge, onClose }: Props) {
  const [into, setInto] = useState(targets[0] ?? '')
  return (
    <DraftForm title={`Merge ${name}`} onAdd={into === '' ? undefined : () => onMerge(into)} onClose={onClose}>
      <p>
        All bugs with <bdi>{name}</bdi>, also those that you may not see, get another value of{' '}
        <bdi>{field.display_name}</bdi>, with a line of history and mail. Then <bdi>{name}</bdi> is deleted. The default
        and saved searches follow.
      </p>
      {targets.length === 0 ? (
        <p class="muted">There is no other value that bugs can get.</p>
      ) : (
        <SelectField
          label="Merge into"
          value={into}
          options={targets.map((it) => ({ value: it, name: it }))}
          onChoice={setInto}
        />
      )}
    </DraftForm>
  )
}
