import type { BrowserContextOptions, Page } from 'playwright-core'

/** Who sees the page: a user of the demo's company, its administrator, or that of a server without anything. */
export type Viewer = 'reader' | 'administrator' | 'beginner'

export interface Picture {
  name: string
  /** The reader, unless it is somebody else. */
  viewer?: Viewer
  /** All, unless only some are worth their bytes. */
  looks?: readonly Look[]
  address(page: Page): Promise<string> | string
  /** What a reader does before the picture is taken. */
  prepare?(page: Page): Promise<void>
}

export type Look = 'light' | 'dark' | 'phone'

export const LOOKS: Readonly<Record<Look, BrowserContextOptions>> = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  phone: {
    colorScheme: 'light',
    viewport: { width: 360, height: 740 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  },
}

export const PICTURES: readonly Picture[] = [
  { name: 'home', address: () => '/' },
  {
    name: 'list',
    address: () => '/bugs?product=Station+Firmware&product=Weather+Station&status=__open__&group=priority',
    prepare: async (page) => {
      for (const key of ['j', 'j', 'j']) await page.keyboard.press(key)
      await page.evaluate('document.activeElement.blur()')
    },
  },
  { name: 'board', address: () => '/bugs?product=Station+Firmware&product=Weather+Portal&view=board' },
  { name: 'bug', address: busiestBug },
  {
    name: 'file',
    address: () => '/file/Station%20Firmware/Radio',
    prepare: async (page) => {
      await page.locator('.file-form input.input-large').fill('The station loses the gateway after a night of frost')
      await page
        .locator('.file-form textarea')
        .first()
        .fill(
          'Three stations above 2000 m went silent at the same hour.\nThey came back when the sun was on the panel.',
        )
    },
  },
  { name: 'product', address: () => '/product/Station%20Firmware' },
  { name: 'search', address: () => `/bugs?${new URLSearchParams(SEARCH)}` },
  { name: 'requests', address: () => '/requests' },
  {
    name: 'inbox',
    address: () => '/inbox',
    prepare: async (page) => {
      await page.keyboard.press('j')
      await page.evaluate('document.activeElement.blur()')
    },
  },
  { name: 'triage', looks: ['light'], address: () => '/triage/Stations' },
  { name: 'dashboard', looks: ['light', 'dark'], address: () => '/dashboard/1' },
  { name: 'settings-mail', looks: ['light', 'phone'], address: () => '/settings/mail' },
  { name: 'admin', viewer: 'administrator', looks: ['light'], address: () => '/admin' },
  {
    name: 'admin-product',
    viewer: 'administrator',
    looks: ['light', 'phone'],
    address: () => '/admin/products/Station%20Firmware',
  },
  { name: 'admin-group', viewer: 'administrator', looks: ['light'], address: () => '/admin/groups/helios' },
  { name: 'admin-fields', viewer: 'administrator', looks: ['light'], address: () => '/admin/fields/cf_found_by' },
  { name: 'admin-parameters', viewer: 'administrator', looks: ['light'], address: () => '/admin/parameters' },
  { name: 'admin-people', viewer: 'administrator', looks: ['light', 'phone'], address: chosenPerson },
  { name: 'setup', viewer: 'beginner', looks: ['light'], address: () => '/setup' },
]

/** Firmware that was once of high priority, and that waits for a review or has not been looked at since spring. */
const SEARCH = {
  view: 'search',
  product: 'Station Firmware',
  f1: 'priority',
  o1: 'changedfrom',
  v1: 'High',
  f2: 'OP',
  j2: 'OR',
  f3: 'flagtypes.name',
  o3: 'substring',
  v3: 'review?',
  f4: 'delta_ts',
  o4: 'lessthan',
  v4: '2026-03-20',
  f5: 'CP',
}

/** The open bug that shows most of what a bug can have. */
async function busiestBug(page: Page): Promise<string> {
  const fields = 'id,depends_on,blocks,keywords,flags,comments,attachments,groups'
  const id = await page.evaluate<number>(`(async () => {
    const response = await fetch('/rest/bug?product=Station+Firmware&status=__open__&include_fields=${fields}')
    const bugs = (await response.json()).bugs.filter((bug) => bug.groups.length === 0)
    const weight = (bug) => bug.comments.length + 2 * bug.attachments.length + 3 * bug.flags.length +
      2 * Math.min(2, bug.depends_on.length + bug.blocks.length) + bug.keywords.length
    return bugs.sort((a, b) => weight(b) - weight(a) || a.id - b.id)[0].id
  })()`)
  return `/bug/${id}`
}

/** The list with a person beside it. On a phone that would be only the person. */
async function chosenPerson(page: Page): Promise<string> {
  if ((page.viewportSize()?.width ?? 0) < 720) return '/admin/people'
  const id = await page.evaluate<number>(`(async () => {
    const response = await fetch('/rest/admin/people?text=kavya')
    return (await response.json()).people[0].id
  })()`)
  return `/admin/people?who=${id}`
}
