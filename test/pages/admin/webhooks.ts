import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { expectAccessibleInBothThemes } from '../../support/accessibility.ts'
import type { BrowserWorld } from '../../support/browser.ts'
import { HttpReceiver } from '../../support/http-receiver.ts'
import { itInSoak } from '../../support/sample.ts'
import { until } from '../../support/until.ts'

export function webhooksStories(at: BrowserWorld) {
  const receiver = new HttpReceiver()
  before(() => receiver.open())
  after(() => receiver.close())

  itInSoak(
    'finds webhooks of everybody, sends again what failed, and stops and deletes them with keys on a phone',
    async () => {
      const { ada, edna, rhea } = at.world
      await ada.put('/rest/parameters', { webhook_networks: '127.0.0.1/32' })
      receiver.manners.set('/hook?token=geheim', 500)
      const made = await edna.post('/rest/webhook', { url: `${receiver.url}/hook?token=geheim` })
      await rhea.post('/rest/webhook', { url: `${receiver.url}/other`, is_active: false })
      await edna.post(`/rest/webhook/${made.body.id}/test`)
      const { page } = await at.visit('/admin/webhooks', { as: 'ada' })
      const button = (name: string | RegExp) => page.getByRole('button', { name })
      await page.getByText(`${receiver.url}/other`).first().waitFor()
      await page.keyboard.press('/')
      await page.keyboard.type('edna')
      await page.getByText(`${receiver.url}/other`).first().waitFor({ state: 'detached' })
      await button(/^Log/).click()
      const log = page.getByRole('region', { name: /^Deliveries to/ })
      await log.getByText('the receiver answered 500').waitFor()
      await expectAccessibleInBothThemes(page)
      receiver.manners.set('/hook?token=geheim', 204)
      await button(/^Send again webhook\.test/).click()
      await log.getByText('Delivered').nth(1).waitFor()
      assert.doesNotMatch(await page.content(), /geheim/)

      await page.setViewportSize({ width: 390, height: 844 })
      await button(/^Switch off/).press('Enter')
      await button(/^Switch on/).waitFor()
      assert.equal((await edna.get(`/rest/webhook/${made.body.id}`)).body.webhooks[0].is_active, false)
      const trail = page.getByRole('complementary', { name: 'What changed here' })
      await trail
        .getByText(/changed .*whether it is on\s+yes\s+no/)
        .first()
        .waitFor()
      await page.getByLabel('State').selectOption('failing')
      await page.getByText('No webhook matches').waitFor()
      await page.getByLabel('State').selectOption('off')
      await button(/^Delete/).press('Enter')
      await button('Delete the webhook').press('Enter')
      await page.getByText('No webhook matches').waitFor()
      await until(() => page.evaluate<boolean>('document.activeElement.tagName !== "BODY"'))
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
      assert.deepEqual((await edna.get('/rest/webhook')).body.webhooks, [])
      const { page: other } = await at.visit('/admin/webhooks', { as: 'edna' })
      await other.getByText('This is for administrators').waitFor()
      const [left] = (await rhea.get('/rest/webhook')).body.webhooks
      await rhea.delete(`/rest/webhook/${left.id}`)
      await ada.put('/rest/parameters', { webhook_networks: '' })
    },
  )
}
