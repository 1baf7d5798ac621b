import assert from 'node:assert/strict'
import { afterEach, before } from 'node:test'
import type { Page } from 'playwright-core'
import { expectAccessibleInBothThemes } from '../support/accessibility.ts'
import { describeInBrowser, follow, moveOn } from '../support/browser.ts'
import { fillPlaces, type Place } from '../support/filled-places.ts'
import { pressEverything, settled, walkWithTab } from '../support/key-walk.ts'
import { hostileEffects, widerThanWindow } from '../support/page-looks.ts'
import { describeInSoak, itInSoak } from '../support/sample.ts'
import { CONFLICTS } from './places/conflicts.ts'
import { DEEDS, Hands } from './places/deeds.ts'

const DESKTOP = { width: 1280, height: 860 }
const PHONE = { width: 390, height: 844 }

/** One world in which every name is hostile, and one browser: each property is shown of every place. */
describeInSoak('the places of administration, settings and reports', () =>
  describeInBrowser('each of them', (at) => {
    let places: Place[]
    before(async () => {
      places = await fillPlaces(at.world)
    })
    afterEach(() => at.leave())

    /** What a check finds, by place. */
    const atEach = async (page: Page, check: (place: Place, open: () => Promise<void>) => Promise<string[]>) => {
      const found: string[] = []
      for (const place of places) {
        const open = async () => {
          await follow(page, place.address)
          await settled(page)
        }
        await open()
        for (const fault of await check(place, open)) found.push(`${place.address}: ${fault}`)
      }

      assert.deepEqual(found, [])
    }

    itInSoak('is used with keys only, and after each step something has the focus', async () => {
      const { page } = await at.visit('/help', { as: 'ada' })
      for (const { address, what, run } of DEEDS) {
        await moveOn(page, address)
        await settled(page)
        await assert.doesNotReject(run(new Hands(page)), `${address}: ${what}`)
      }
    })

    itInSoak('shows the focus at each stop, and has nothing that only a mouse reaches', async () => {
      const { page } = await at.visit('/help', { as: 'ada' })
      await atEach(page, async ({ address }) => {
        const found: string[] = []
        for (const size of [DESKTOP, PHONE]) {
          await page.setViewportSize(size)
          found.push(...(await walkWithTab(page)).map((it) => `${size.width} pixels: ${it}`))
          // The bar of changes that are not saved covers no stop either.
          if (!/^\/admin\/(products|groups\/boilers)./.test(address)) continue
          const description = page.getByLabel('Description', { exact: true })
          await description.fill('Changed')
          await page.getByRole('button', { name: 'Preview what happens' }).waitFor()
          found.push(...(await walkWithTab(page)).map((it) => `${size.width} pixels, changed: ${it}`))
          await page.getByRole('button', { name: 'Discard' }).press('Enter')
        }
        return found
      })
    })

    itInSoak('keeps the focus whatever button is pressed, and nothing that opens is wider than a phone', async () => {
      const { page } = await at.visit('/help', { as: 'ada' })
      await page.setViewportSize(PHONE)
      const look = async () => [...(await widerThanWindow(page)), ...(await hostileEffects(page))]
      await atEach(page, async (_, open) => pressEverything(page, open, look))
    })

    itInSoak('refuses a reader without rights, and so do its calls', async () => {
      const { page } = await at.visit('/help', { as: 'ada' })
      const calls = new Set<string>()
      page.on('request', (request) => {
        const { pathname, search } = new URL(request.url())
        // The version of the configuration is for every user, and everybody reads their own removals.
        if (/^\/rest\/(admin\/(?!changes|removals)|audit)/.test(pathname) && request.method() === 'GET')
          calls.add(pathname + search)
      })
      await atEach(page, async () => [])
      assert.ok(calls.size > 10, 'the places read what only administrators may')
      for (const path of calls) {
        const [stan, nobody] = [await at.world.stan.get(path), await at.world.nobody.get(path)]
        assert.deepEqual([stan.status, stan.body.code, nobody.status, nobody.body.code], [401, 304, 401, 410], path)
      }
      for (const as of ['stan', undefined] as const) {
        const reader = (await at.visit('/help', as === undefined ? {} : { as })).page
        for (const { address, refusals } of places) {
          const refusal = as === undefined ? refusals?.anonymous : refusals?.other
          if (refusal === undefined) continue
          await follow(reader, address)
          await reader.getByRole('main').getByText(refusal).waitFor()
          const rail = reader.getByRole('navigation', { name: 'Administration' })
          assert.equal(await rail.count(), 0, address)
        }
      }
    })

    itInSoak('tells the second of two administrators, and overwrites nothing unseen', async () => {
      const { page } = await at.visit('/help', { as: 'ada' })
      // The story that presses every button has revoked her keys.
      await at.world.db.query((q) => q.updateTable('api_keys').set({ revoked_at: null }))
      for (const { address, run } of CONFLICTS) {
        await moveOn(page, address)
        await settled(page)
        await assert.doesNotReject(run(page, at.world.ada), address)
      }
    })

    itInSoak('fits a phone, has no violation of axe in both themes, and hostile names do nothing', async () => {
      const { page } = await at.visit('/help', { as: 'ada' })
      await atEach(page, async () => {
        const found: string[] = []
        for (const size of [DESKTOP, PHONE]) {
          await page.setViewportSize(size)
          found.push(...(await widerThanWindow(page)), ...(await hostileEffects(page)))
        }
        await expectAccessibleInBothThemes(page).catch((fault) => found.push(fault.message))
        return found
      })
    })
  }),
)
