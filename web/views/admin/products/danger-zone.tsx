import { useState } from 'preact/hooks'
import { go, hrefOf } from '../../../core/router.ts'
import { showToast } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { DeleteDialog } from '../changes/delete-dialog.tsx'
import type { ChangedObject, NamedObject } from '../changes/effects-in-words.ts'
import type { Place } from '../changes/use-place.ts'
import { detailOf, type ProductState } from './product-state.ts'

interface Props {
  place: Place<ProductState>
  state: ProductState
  nameOf(object: ChangedObject): NamedObject | undefined
}

export function DangerZone({ place, state, nameOf }: Props) {
  const [isDeleting, setDeleting] = useState(false)
  const { product, allBugs } = state
  const saved = detailOf(state, 'is_open')
  const isOpen = place.draft.valueOf('product is_open', saved) === 'yes'
  const path = `/rest/product/${product.id}`
  const setOpen = (after: string) =>
    place.change({
      key: 'product is_open',
      title: 'whether bugs can be filed',
      before: saved,
      after,
      words: { yes: 'open for new bugs', no: 'closed for new bugs' },
      call: { method: 'PUT', path, params: { is_open: after === 'yes' } },
    })
  return (
    <section class="card danger-zone" aria-label="Danger zone" id="danger">
      <div class="admin-head">
        <h2>Danger zone</h2>
      </div>
      <ul class="rows">
        <li class={place.draft.get('product is_open') && 'is-unsaved'}>
          <div class="grow">
            <b>{isOpen ? 'Close for new bugs' : 'Open for new bugs'}</b>
            <p class="muted small">
              {isOpen ? 'Bugs stay and can be changed. Can be undone.' : 'It is closed: no bugs can be filed.'}
            </p>
          </div>
          <Button kind="danger" onClick={() => setOpen(isOpen ? 'no' : 'yes')}>
            {isOpen ? 'Close the product' : 'Open the product'}
          </Button>
        </li>
        <li>
          <div class="grow">
            <b>Move bugs to another product</b>
            <p class="muted small">Select them in the list, and change their product and component together.</p>
          </div>
          <a
            class="button"
            href={hrefOf(`/bugs?${new URLSearchParams({ product: product.name, quicksearch: 'ALL' })}`)}
          >
            {allBugs === 1 ? '1 bug' : `${allBugs.toLocaleString()} bugs`}
          </a>
        </li>
        <li>
          <div class="grow">
            <b>Delete</b>
            <p class="muted small">
              {allBugs > 0 ? (
                <>
                  A product with bugs is deleted only while the parameter{' '}
                  <a class="link underlined" href={hrefOf('/admin/parameters?search=allowbugdeletion')}>
                    allowbugdeletion
                  </a>{' '}
                  is on, and its bugs with it.
                </>
              ) : (
                'Its components, versions, milestones and rights of groups go with it.'
              )}
            </p>
          </div>
          <Button kind="danger" onClick={() => setDeleting(true)}>
            Delete…
          </Button>
        </li>
      </ul>
      {isDeleting && (
        <DeleteDialog
          what="product"
          name={product.name}
          calls={[{ method: 'DELETE', path, params: { in_steps: true } }]}
          nameOf={nameOf}
          onClose={() => setDeleting(false)}
          onDone={(isGoingOn) => {
            place.draft.clear()
            go('/admin/products', 'replace')
            const text = isGoingOn ? 'is closed, and its bugs are deleted now.' : 'is deleted.'
            showToast({ kind: 'done', text: `The product ${product.name} ${text}` })
          }}
        />
      )}
    </section>
  )
}
