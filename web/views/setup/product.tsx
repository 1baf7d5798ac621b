import { useState } from 'preact/hooks'
import { addressOf } from '../../../shared/rest-address.ts'
import { me } from '../../core/account/session.ts'
import { put } from '../../core/server/rest.ts'
import { useData } from '../../core/server/use-data.ts'
import { TextField } from '../../parts/field.tsx'
import { StepForm, type StepProps } from './step-form.tsx'

const TEST_PRODUCT = 'TestProduct'

/** The first product with its first component; the one to try things out goes, unless somebody has used it. */
export function Product(props: StepProps) {
  const products = useData(addressOf('/product', { type: 'accessible', include_fields: 'name' }))
  const used = useData(addressOf('/bug', { product: TEST_PRODUCT, limit: 1, include_fields: 'id' }))
  const names = products.body?.products.map((it) => it.name) ?? []
  const isUnused = names.includes(TEST_PRODUCT) && used.body?.bugs?.length === 0
  const made = names.filter((it) => it !== TEST_PRODUCT)
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [component, setComponent] = useState('General')
  const [isRemoved, setRemoved] = useState(true)
  const isOptional = made.length > 0 && [name, description].every((it) => it.trim() === '')
  const send = async () => {
    if (isOptional) return
    const changes = [
      { method: 'POST' as const, path: '/rest/product', params: { name, description, version: 'unspecified' } },
      {
        method: 'POST' as const,
        path: '/rest/component',
        params: { product: name, name: component, description: 'Everything.', default_assignee: me.value?.name },
      },
      ...(isUnused && isRemoved
        ? [{ method: 'DELETE' as const, path: `/rest/product/${TEST_PRODUCT}`, params: {} }]
        : []),
    ]
    await put('/admin/changes', { changes })
  }
  return (
    <StepForm
      {...props}
      title="What are bugs filed for?"
      about="A product is a thing that you make, such as an app. Its components are the parts that people look after."
      onSend={send}
    >
      {made.length > 0 && (
        <p class="note">
          <span>
            There is already: <bdi>{made.join(', ')}</bdi>. Leave the fields empty to go on without another.
          </span>
        </p>
      )}
      <TextField label="Name" isNeeded={!isOptional} value={name} onText={setName} />
      <TextField label="What it is" isNeeded={!isOptional} value={description} onText={setDescription} />
      <TextField label="First component" isNeeded={!isOptional} value={component} onText={setComponent} />
      {isUnused && (
        <label class="checkbox-label">
          <input
            class="checkbox"
            type="checkbox"
            checked={isRemoved}
            onChange={(event) => setRemoved(event.currentTarget.checked)}
          />
          <span>Remove TestProduct, which nobody has used</span>
        </label>
      )}
    </StepForm>
  )
}
