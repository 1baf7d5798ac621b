import { useEffect, useState } from 'preact/hooks'
import type { View as Address } from '../../shared/addresses.ts'
import { ADMINISTERED_IDS_CALL, productCall, productCountsCall } from '../../shared/first-calls.ts'
import { administersProducts, isAdmin, managesProducts, me } from '../core/account/session.ts'
import { isShownField } from '../core/bugs/hidden-fields.ts'
import { type MilestoneCounts, NO_VALUE, shareOf, useClosedStatuses } from '../core/bugs/milestones.ts'
import { loadPeople, personBy } from '../core/bugs/people.ts'
import { hrefOf } from '../core/router.ts'
import type { Product } from '../core/server/types.ts'
import { useData } from '../core/server/use-data.ts'
import { useTitle } from '../core/title.ts'
import { AT_ONCE, useFirstOf } from '../parts/first-of.tsx'
import { nameOf } from '../parts/person.tsx'
import { Progress } from '../parts/progress.tsx'
import { Empty, LoadingPage, RefusedPage } from '../parts/states.tsx'
import { useWatches, WatchButton } from '../parts/watch-button.tsx'
import { FindBox } from './admin/changes/find-box.tsx'
import { isFound } from './admin/changes/is-found.ts'

export function View({ parts }: { parts: Address['parts'] }) {
  const name = parts.product ?? ''
  useTitle(name)
  const { body, fault, reload } = useData(productCall(name))
  const watches = useWatches(me.value !== undefined)
  const isAdministered = useIsAdministered(body?.products[0]?.id)
  const counts = useData(body?.products.length === 0 ? undefined : productCountsCall(name))
  if (fault !== undefined && body === undefined) return <RefusedPage fault={fault} retry={reload} />
  if (body === undefined) return <LoadingPage />
  const [product] = body.products
  if (product === undefined) return <NoProduct name={name} />
  return (
    <main id="main" class="page">
      <nav class="breadcrumbs" aria-label="Where you are">
        <a href={hrefOf('/products')}>Products</a> / <span>{product.classification}</span>
      </nav>
      <div class="row wrap">
        <div class="product-head">
          <h1 dir="auto">{product.name}</h1>
          <p class="muted" dir="auto">
            {product.description}
          </p>
        </div>
        <span class="align-end row wrap">
          <WatchButton watches={watches} product={product.name} />
          <a class="button" href={hrefOf(`/bugs?product=${encodeURIComponent(name)}&bug_status=__open__`)}>
            Open bugs
          </a>
          <a class="button" href={hrefOf(`/reports?product=${encodeURIComponent(name)}&kind=over_time`)}>
            Reports
          </a>
          {isAdministered && (
            <a class="button" href={hrefOf(`/admin/products/${encodeURIComponent(name)}`)}>
              Administer
            </a>
          )}
          {product.is_active && (
            <a class="button button-primary" href={hrefOf(`/file/${encodeURIComponent(name)}`)}>
              File a bug
            </a>
          )}
        </span>
      </div>
      <Milestones product={product} counts={counts.body?.counts ?? []} />
      <Components product={product} watches={watches} />
      <Versions product={product} />
    </main>
  )
}

/** Whether the reader administers this product: all of them, or this one by a group. */
function useIsAdministered(id: number | undefined) {
  const managesAll = isAdmin.value || managesProducts.value
  const { body } = useData(administersProducts.value && !managesAll ? ADMINISTERED_IDS_CALL : undefined)
  return managesAll || (body?.products.some((product) => product.id === id) ?? false)
}

function NoProduct({ name }: { name: string }) {
  return (
    <main id="main" class="page">
      <Empty icon="box" title={`There is no product “${name}” that you may see`} isPage>
        <p>
          It may not exist, or not be visible to you. See{' '}
          <a class="link" href={hrefOf('/products')}>
            all products
          </a>
          .
        </p>
      </Empty>
    </main>
  )
}

