import { ALL_PRODUCTS_CALL } from '../../shared/first-calls.ts'
import { isAdmin } from '../core/account/session.ts'
import { hrefOf } from '../core/router.ts'
import type { Product } from '../core/server/types.ts'
import { useData } from '../core/server/use-data.ts'
import { useTitle } from '../core/title.ts'
import { Empty, LoadingPage, RefusedPage } from '../parts/states.tsx'

type ListedProduct = Pick<Product, 'id' | 'name' | 'description' | 'is_active' | 'classification' | 'components'>

export function View() {
  useTitle('Products')
  const { body, fault, reload } = useData(ALL_PRODUCTS_CALL)
  if (fault !== undefined && body === undefined) return <RefusedPage fault={fault} retry={reload} />
  if (body === undefined) return <LoadingPage />
  const byClass = Map.groupBy(body.products, ({ classification }) => classification ?? '')
  return (
    <main id="main" class="page">
      <h1>Products</h1>
      {body.products.length === 0 && <NoProducts />}
      {[...byClass].map(([name, products]) => (
        <section key={name} class="section" aria-label={name}>
          {byClass.size > 1 && (
            <div class="section-head">
              <h2>{name}</h2>
            </div>
          )}
          <ul class="card rows">
            {products.map((product) => (
              <ProductRow key={product.id} product={product} level={byClass.size > 1 ? 'h3' : 'h2'} />
            ))}
          </ul>
        </section>
      ))}
    </main>
  )
}

function ProductRow({ product, level: Heading }: { product: ListedProduct; level: 'h2' | 'h3' }) {
  const { name, description, components = [], is_active } = product
  const path = encodeURIComponent(name)
  return (
    <li class="product">
      <div>
        <Heading>
          <a href={hrefOf(`/product/${path}`)} dir="auto">
            {name}
          </a>
        </Heading>
        <p dir="auto">{description}</p>
        <div class="facts">
          <span>{components.length === 1 ? '1 component' : `${components.length} components`}</span>
          {!is_active && <span>closed for new bugs</span>}
        </div>
      </div>
      <div class="row">
        <a class="button button-small" href={hrefOf(`/bugs?product=${path}&bug_status=__open__`)}>
          Open bugs
        </a>
        {is_active && (
          <a class="button button-small" href={hrefOf(`/file/${path}`)}>
            File a bug
          </a>
        )}
      </div>
    </li>
  )
}

function NoProducts() {
  return (
    <Empty icon="box" title="There is no product yet">
      <p>
        {isAdmin.value ? (
          <>
            Bugs are filed against products.{' '}
            <a class="link" href={hrefOf('/admin/products')}>
              Create the first one
            </a>
            .
          </>
        ) : (
          'Products that you may see are listed here.'
        )}
      </p>
    </Empty>
  )
}
