import type { Static } from '@sinclair/typebox'
import { ALL_PRODUCTS_CALL, productCall } from '../../../shared/first-calls.ts'
import type { Product as ProductSchema } from '../../catalogue/products/product-schema.ts'
import { html, shortened } from './html.ts'
import type { PlainPage, PlainSource } from './plain-source.ts'

type Product = Static<typeof ProductSchema>

/** Whether there is no such product for the reader. The call answers with an empty list, as in Bugzilla. */
export function isUnknownProduct(name: string, { bodyOf }: PlainSource): boolean {
  return bodyOf<{ products: Product[] }>(productCall(name))?.products.length === 0
}

/** A product with its components. */
export function plainProduct(name: string, { root, bodyOf }: PlainSource): PlainPage | undefined {
  const product = bodyOf<{ products: Product[] }>(productCall(name))?.products[0]
  if (product === undefined) return undefined
  const { components = [], description } = product
  const search = `${root}/bugs?product=${encodeURIComponent(product.name)}`
  return {
    title: product.name,
    description: shortened(description),
    canonical: `/product/${encodeURIComponent(product.name)}`,
    content: html`<h1 dir="auto">${product.name}</h1>
<p dir="auto">${description}</p>
<p><a href="${search}&bug_status=__open__">Open bugs</a></p>
<h2>Components</h2>
<dl>${components.map(
      (part) =>
        html`<dt dir="auto"><a href="${search}&component=${encodeURIComponent(part.name)}">${part.name}</a></dt><dd dir="auto">${part.description}</dd>
`,
    )}</dl>`,
  }
}

/** All products that the reader may see. */
export function plainProducts({ root, bodyOf }: PlainSource): PlainPage | undefined {
  const products = bodyOf<{ products: Product[] }>(ALL_PRODUCTS_CALL)?.products
  return (
    products && {
      title: 'Products',
      canonical: '/products',
      content: html`<h1>Products</h1>
<dl>${products.map(
        ({ name, description }) =>
          html`<dt dir="auto"><a href="${root}/product/${encodeURIComponent(name)}">${name}</a></dt><dd dir="auto">${description}</dd>
`,
      )}</dl>`,
    }
  )
}
