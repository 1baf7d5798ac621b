import { useState } from 'preact/hooks'
import { PRODUCTS_CALL } from '../../../../shared/first-calls.ts'
import { put } from '../../../core/server/rest.ts'
import type { Bug } from '../../../core/server/types.ts'
import { useData } from '../../../core/server/use-data.ts'
import { showToast } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { SelectField } from '../../../parts/field.tsx'
import { useBug, useBugStore } from '../use-bug.ts'
import { valuesFor } from './field-names.ts'

/** Moving a bug into another product needs a component and a version there. */
export function MoveForm({ onClose: close }: { onClose(): void }) {
  const store = useBugStore()
  const bug = useBug()
  const products = useData(PRODUCTS_CALL).body?.products ?? [{ name: bug.product }]
  const [product, setProduct] = useState(bug.product)
  const [component, setComponent] = useState(bug.component)
  const [version, setVersion] = useState(bug.version)
  const [fault, setFault] = useState<string>()
  const inProduct = { ...bug, product } as Bug
  const optionsOf = (field: string) =>
    valuesFor(inProduct, store.field(field)).map(({ name }) => ({ value: name ?? '', name: name ?? '' }))
  const [components, versions] = [optionsOf('component'), optionsOf('version')]
  const chosen = (value: string, options: readonly { value: string }[]) =>
    options.some((option) => option.value === value) ? value : (options[0]?.value ?? '')
  const move = async () => {
    const change = { product, component: chosen(component, components), version: chosen(version, versions) }
    try {
      await put(
        '/bug/:ref',
        { ref: bug.id, ...change },
        store.version === undefined ? {} : { 'If-Match': store.version },
      )
      close()
      await store.reload()
      store.forgetAccess()
      showToast({ kind: 'done', text: `Product is now ${product}.` })
    } catch (reason) {
      setFault((reason as Error).message)
    }
  }
  return (
    <Dialog
      title="Move to another product"
      onClose={close}
      buttons={
        <>
          <Button onClick={close}>Leave it</Button>
          <Button kind="primary" onClick={move} {...(product === bug.product && { unavailable: 'Choose a product' })}>
            Move the bug
          </Button>
        </>
      }
    >
      {fault !== undefined && (
        <div class="note note-danger" role="alert">
          {fault}
        </div>
      )}
      <SelectField
        label="Product"
        value={product}
        options={products.map(({ name }) => ({ value: name, name }))}
        onChoice={setProduct}
      />
      <SelectField
        label="Component"
        value={chosen(component, components)}
        options={components}
        onChoice={setComponent}
      />
      <SelectField label="Version" value={chosen(version, versions)} options={versions} onChoice={setVersion} />
    </Dialog>
  )
}
