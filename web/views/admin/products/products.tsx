import { useRef, useState } from 'preact/hooks'
import { ADMINISTERED_PRODUCTS_CALL } from '../../../../shared/first-calls.ts'
import { managesProducts } from '../../../core/account/session.ts'
import { hrefOf } from '../../../core/router.ts'
import { useData } from '../../../core/server/use-data.ts'
import { Button } from '../../../parts/button.tsx'
import { Empty, Refused, Skeleton } from '../../../parts/states.tsx'
import { TableHead } from '../../../parts/table-head.tsx'
import { FindBox } from '../changes/find-box.tsx'
import { isFound } from '../changes/is-found.ts'
import { PlaceHead } from '../place-head.tsx'
import { OpenRemovals } from '../removals/open-removals.tsx'
import { NewProducts } from './new-product.tsx'
import { ProductPage } from './product-page.tsx'

export function Products({ item }: { item?: string | undefined }) {
  return item === undefined ? <ProductList /> : <ProductPage name={item} />
}

function ProductList() {
  const { body, fault, reload } = useData(ADMINISTERED_PRODUCTS_CALL)
  const [text, setText] = useState('')
  const forms = useRef<HTMLDivElement>(null)
  if (body === undefined) return fault === undefined ? <Skeleton /> : <Refused fault={fault} retry={reload} />
  const found = body.products.filter((it) => isFound(text, it.name, it.description, it.classification))
  return (
    <>
      <OpenRemovals onEnd={reload} />
      <PlaceHead
        actions={
          managesProducts.value && (
            <Button icon="plus" onClick={() => forms.current?.querySelector('input')?.focus()}>
              New product
            </Button>
          )
        }
      >
        <FindBox label="Find a product" text={text} onText={setText} found={found.length} />
      </PlaceHead>
      {found.length === 0 && body.products.length > 0 && <Empty icon="search" title="No product matches" />}
      {found.length > 0 && (
        <div class="scroll-box card">
          <table class="table admin-table">
            <TableHead columns={['Product', 'Classification', 'Components']} />
            <tbody>
              {found.map(({ id, name, description, classification, components, is_active }) => (
                <tr key={id} class={is_active ? undefined : 'is-closed'}>
                  <th scope="row">
                    <a class="link" dir="auto" href={hrefOf(`/admin/products/${encodeURIComponent(name)}`)}>
                      {name}
                    </a>
                    {!is_active && <span class="badge">closed for new bugs</span>}
                    <div class="faint small" dir="auto">
                      {description}
                    </div>
                  </th>
                  <td dir="auto">{classification}</td>
                  <td>{components?.length ?? 0}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {managesProducts.value && (
        <div ref={forms} class="stack-large">
          <NewProducts names={body.products.map(({ name }) => name)} onMade={reload} />
        </div>
      )}
    </>
  )
}
