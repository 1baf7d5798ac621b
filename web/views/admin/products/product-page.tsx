import { go, hrefOf } from '../../../core/router.ts'
import { Refused, Skeleton } from '../../../parts/states.tsx'
import { AuditTrail } from '../changes/audit-trail.tsx'
import { ChangeBar } from '../changes/change-bar.tsx'
import type { ChangedObject } from '../changes/effects-in-words.ts'
import { usePlace } from '../changes/use-place.ts'
import { Details } from './details.tsx'
import { loadProduct, type ProductState, valuesOf } from './product-state.ts'

/** Everything about one product, changed together. */
export function ProductPage({ name }: { name: string }) {
  const place = usePlace({ name: `products/${name}`, title: name, load: () => loadProduct(name), values: valuesOf })
  const { state, fault } = place
  if (state === undefined) return fault === undefined ? <Skeleton /> : <Refused fault={fault} />
  return (
    <>
      <p class="muted">
        <a class="link" href={hrefOf(`/product/${encodeURIComponent(name)}`)}>
          See it as a reporter does
        </a>
      </p>
      <div class="with-trail">
        <div class="stack">
          <Details place={place} state={state} />
        </div>
        <AuditTrail classes={['Tracker::Product']} id={state.product.id} version={place.version} />
      </div>
      <ChangeBar
        place={place}
        nameOf={(object) => nameIn(state, object)}
        onSaved={(changes) => {
          const renamed = changes.find(({ key }) => key === 'product name')
          if (renamed !== undefined) go(`/admin/products/${encodeURIComponent(renamed.after)}`, 'replace')
        }}
      />
    </>
  )
}

function nameIn({ product }: ProductState, { class: className }: ChangedObject) {
  const bugs = `/bugs?${new URLSearchParams({ product: product.name })}`
  return className === 'Tracker::Product' ? { name: `the product ${product.name}`, bugs } : undefined
}
