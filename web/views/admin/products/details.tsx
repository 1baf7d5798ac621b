import { SelectField, TextField } from '../../../parts/field.tsx'
import { OldValue } from '../changes/changed-value.tsx'
import type { Place } from '../changes/use-place.ts'
import { type Detail, detailOf, type ProductState } from './product-state.ts'

interface Props {
  place: Place<ProductState>
  state: ProductState
}

const TITLES: Record<Detail, string> = {
  name: 'name',
  description: 'description',
  classification: 'classification',
  has_unconfirmed: 'first status of new bugs',
  is_open: 'whether bugs can be filed',
  bug_template: 'template of the description',
}

export function Details({ place, state }: Props) {
  const { draft } = place
  const field = (detail: Detail) => {
    const key = `product ${detail}`
    const before = detailOf(state, detail)
    return {
      value: draft.valueOf(key, before),
      change: draft.get(key),
      set: (after: string) =>
        place.change({
          key,
          title: TITLES[detail],
          before,
          after,
          call: {
            method: 'PUT',
            path: `/rest/product/${state.product.id}`,
            params: { [detail]: paramOf(detail, after) },
          },
        }),
    }
  }
  const name = field('name')
  const description = field('description')
  const unconfirmed = field('has_unconfirmed')
  return (
    <section class="card admin-card" aria-label="Details" id="details">
      <h2>Details</h2>
      <div class="product-details">
        <div class={name.change && 'is-unsaved'}>
          <TextField label="Name" value={name.value} onText={name.set} />
          <OldValue change={name.change} />
        </div>
        <div class={description.change && 'is-unsaved'}>
          <TextField label="Description" value={description.value} onText={description.set} />
          <OldValue change={description.change} />
        </div>
        <div class={unconfirmed.change && 'is-unsaved'}>
          <SelectField
            label="New bugs"
            value={unconfirmed.value}
            options={[
              { value: 'yes', name: 'start as Unconfirmed' },
              { value: 'no', name: 'start as Confirmed' },
            ]}
            onChoice={unconfirmed.set}
          />
          <OldValue change={unconfirmed.change} />
        </div>
      </div>
    </section>
  )
}

function paramOf(detail: Detail, value: string) {
  return detail === 'is_open' || detail === 'has_unconfirmed' ? value === 'yes' : value
}
