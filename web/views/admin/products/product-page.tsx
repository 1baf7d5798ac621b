import { useState } from 'preact/hooks'
import { managesProducts } from '../../../core/account/session.ts'
import { hrefOf } from '../../../core/router.ts'
import { Button } from '../../../parts/button.tsx'
import { Refused, Skeleton } from '../../../parts/states.tsx'
import { AuditTrail } from '../changes/audit-trail.tsx'
import { ChangeBar } from '../changes/change-bar.tsx'
import type { ChangedObject, NamedObject } from '../changes/effects-in-words.ts'
import { usePlace } from '../changes/use-place.ts'
import { OpenRemovals } from '../removals/open-removals.tsx'
import type { Removal } from '../removals/removals.ts'
import { CannedReplies } from './canned-replies.tsx'
import { Components } from './components.tsx'
import { CopyDialog } from './copy-dialog.tsx'
import { DangerZone } from './danger-zone.tsx'
import { Details, Template, Votes } from './details.tsx'
import { Flags } from './flags.tsx'
import { GroupMatrix } from './group-matrix.tsx'
import { OrderedValues } from './ordered-values.tsx'
import { loadProduct, openBugsAddress, openBugsInWords, type ProductState, placeOf, valuesOf } from './product-state.ts'

interface Part {
  id: string
  title: string
  count?(state: ProductState): number | undefined
}

const PARTS: readonly Part[] = [
  { id: 'details', title: 'Details' },
  { id: 'components', title: 'Components', count: ({ product }) => product.components.length },
  { id: 'versions', title: 'Versions', count: ({ product }) => product.versions.length },
  { id: 'milestones', title: 'Milestones', count: ({ product }) => product.milestones.length },
  { id: 'groups', title: 'Who may do what', count: ({ controls }) => controls?.size },
  { id: 'replies', title: 'Canned replies', count: ({ replies }) => replies.length },
  { id: 'flags', title: 'Flags', count: ({ flags }) => flags.length },
  { id: 'template', title: 'Template' },
  { id: 'votes', title: 'Votes' },
  { id: 'danger', title: 'Danger zone' },
]

/** What members of editcomponents change, and those of a group that administers this product only read. */
const OF_THE_PRODUCT: ReadonlySet<string> = new Set(['details', 'template', 'votes', 'danger'])

function isShown(part: string, { controls }: ProductState) {
  if (part === 'groups') return controls !== undefined
  return managesProducts.value || !OF_THE_PRODUCT.has(part)
}

const CLASSES = ['Tracker::Product', 'Tracker::GroupControl']

/** Whether it removes the product or a part of it. */
function isOf({ product }: ProductState, { class: className, object_id: id }: Removal) {
  if (className === 'Tracker::Product') return id === product.id
  if (className === 'Tracker::Component') return product.components.some((it) => it.id === id)
  return className === 'Tracker::Milestone' && product.milestones.some((it) => it.id === id)
}

/** Everything about one product, changed together. */
export function ProductPage({ name }: { name: string }) {
  const place = usePlace({ name: placeOf(name), title: name, load: () => loadProduct(name), values: valuesOf })
  const [isCopying, setCopying] = useState(false)
  const { state, fault } = place
  if (state === undefined) return fault === undefined ? <Skeleton /> : <Refused fault={fault} />
  const nameOf = (object: ChangedObject) => nameIn(state, object)
  return (
    <>
      <div class="row wrap">
        <p class="muted">
          <a class="link" href={hrefOf(openBugsAddress(state))}>
            {openBugsInWords(state)}
          </a>
          , {state.allBugs.toLocaleString()} in all.{' '}
          <a class="link" href={hrefOf(`/product/${encodeURIComponent(name)}`)}>
            See it as a reporter does
          </a>
        </p>
        {managesProducts.value && (
          <span class="align-end">
            <Button icon="copy" onClick={() => setCopying(true)}>
              Copy as a new product
            </Button>
          </span>
        )}
      </div>
      <OpenRemovals isShown={(it) => isOf(state, it)} onEnd={() => void place.reload().catch(() => {})} />
      <nav class="tabs product-parts" aria-label="Parts of this page">
        {PARTS.filter(({ id }) => isShown(id, state)).map(({ id, title, count }) => (
          <a key={id} href={`#${id}`}>
            {title} {count !== undefined && <span class="faint">{count(state)}</span>}
          </a>
        ))}
      </nav>
      <div class="with-trail">
        <div class="stack">
          {managesProducts.value ? (
            <Details place={place} state={state} />
          ) : (
            <p class="muted">
              <bdi>{state.product.description}</bdi> You administer its components, versions and milestones; name,
              description and rights are changed by members of editcomponents.
            </p>
          )}
          <Components place={place} state={state} />
          <div class="product-columns">
            <OrderedValues place={place} state={state} kind="version" />
            <OrderedValues place={place} state={state} kind="milestone" />
          </div>
          <GroupMatrix place={place} state={state} />
          <CannedReplies place={place} state={state} />
          <div class="product-columns">
            <Flags state={state} />
            {managesProducts.value && <Template place={place} state={state} />}
          </div>
          {managesProducts.value && <Votes place={place} state={state} />}
          {managesProducts.value && <DangerZone place={place} state={state} nameOf={nameOf} />}
        </div>
        <AuditTrail classes={CLASSES} id={state.product.id} version={place.version} />
      </div>
      {isCopying && <CopyDialog state={state} onClose={() => setCopying(false)} />}
      <ChangeBar
        place={place}
        nameOf={nameOf}
        movedTo={(changes) => {
          const renamed = changes.find(({ key }) => key === 'product name')
          return renamed && `/admin/products/${encodeURIComponent(renamed.after.trim())}`
        }}
      />
    </>
  )
}

/** What the preview calls the parts of the product, with their bugs. */
function nameIn({ product }: ProductState, { class: className, id }: ChangedObject): NamedObject | undefined {
  const bugsWith = (search: Record<string, string>) =>
    `/bugs?${new URLSearchParams({ product: product.name, ...search, quicksearch: 'ALL' })}`
  const found = (list: readonly { id: number; name: string }[], what: string, field: string) => {
    const name = list.find((it) => it.id === id)?.name
    return name === undefined ? undefined : { name: `the ${what} ${name}`, bugs: bugsWith({ [field]: name }) }
  }
  if (className === 'Tracker::Product') return { name: `the product ${product.name}`, bugs: bugsWith({}) }
  if (className === 'Tracker::Component') return found(product.components, 'component', 'component')
  if (className === 'Tracker::Version') return found(product.versions, 'version', 'version')
  if (className === 'Tracker::Milestone') return found(product.milestones, 'milestone', 'target_milestone')
  return undefined
}
