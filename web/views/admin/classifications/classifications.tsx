import { useState } from 'preact/hooks'
import type { Answer } from '../../../../client/call-types.ts'
import { addressOf } from '../../../../shared/rest-address.ts'
import { changesParameters, managesProducts } from '../../../core/account/session.ts'
import { hrefOf } from '../../../core/router.ts'
import { get } from '../../../core/server/rest.ts'
import { Button } from '../../../parts/button.tsx'
import { TextField } from '../../../parts/field.tsx'
import { Refused, Skeleton } from '../../../parts/states.tsx'
import { AuditTrail } from '../changes/audit-trail.tsx'
import { ChangeBar } from '../changes/change-bar.tsx'
import type { Change } from '../changes/change-draft.ts'
import { OldValue } from '../changes/changed-value.tsx'
import { FindBox } from '../changes/find-box.tsx'
import { isFound } from '../changes/is-found.ts'
import { type Place, usePlace } from '../changes/use-place.ts'
import { PlaceHead } from '../place-head.tsx'
import { NameDialog } from '../products/name-dialog.tsx'

type Classification = Answer<'GET /classification'>['classifications'][number]

interface State {
  classifications: readonly Classification[]
}

/** The first one stays: products of a deleted one get it. */
const UNCLASSIFIED_ID = 1
const CLASSES = ['Tracker::Classification']
const LATER = 1
const TEXTS = [
  ['name', 'Name'],
  ['sort_key', 'Sort key'],
  ['description', 'What its products have in common'],
] as const

function valuesOf({ classifications }: State) {
  const values = new Map<string, string>()
  for (const it of classifications) {
    values.set(`classification ${it.id}`, it.name)
    for (const [part] of TEXTS) values.set(`classification ${it.id} ${part}`, String(it[part]))
    for (const { id } of it.products) values.set(`product ${id}`, it.name)
  }
  return values
}

/** Sets of products, changed together. */
export function Classifications() {
  const place = usePlace({
    name: 'classifications',
    title: 'Classifications',
    load: (): Promise<State> => get(addressOf('/classification')),
    values: valuesOf,
  })
  const [text, setText] = useState('')
  const [isNew, setNew] = useState(false)
  const { state, fault, draft } = place
  if (state === undefined) return fault === undefined ? <Skeleton /> : <Refused fault={fault} />
  const added = draft.changes.value.filter(({ key }) => key.startsWith('classification new '))
  const found = state.classifications.filter((it) =>
    isFound(text, it.name, it.description, ...it.products.map(({ name }) => name)),
  )
  const names = [...state.classifications.map(({ name }) => name), ...added.map(({ after }) => after)]
  const add = (name: string) =>
    place.change({
      key: `classification new ${name}`,
      title: `new classification ${name}`,
      before: '',
      after: name,
      call: { method: 'POST', path: '/rest/classification', params: { name } },
    })
  return (
    <>
      <p class="muted">
        Sets of products. They are seen while the parameter{' '}
        {changesParameters.value ? (
          <a class="link" href={hrefOf('/admin/parameters?search=useclassification')}>
            useclassification
          </a>
        ) : (
          'useclassification'
        )}{' '}
        is on.
      </p>
      <PlaceHead
        actions={
          <Button icon="plus" onClick={() => setNew(true)}>
            New classification
          </Button>
        }
      >
        <FindBox label="Find a classification or a product" text={text} onText={setText} found={found.length} />
      </PlaceHead>
      <div class="with-trail">
        <div class="stack">
          {found.map((classification) => (
            <Card key={classification.id} {...{ place, classification, names }} />
          ))}
          {added.map((change) => (
            <section key={change.key} class="card admin-card is-unsaved" aria-label={change.after}>
              <b dir="auto">{change.after}</b> <OldValue change={change} />{' '}
              <Button size="small" kind="quiet" onClick={() => draft.drop(change.key)}>
                Remove
              </Button>
            </section>
          ))}
        </div>
        <AuditTrail classes={CLASSES} version={place.version} />
      </div>
      {isNew && <NameDialog title="New classification" name="" onName={add} onClose={() => setNew(false)} />}
      <ChangeBar place={place} />
    </>
  )
}

interface CardProps {
  place: Place<State>
  classification: Classification
  names: readonly string[]
}

function Card({ place, classification, names }: CardProps) {
  const { id, name, products } = classification
  const { draft } = place
  const path = `/rest/classification/${id}`
  const removal = draft.get(`classification ${id}`)
  const remove = () =>
    removal !== undefined
      ? draft.drop(removal.key)
      : place.change({
          key: `classification ${id}`,
          title: `classification ${name}`,
          before: name,
          after: '',
          isFinal: true,
          call: { method: 'DELETE', path },
        })
  const set = (part: (typeof TEXTS)[number][0], after: string) =>
    place.change({
      key: `classification ${id} ${part}`,
      title: `${part.replace('_', ' ')} of ${name}`,
      before: String(classification[part]),
      after,
      // Products are moved before, by the names that they see.
      order: LATER,
      call: { method: 'PUT', path, params: { [part]: after } },
    })
  return (
    <section class={removal ? 'card admin-card is-unsaved' : 'card admin-card'} aria-label={name}>
      <div class="row wrap">
        <h2 dir="auto">{name}</h2>
        <span class="faint">{products.length === 1 ? '1 product' : `${products.length} products`}</span>
        {removal !== undefined && (
          <span class="changed-value small">will be deleted; its products become unclassified</span>
        )}
        {id !== UNCLASSIFIED_ID && (
          <span class="align-end">
            <Button size="small" kind="quiet" icon="trash" onClick={remove}>
              {removal === undefined ? 'Delete' : 'Do not delete'}
              <span class="visually-hidden"> {name}</span>
            </Button>
          </span>
        )}
      </div>
      <div class="product-details">
        {TEXTS.map(([part, label]) => {
          const change = draft.get(`classification ${id} ${part}`)
          return (
            <div
              key={part}
              class={[part === 'description' && 'is-whole-row', change && 'is-unsaved'].filter(Boolean).join(' ')}
            >
              <TextField
                label={label}
                value={draft.valueOf(`classification ${id} ${part}`, String(classification[part]))}
                onText={(text) => set(part, text)}
              />
              <OldValue change={change} />
            </div>
          )
        })}
      </div>
      <ul class="classified-products">
        {products.map((product) => (
          <ProductRow key={product.id} {...{ place, product, names }} saved={name} />
        ))}
      </ul>
    </section>
  )
}

interface RowProps {
  place: Place<State>
  product: { id: number; name: string }
  names: readonly string[]
  saved: string
}

function ProductRow({ place, product, names, saved }: RowProps) {
  const key = `product ${product.id}`
  const change: Change | undefined = place.draft.get(key)
  const move = (after: string) =>
    place.change({
      key,
      title: `classification of ${product.name}`,
      before: saved,
      after,
      call: { method: 'PUT', path: `/rest/product/${product.id}`, params: { classification: after } },
    })
  return (
    <li class={change && 'is-unsaved'}>
      {managesProducts.value ? (
        <a class="link grow" dir="auto" href={hrefOf(`/admin/products/${encodeURIComponent(product.name)}`)}>
          {product.name}
        </a>
      ) : (
        <bdi class="grow">{product.name}</bdi>
      )}
      {managesProducts.value && (
        <select
          class="input select"
          aria-label={`Classification of ${product.name}`}
          value={place.draft.valueOf(key, saved)}
          onChange={(event) => move(event.currentTarget.value)}
        >
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
      <OldValue change={change} />
    </li>
  )
}
