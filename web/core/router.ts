// Moving between pages without loading them again. Every view has an address, and the back button leads to the last one.
import { computed, signal } from '@preact/signals'
import { viewAt } from '../../shared/addresses.ts'
import { root } from './server/known-answers.ts'

interface PageAddress {
  path: string
  query: string
  hash: string
}

function readAddress(): PageAddress {
  const { pathname, search, hash } = location
  const path = root !== '' && pathname.startsWith(root) ? pathname.slice(root.length) || '/' : pathname
  return { path, query: search.slice(1), hash: hash.slice(1) }
}

export const currentAddress = signal<PageAddress>(readAddress())
export const view = computed(() => viewAt(currentAddress.value.path))
export const query = computed(() => new URLSearchParams(currentAddress.value.query))

addEventListener('popstate', () => {
  currentAddress.value = readAddress()
})

let moves = 0

/** Whether the reader came here from another page, without loading this one. */
export function hasMoved() {
  return moves > 0
}

/** Goes to an address of the pages, such as `/bug/1001#c5`. */
export function go(address: string, how: 'push' | 'replace' = 'push') {
  if (how === 'push') history.pushState(null, '', root + address)
  else history.replaceState(null, '', root + address)
  const before = currentAddress.value.path
  moves++
  currentAddress.value = readAddress()
  if (currentAddress.value.hash === '' && how === 'push' && before !== currentAddress.value.path) scrollTo(0, 0)
}

/** Changes parameters of the address; undefined removes one. */
export function goWith(changes: Record<string, string | undefined>, how: 'push' | 'replace' = 'replace') {
  const next = new URLSearchParams(currentAddress.value.query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) next.delete(name)
    else next.set(name, value)
  }
  const text = next.toString()
  go(currentAddress.value.path + (text === '' ? '' : `?${text}`), how)
}

/** Links to pages of this server are followed without loading; with a key held down they open as usual. */
addEventListener('click', (event) => {
  // Links of pictures have the same attributes as those of text, but other properties.
  const link = (event.target as Element | null)?.closest?.('a[href]')
  if (!link || event.defaultPrevented || event.button !== 0) return
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  if (link.hasAttribute('target') || link.hasAttribute('download')) return
  const { origin, pathname, search, hash } = new URL(link.getAttribute('href') ?? '', document.baseURI)
  if (origin !== location.origin || !pathname.startsWith(`${root}/`)) return
  const path = pathname.slice(root.length)
  if (viewAt(path).name === 'missing') return
  if (pathname === location.pathname && search === location.search && hash !== '') return
  event.preventDefault()
  go(path + search + hash)
})

/** An address of the pages as a link. */
export function hrefOf(address: string) {
  return root + address
}

export function bugAddress(ref: number | string) {
  return `/bug/${encodeURIComponent(String(ref))}`
}

/** Only addresses of this server. */
export function ownAddress(to: string | null): string {
  return to !== null && /^\/(?![\s/\\])/.test(to) ? to : '/'
}
