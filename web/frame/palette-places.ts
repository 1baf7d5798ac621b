// The pages, products, components and saved searches that the palette finds.

import { ALL_PRODUCTS_CALL, SAVED_CALL } from '../../shared/first-calls.ts'
import { me } from '../core/account/session.ts'
import { adminPlaces } from '../core/admin-places.ts'
import { maySchedule, parametersOf } from '../core/bugs/saved-searches.ts'
import { get } from '../core/server/rest.ts'
import type { Option } from '../parts/combobox.tsx'

const PLACES: readonly Option[] = [
  { value: '/', name: 'Home' },
  { value: '/bugs?status=__open__', name: 'Open bugs' },
  { value: '/bugs?quicksearch=ALL', name: 'All bugs' },
  { value: '/bugs?view=search', name: 'Advanced search' },
  { value: '/file', name: 'File a bug' },
  { value: '/inbox', name: 'Inbox', note: 'what needs me' },
  { value: '/requests', name: 'Requests' },
  { value: '/proposals', name: 'Proposals', note: 'what agents propose' },
  { value: '/products', name: 'Products' },
  { value: '/triage', name: 'Triage', note: 'queues of bugs to decide about' },
  { value: '/dashboards', name: 'Dashboards', note: 'reports and lists on one page' },
  { value: '/reports', name: 'Reports', note: 'tables and charts of bugs' },
  { value: '/settings', name: 'Settings', note: 'colours, rows, name, password, sessions' },
  { value: '/settings/access', name: 'What acts for me', note: 'settings: keys, sessions, webhooks, providers' },
  { value: '/settings/factors', name: 'Second factors', note: 'settings' },
  { value: '/settings/keys', name: 'API keys', note: 'settings' },
  { value: '/settings/mail', name: 'Mail that I get', note: 'settings' },
  { value: '/settings/searches', name: 'Saved searches', note: 'settings' },
  { value: '/settings/votes', name: 'My votes', note: 'settings' },
  { value: '/settings/webhooks', name: 'Webhooks', note: 'settings' },
  { value: '/help', name: 'Help' },
  { value: '/help/searching', name: 'Searching', note: 'help' },
  { value: '/help/keys', name: 'Keys', note: 'help' },
  { value: '/help/words', name: 'What the words mean', note: 'help' },
  { value: '/help/bugzilla', name: 'Coming from Bugzilla', note: 'help' },
]

const SCHEDULED_MAIL: Option = { value: '/settings/scheduled-mail', name: 'Scheduled mail', note: 'settings' }

/** What is the same as long as the palette is open. */
export async function readPlaces(): Promise<readonly Option[]> {
  const [products, searches] = await Promise.all([productOptions().catch(() => []), searchOptions().catch(() => [])])
  return [...searches, ...products]
}

export function fixedPlaces(): readonly Option[] {
  return [
    ...PLACES,
    ...(me.value === undefined ? [] : [{ value: `/user/${encodeURIComponent(me.value.name)}`, name: 'My page' }]),
    ...(maySchedule() ? [SCHEDULED_MAIL] : []),
    ...adminPlaces().map(({ part, address, title }) => ({
      ...{ value: address, name: part === '' ? 'Administration' : title, note: 'administration' },
    })),
  ]
}

async function productOptions(): Promise<Option[]> {
  const { products } = await get(ALL_PRODUCTS_CALL)
  return products.flatMap(({ name: product, components }) => [
    { value: `/product/${encodeURIComponent(product)}`, name: product, note: 'product' },
    ...(components ?? []).map(({ name: component }) => ({
      value: `/bugs?${new URLSearchParams({ product, component, status: '__open__' })}`,
      name: component,
      note: `component of ${product}`,
    })),
  ])
}

async function searchOptions(): Promise<Option[]> {
  if (me.value === undefined) return []
  const { saved_searches: all } = await get(SAVED_CALL)
  return all.map((search) => ({ value: `/bugs?${parametersOf(search)}`, name: search.name, note: 'saved search' }))
}
