import { useId, useState } from 'preact/hooks'
import { go } from '../../../core/router.ts'
import { post } from '../../../core/server/rest.ts'
import { showToast } from '../../../core/toasts.ts'
import { SelectField, TextField } from '../../../parts/field.tsx'
import { AdminForm } from '../form.tsx'
import { fieldAddress } from './field-state.ts'
import { TYPES } from './field-words.ts'

/** It is not asked for when bugs are filed before it is switched on, so that nobody meets a field that is only half made. */
export function NewField({ onMade }: { onMade(): Promise<unknown> }) {
  const id = useId()
  const [label, setLabel] = useState('')
  const [name, setName] = useState<string>()
  const [type, setType] = useState<string>('single select')
  const [values, setValues] = useState('')
  const isList = type.endsWith('select')
  const send = async () => {
    const created = await post('/field/bug', {
      name: name ?? nameFor(label),
      display_name: label,
      type,
      ...(isList && { values: linesIn(values) }),
    })
    await onMade()
    go(fieldAddress(created))
    showToast({ kind: 'done', text: `The field ${label.trim()} is there. Decide when it is asked for.` })
  }
  return (
    <AdminForm title="A new field" action="Create the field" onSend={send}>
      <TextField label="Name" isNeeded value={label} onText={setLabel} />
      <SelectField
        label="Holds"
        hint="It cannot be changed later."
        value={type}
        options={TYPES.map((it) => ({ value: it.value, name: it.name }))}
        onChoice={setType}
      />
      {isList && (
        <div class="field">
          <label for={id}>First values, one per line</label>
          <textarea
            id={id}
            class="input"
            rows={4}
            dir="auto"
            value={values}
            onInput={(event) => setValues(event.currentTarget.value)}
          />
        </div>
      )}
      <TextField
        label="Name for programs"
        hint="Letters, digits and underscores. It cannot be changed later."
        isNeeded
        value={name ?? nameFor(label)}
        onText={setName}
      />
    </AdminForm>
  )
}

const LONGEST_NAME = 64

/** `cf_found_by` for “Found by”. */
function nameFor(label: string) {
  const word = label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
  return word === '' ? '' : `cf_${word}`.slice(0, LONGEST_NAME)
}

function linesIn(text: string) {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
