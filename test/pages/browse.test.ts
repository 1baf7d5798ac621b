import assert from 'node:assert/strict'
import { afterEach, before, it } from 'node:test'
import { expectAccessible } from '../support/accessibility.ts'
import { describeInBrowser } from '../support/browser.ts'
import { cast } from '../support/cast.ts'

const HOSTILE = '<img src=x onerror="document.title=\'owned\'">"\'</script><script>document.title="owned"</script>'

describeInBrowser('browsing', (at) => {
  before(async () => {
    const filed = { product: 'TestProduct', component: 'TestComponent', version: 'unspecified' }
    await at.world.edna.post('/rest/bug', { ...filed, summary: 'The lamp stays dark after the storm' })
    await at.world.edna.post('/rest/bug', { ...filed, summary: HOSTILE, assigned_to: cast.edna.login })
  })
  afterEach(() => at.leave())

  it('shows products, a product and a person', async () => {
    const { page } = await at.visit('/products')
    await page.getByRole('link', { name: 'TestProduct' }).click()
    await page.getByRole('heading', { name: 'Components' }).waitFor()
    await page.getByRole('link', { name: 'TestComponent' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Products' }).waitFor()
    await page.goto(`/user/${cast.edna.login}`)
  })

  it('shows hostile text as text', async () => {
    const { page } = await at.visit('/', { as: 'edna' })
    await page.getByText(HOSTILE).first().waitFor()
    assert.doesNotMatch(await page.title(), /owned/)
  })

  it('hides a product from those who may not see it', async () => {
    const { page } = await at.visit('/product/NoSuchProduct')
    await page.getByText('There is no product “NoSuchProduct” for you').waitFor()
  })

  for (const isDark of [false, true])
    it(`has no barrier that axe finds, ${isDark ? 'dark' : 'light'}`, async () => {
      const { page } = await at.visit('/', { as: 'edna', isDark })
      for (const address of [
        '/',
        '/products',
        '/product/TestProduct',
        '/requests',
        '/settings',
        '/help',
        '/help/design',
      ]) {
        await page.goto(address)
        await page.locator('main').waitFor()
        await expectAccessible(page)
      }
    })

  it('fits a phone', async () => {
    const { page } = await at.visit('/', { as: 'edna', isPhone: true })
    for (const address of ['/', '/products', '/product/TestProduct', '/settings', '/help']) {
      await page.goto(address)
      await page.locator('main').waitFor()
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      assert.ok(width <= 360, `${address} is ${width} pixels wide`)
    }
  })
})
