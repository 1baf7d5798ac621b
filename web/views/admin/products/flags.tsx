import { hrefOf } from '../../../core/router.ts'
import { flagTypeAddress } from '../flag-types/flag-type-state.ts'
import type { ProductState } from './product-state.ts'

/** The flag types that apply in components of the product. They are changed on their own page. */
export function Flags({ state }: { state: ProductState }) {
  const { components } = state.product
  const found = new Map<number, { name: string; description: string; on: string; components: string[] }>()
  for (const component of components)
    for (const on of ['bug', 'attachment'] as const)
      for (const { id, name, description } of component.flag_types[on]) {
        const type = found.get(id) ?? { name, description, on, components: [] }
        type.components.push(component.name)
        found.set(id, type)
      }
  return (
    <section class="card" aria-label="Flags that apply" id="flags">
      <div class="admin-head">
        <h2>Flags that apply</h2>
        <a class="link small align-end" href={hrefOf('/admin/flag-types')}>
          Flag types
        </a>
      </div>
      {found.size === 0 && <p class="admin-note faint">No flag applies here.</p>}
      <ul class="rows flag-rows">
        {[...found].map(([id, type]) => (
          <li key={id}>
            <a class="link" dir="auto" href={hrefOf(flagTypeAddress(id))}>
              <b>{type.name}</b>
            </a>{' '}
            <bdi>{type.description}</bdi>
            <div class="faint small" dir="auto">
              on {type.on}s,{' '}
              {type.components.length === components.length ? 'in every component' : `in ${type.components.join(', ')}`}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
