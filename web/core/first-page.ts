// The page that opens with the address of the tracker alone, as the reader has chosen it in this browser.
import { currentAddress, go, ownAddress } from './router.ts'

const KEY = 'lacewing first page'
const HOME = '/'

export function firstPage(): string {
  return ownAddress(localStorage.getItem(KEY))
}

export function setFirstPage(address: string) {
  if (address === HOME) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, address)
}

/** To be called once, before anything is shown. A reader who loads the page again, or follows a link of ours, wants what they have. */
export function openFirstPage() {
  const { path, query, hash } = currentAddress.value
  if (path !== HOME || query !== '' || hash !== '' || firstPage() === HOME) return
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (load?.type === 'navigate' && !document.referrer.startsWith(location.origin)) go(firstPage(), 'replace')
}
