import { hrefOf } from '../../../core/router.ts'
import { flagTypeAddress } from '../flag-types/flag-type-state.ts'
import type { ProductState } from './product-state.ts'

/** The flag types that apply in components of the product. They are changed on their own page. */
export function Flags({ state }: { state: ProductState }) {
  const { flags, product } = state
  return (
    <section class="card" aria-label="Flags that apply" id="flags">
      <div class="admin-head">
        <h2>Flags that apply</h2>
        <a class="link small align-end" href={hrefOf('/admin/flag-types')}>
          Flag types
        </a>
      </div>
      {flags.length === 0 && <p class="admin-note faint">No flag applies here.</p>}
      <ul class="rows flag-rows">
        {flags.map((type) => (
          <li key={type.id}>
            <a class="link" dir="auto" href={hrefOf(flagTypeAddress(type.id))}>
              <b>{type.name}</b>
            </a>{' '}
            <bdi>{type.description}</bdi>
            <div class="faint small" dir="auto">
              on {type.on}s,{' '}
              {type.components.length === product.components.length
                ? 'in every component'
                : `in ${type.components.join(', ')}`}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
