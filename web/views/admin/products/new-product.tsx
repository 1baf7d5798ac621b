import { useState } from 'preact/hooks'
import { me } from '../../../core/account/session.ts'
import { hrefOf } from '../../../core/router.ts'
import { post } from '../../../core/server/rest.ts'
import { showToast } from '../../../core/toasts.ts'
import { Combobox } from '../../../parts/combobox.tsx'
import { Field, SelectField, TextField } from '../../../parts/field.tsx'
import { peopleLike } from '../../../parts/options.ts'
import { AdminForm } from '../form.tsx'
import { changesControls } from './product-state.ts'

/** Bugs are filed against a component of a product: without one of each nothing can be filed. */
export function NewProducts({ names, onMade }: { names: readonly string[]; onMade(): void }) {
  const [filed, setFiled] = useState<{ product: string; component: string }>()
  const [chosen, setChosen] = useState<string>()
  const done = (product: string, component: string) => {
    showToast({ kind: 'done', text: `${product} has the component ${component}.` })
    setFiled({ product, component })
    setChosen(product)
    onMade()
  }
  // The list of products is read again after one was made, and does not have it at once.
  const products = chosen === undefined || names.includes(chosen) ? names : [...names, chosen]
  return (
    <>
      {filed !== undefined && (
        <div class="note" role="status">
          <div>
            Bugs can be filed:{' '}
            <a class="link" href={hrefOf(addressOf(filed.product, filed.component))}>
              file one in <bdi>{filed.product}</bdi>
            </a>
            {changesControls() && (
              <>
                , or{' '}
                <a class="link" href={hrefOf(`/admin/products/${encodeURIComponent(filed.product)}#groups`)}>
                  decide who sees them
                </a>
              </>
            )}
            .
          </div>
        </div>
      )}
      <div class="card admin-card">
        <NewProduct onDone={done} />
      </div>
      {products.length > 0 && (
        <div class="card admin-card">
          <NewComponent {...{ products }} product={chosen ?? products[0] ?? ''} onProduct={setChosen} onDone={done} />
        </div>
      )}
    </>
  )
}

function addressOf(product: string, component: string) {
  return `/file/${encodeURIComponent(product)}/${encodeURIComponent(component)}`
}

type Done = (product: string, component: string) => void

interface ComponentParts {
  name: string
  description: string
  assignee: string
}

const FIRST_COMPONENT: ComponentParts = { name: 'General', description: 'Everything.', assignee: '' }

async function postComponent(product: string, { name, description, assignee }: ComponentParts) {
  await post('/component', { product, name, description, default_assignee: assignee || me.value?.name })
}

function NewProduct({ onDone }: { onDone: Done }) {
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [version, setVersion] = useState('1.0')
  const [component, setComponent] = useState(FIRST_COMPONENT)
  /** The product that exists already when its component was refused. */
  const [made, setMade] = useState<string>()
  const send = async () => {
    if (made !== name) await post('/product', { name, description, version })
    setMade(name)
    await postComponent(name, component)
    onDone(name, component.name)
    for (const reset of [setName, setDescription]) reset('')
    setVersion('1.0')
    setComponent(FIRST_COMPONENT)
  }
  return (
    <AdminForm title="A new product" action="Create the product" onSend={send}>
      <TextField label="Name" isNeeded value={name} onText={setName} hint="A thing that you make, such as an app." />
      <TextField label="What it is" isNeeded value={description} onText={setDescription} />
      <TextField label="First version" isNeeded value={version} onText={setVersion} />
      <ComponentFields label="First component" value={component} onValue={setComponent} />
    </AdminForm>
  )
}

interface NewComponentProps {
  products: readonly string[]
  product: string
  onProduct(product: string): void
  onDone: Done
}

function NewComponent({ products, product, onProduct, onDone }: NewComponentProps) {
  const [component, setComponent] = useState<ComponentParts>({ name: '', description: '', assignee: '' })
  const send = async () => {
    await postComponent(product, component)
    onDone(product, component.name)
    setComponent({ name: '', description: '', assignee: component.assignee })
  }
  return (
    <AdminForm title="A component of a product" action="Add the component" onSend={send}>
      <SelectField
        label="Product"
        value={product}
        options={products.map((name) => ({ value: name, name }))}
        onChoice={onProduct}
      />
      <ComponentFields label="Component" value={component} onValue={setComponent} />
    </AdminForm>
  )
}

interface FieldsProps {
  label: string
  value: ComponentParts
  onValue(value: ComponentParts): void
}

function ComponentFields({ label, value, onValue }: FieldsProps) {
  return (
    <>
      <TextField label={label} isNeeded value={value.name} onText={(name) => onValue({ ...value, name })} />
      <TextField
        label="What belongs in it"
        isNeeded
        value={value.description}
        onText={(description) => onValue({ ...value, description })}
      />
      <Field label="Who gets its new bugs" hint="You, unless you choose another user.">
        {({ id, describedBy }) => (
          <Combobox
            key={value.assignee}
            id={id}
            describedBy={describedBy}
            label="Who gets its new bugs"
            value={value.assignee}
            placeholder={me.value?.name ?? ''}
            options={(text) => peopleLike(text)}
            onChoice={(option) => onValue({ ...value, assignee: option.value.trim() })}
            isFree
            isTakenOnLeaving
          />
        )}
      </Field>
    </>
  )
}
