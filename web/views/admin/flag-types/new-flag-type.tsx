import { useState } from 'preact/hooks'
import { ADMINISTERED_PRODUCTS_CALL } from '../../../../shared/first-calls.ts'
import { managesProducts } from '../../../core/account/session.ts'
import { go } from '../../../core/router.ts'
import { post } from '../../../core/server/rest.ts'
import { useData } from '../../../core/server/use-data.ts'
import { showToast } from '../../../core/toasts.ts'
import { SelectField, TextField } from '../../../parts/field.tsx'
import { AdminForm } from '../form.tsx'
import { flagTypeAddress, type Target } from './flag-type-state.ts'

const TARGETS = [
  { value: 'bug', name: 'bugs' },
  { value: 'attachment', name: 'attachments' },
]

/** It can be set at once, by everybody, until its page says otherwise. */
export function NewFlagType() {
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [target, setTarget] = useState<Target>('bug')
  const [chosen, setProduct] = useState('')
  const { body } = useData(ADMINISTERED_PRODUCTS_CALL)
  const products = (body?.products ?? []).map((it) => ({ value: it.name, name: it.name }))
  const offered = [...(managesProducts.value ? [{ value: '', name: 'every product' }] : []), ...products]
  const product = chosen || (offered[0]?.value ?? '')
  const send = async () => {
    const { id } = await post('/flag_type', {
      name,
      description,
      target_type: target,
      ...(product !== '' && { inclusions: [product] }),
    })
    go(flagTypeAddress(id))
    showToast({
      kind: 'done',
      text: `The flag type ${name.trim()} is there, and everybody can set it. Decide here who asks for it and grants it.`,
    })
  }
  return (
    <AdminForm title="A new flag type" action="Create the flag type" onSend={send}>
      <TextField label="Name" isNeeded hint="One word, such as review." value={name} onText={setName} />
      <TextField label="What it means" isNeeded value={description} onText={setDescription} />
      <SelectField
        label="Set on"
        hint="It cannot be changed later."
        value={target}
        options={TARGETS}
        onChoice={(value) => setTarget(value as Target)}
      />
      <SelectField label="Where" value={product} options={offered} onChoice={setProduct} />
    </AdminForm>
  )
}
