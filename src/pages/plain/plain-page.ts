import type { View } from '../../../shared/addresses.ts'
import { type Html, html } from './html.ts'
import { plainBug } from './plain-bug.ts'
import { plainHome, plainList } from './plain-list.ts'
import { plainProduct, plainProducts } from './plain-product.ts'
import type { PlainPage, PlainSource } from './plain-source.ts'

/** Undefined for views that only make sense with scripts, and for what the reader may not see. */
export function plainPage({ name, parts }: View, query: URLSearchParams, source: PlainSource): PlainPage | undefined {
  switch (name) {
    case 'home':
      return plainHome(source)
    case 'bug':
      return plainBug(parts.ref ?? '', query, source)
    case 'list':
      return query.has('view') ? undefined : plainList(query, source)
    case 'product':
      return plainProduct(parts.product ?? '', source)
    case 'products':
      return plainProducts(source)
    default:
      return undefined
  }
}

/** What is around the content, for browsers without scripts. */
export function aroundPlain(page: PlainPage | undefined, refusal: string | undefined, root: string): Html {
  return html`<div class="no-script">
<nav><a href="${root}/">Lacewing</a> · <a href="${root}/bugs">Bugs</a> · <a href="${root}/products">Products</a></nav>
${page?.content ?? (refusal === undefined ? undefined : html`<p>${refusal}</p>`)}
<p>This page can be read without JavaScript. To search, to log in and to write, allow JavaScript, or use <a href="${root}/rest/docs">the REST API</a>.</p>
</div>`
}
