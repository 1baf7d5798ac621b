import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectAccessibleInBothThemes } from '../../support/accessibility.ts'
import type { BrowserWorld } from '../../support/browser.ts'
import { setControl } from '../../support/new-member.ts'
import { newProduct } from '../../support/new-product.ts'
import { itInSoak, sampled } from '../../support/sample.ts'

export function railStories(at: BrowserWorld) {
  itInSoak('has a rail that leads to each page, by mouse and keys, also on a phone', async () => {
    const { page } = await at.visit('/admin/products', { as: 'ada' })
    const rail = page.getByRole('navigation', { name: 'Administration' })
    const current = rail.locator('[aria-current=page]')
    assert.equal(await current.textContent(), 'Products')
    await rail.getByRole('link', { name: 'People' }).click()
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
    assert.equal(await current.textContent(), 'People')
    await rail.getByRole('link', { name: 'Mail' }).press('Enter')
    const heading = page.getByRole('heading', { level: 1, name: 'Mail' })
    await page.locator('h1:focus', { hasText: 'Mail' }).waitFor()
    await expectAccessibleInBothThemes(page)
    await page.setViewportSize({ width: 360, height: 760 })
    await page.reload()
    await heading.waitFor()
    const box = await current.boundingBox()
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 360, 'the current entry is in sight')
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
  })
  it('shows the holder of each right the places that it opens, and only the own products and groups', async () => {
    const { world } = at
    const [own, other] = [await newProduct(world), await newProduct(world)]
    const [local, blessed] = [await world.newGroup(), await world.newGroup()]
    await setControl(world, own.name, local.name, { editcomponents: true })
    const password = 'battery staple'
    const { id, login } = await world.newUser({ password })
    const { page } = await at.visit('/admin', {
      prepare: async (it) => {
        const headers = { 'Sec-Fetch-Site': 'same-origin' }
        const reply = await it.context().request.post('/rest/session', { data: { login, password }, headers })
        assert.equal(reply.status(), 201)
      },
    })
    await page.getByText('This is for administrators').waitFor()
    await page.getByRole('button', { name: 'Somebody: your menu' }).click()
    assert.equal(await page.getByRole('menuitem', { name: 'Administration' }).count(), 0)
    const rail = page.getByRole('navigation', { name: 'Administration' })
    const places = async (address = '/admin') => {
      await page.goto(address)
      await rail.waitFor()
      return rail.getByRole('link').allTextContents()
    }
    const rights = {
      editusers: ['People'],
      tweakparams: ['Parameters'],
      editclassifications: ['Classifications'],
      editkeywords: ['Keywords'],
      creategroups: ['Groups'],
      editcomponents: ['Products', 'Flag types', 'Canned replies'],
    }
    for (const [right, expected] of sampled(Object.entries(rights), 2, 1)) {
      await world.ada.put(`/rest/user/${id}`, { groups: { set: [right] } })
      assert.deepEqual(await places(), expected, right)
      await page.locator('.skeleton').first().waitFor({ state: 'detached' })
      assert.deepEqual(await page.getByRole('main').getByRole('alert').filter({ hasText: /\w/ }).allTextContents(), [])
    }
    await world.ada.put(`/rest/user/${id}`, { groups: { set: [local.name] }, bless_groups: { set: [blessed.name] } })
    assert.deepEqual(await places(), ['Products', 'Groups', 'Flag types'])
    const main = page.getByRole('main')
    await main.getByRole('link', { name: own.name }).waitFor()
    assert.deepEqual(await main.getByRole('table').getByRole('link').allTextContents(), [own.name])
    assert.equal(await main.getByRole('button', { name: /Create/ }).count(), 0)
    await main.getByRole('link', { name: own.name }).click()
    await main.getByRole('region', { name: 'Components', exact: true }).waitFor()
    const regions = await main.getByRole('region').evaluateAll((all) => all.map((it) => it.getAttribute('aria-label')))
    for (const hidden of ['Details', 'Who may do what', 'Template', 'Danger zone'])
      assert.ok(!regions.includes(hidden), hidden)
    await main.getByRole('button', { name: 'New version' }).click()
    await page.keyboard.type('7.7')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(/1 change .*saved/i).waitFor()
    const { versions } = (await world.ada.get(`/rest/product/${own.name}`)).body.products[0]
    assert.ok(versions.some(({ name }) => name === '7.7'))
    await page.goto(`/admin/products/${other.name}`)
    await page.getByText(`You do not administer the product “${other.name}”.`).waitFor()
    assert.deepEqual(await places('/admin/groups'), ['Products', 'Groups', 'Flag types'])
    assert.deepEqual(await main.getByRole('table').getByRole('link').allTextContents(), [blessed.name])
    await main.getByRole('link', { name: blessed.name }).click()
    await main.getByRole('button', { name: 'Add a person' }).click()
    await page.keyboard.type('stan@lacewing.test')
    await page.getByRole('option', { name: /stan/i }).click()
    await main.getByRole('row', { name: /stan@/ }).getByText('direct').waitFor()
    await main.getByRole('button', { name: 'Remove stan@lacewing.test' }).click()
    await page.getByText(`stan@lacewing.test was taken out of ${blessed.name}.`).waitFor()
  })
}
