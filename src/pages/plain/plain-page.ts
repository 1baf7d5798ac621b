import type { View } from '../../../shared/addresses.ts'
import { footerLinksIn } from '../../../shared/look.ts'
import { type Html, html } from './html.ts'
import { plainBug } from './plain-bug.ts'
import { plainHome, plainList } from './plain-list.ts'
import { plainProduct, plainProducts } from './plain-product.ts'
import type { PlainPage, PlainSource } from './plain-source.ts'

/** Undefined for views that only make sense with scripts, and for what the reader may not see. */
export async function plainPage(
  { name, parts }: View,
  query: URLSearchParams,
  source: PlainSource,
): Promise<PlainPage | undefined> {
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

interface Surroundings {
  /** Why there is no content. */
  refusal: string | undefined
  root: string
  siteName: string
  /** Those that decide how the pages look. */
  parameters: Readonly<Record<string, string>>
}

/** What is around the content, for browsers without scripts. */
export function aroundPlain(page: PlainPage | undefined, { refusal, root, siteName, parameters }: Surroundings): Html {
  const { announcehtml: notice = '', footer_links: footer = '' } = parameters
  const links = (footerLinksIn(footer) ?? []).map(({ title, address }) => html` · <a href="${address}">${title}</a>`)
  return html`<div class="no-script">
<nav><a href="${root}/">${siteName}</a> · <a href="${root}/bugs">Bugs</a> · <a href="${root}/products">Products</a></nav>
${notice.trim() === '' ? undefined : html`<p class="plain-text">${notice.trim()}</p>`}
${page?.content ?? (refusal === undefined ? undefined : html`<p>${refusal}</p>`)}
<p>This page can be read without JavaScript. To search, to log in and to write, allow JavaScript, or use <a href="${root}/rest/docs">the REST API</a>${links}</p>
</div>`
}