function Milestones({ product, counts }: { product: Product; counts: MilestoneCounts['counts'] }) {
  const closed = useClosedStatuses()
  const used = (product.milestones ?? []).filter(({ name }) => name !== NO_VALUE && counts.some(({ x }) => x === name))
  if (used.length === 0 || !isShownField('target_milestone')) return null
  return (
    <section class="section" aria-labelledby="milestones">
      <div class="section-head">
        <h2 id="milestones">Milestones</h2>
      </div>
      <ul class="card rows">
        {used.map(({ id, name }) => {
          const { done, all } = shareOf(name, counts, closed)
          const search = new URLSearchParams({ product: product.name, target_milestone: name, bug_status: '__open__' })
          return (
            <li key={id} class="product">
              <a class="medium" href={hrefOf(`/bugs?${search}`)} dir="auto">
                {name}
              </a>
              <span class="faint small nowrap">
                {all - done} open, {all} in all
              </span>
              <Progress done={done} all={all} label={`${name}: ${done} of ${all} bugs are closed`} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function Name({ login }: { login: string }) {
  return <bdi title={login}>{nameOf(personBy(login))}</bdi>
}

function Components({ product, watches }: { product: Product; watches: ReturnType<typeof useWatches> }) {
  const [text, setText] = useState('')
  const found = product.components.filter((it) => isFound(text, it.name, it.description))
  const { list, shown, more } = useFirstOf<Product['components'][number], HTMLUListElement>(found)
  const last = shown.at(-1)?.id
  useEffect(() => {
    const people = shown.flatMap((it) => [it.default_assigned_to, it.default_qa_contact])
    void loadPeople(people.filter((login) => login !== ''))
  }, [product, last])
  return (
    <section class="section" aria-labelledby="components">
      <div class="section-head">
        <h2 id="components">Components</h2>
      </div>
      {product.components.length > AT_ONCE && (
        <FindBox label="Find a component" text={text} onText={setText} found={found.length} />
      )}
      {found.length === 0 && text !== '' && <Empty icon="search" title="No component matches" />}
      <ul class="card rows" ref={list}>
        {shown.map((component) => {
          const search = new URLSearchParams({
            product: product.name,
            component: component.name,
            bug_status: '__open__',
          })
          return (
            <li key={component.id} class="product">
              <div>
                <h3>
                  <a href={hrefOf(`/bugs?${search}`)} dir="auto">
                    {component.name}
                  </a>
                </h3>
                <p dir="auto">{component.description}</p>
                <div class="facts">
                  <span>
                    goes to <Name login={component.default_assigned_to} />
                  </span>
                  {component.default_qa_contact !== '' && (
                    <span>
                      tested by <Name login={component.default_qa_contact} />
                    </span>
                  )}
                  {!component.is_active && <span>closed for new bugs</span>}
                </div>
              </div>
              <div class="row wrap product-buttons">
                <WatchButton watches={watches} product={product.name} component={component.name} />
                {product.is_active && component.is_active && (
                  <a
                    class="button button-small"
                    href={hrefOf(`/file/${encodeURIComponent(product.name)}/${encodeURIComponent(component.name)}`)}
                  >
                    File a bug
                  </a>
                )}
              </div>
            </li>
          )
        })}
      </ul>
      {more}
    </section>
  )
}

function Versions({ product }: { product: Product }) {
  const versions = (product.versions ?? []).filter(({ name }) => name !== NO_VALUE)
  const { list, shown, more } = useFirstOf<(typeof versions)[number], HTMLDivElement>(versions)
  if (versions.length === 0) return null
  return (
    <section class="section" aria-labelledby="versions">
      <div class="section-head">
        <h2 id="versions">Versions</h2>
      </div>
      <div class="row wrap" ref={list}>
        {shown.map(({ id, name, is_active }) => (
          <a
            key={id}
            class="chip"
            href={hrefOf(
              `/bugs?${new URLSearchParams({ product: product.name, version: name, bug_status: '__open__' })}`,
            )}
          >
            <span dir="auto">{name}</span>
            {!is_active && <span class="chip-label">old</span>}
          </a>
        ))}
      </div>
      {more}
    </section>
  )
}
