import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Client } from '../../support/world.ts'

interface Conflict {
  address: string
  /** Changes something on the page, while another administrator changes the same. */
  run(page: Page, other: Client): Promise<void>
}

const IS_TOLD = 'Another administrator has changed it meanwhile'

/** The places whose own stories do not show what the second of two administrators is told. */
export const CONFLICTS: readonly Conflict[] = [
  {
    address: '/admin/classifications',
    run: async (page, other) => {
      await page.getByRole('region', { name: 'Unclassified' }).getByLabel('Name').fill('Mine')
      const changed = await other.put('/rest/classification/1', { name: 'Theirs' })
      assert.equal(changed.status, 200, changed.text)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      const dialog = page.getByRole('dialog', { name: 'Saved by somebody else meanwhile' })
      await dialog.getByText('Theirs', { exact: true }).last().waitFor()
      const [first] = (await other.get('/rest/classification/1')).body.classifications
      assert.equal(first?.name, 'Theirs')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Discard' }).click()
      await other.put('/rest/classification/1', { name: 'Unclassified' })
    },
  },
  {
    address: '/admin/providers',
    run: async (page, other) => {
      const corp = { name: 'corp', title: 'Corp', issuer: 'https://login.example.org', client_id: 'bugs' }
      await other.put('/rest/parameters', { sign_in_providers: [corp] })
      await page.reload()
      await page.getByRole('button', { name: 'Change Corp' }).click()
      await page.getByLabel('Title').fill('Mine')
      await other.put('/rest/parameters', { sign_in_providers: [{ ...corp, title: 'Theirs' }] })
      await page.getByRole('button', { name: 'Save' }).click()
      await page
        .getByRole('alert')
        .filter({ hasText: `${IS_TOLD}. It is now Theirs` })
        .waitFor()
      const titles = async () => (await other.get('/rest/parameters')).body.parameters.sign_in_providers
      assert.match(String(await titles()), /Theirs/)
      assert.equal(await page.getByLabel('Title').inputValue(), 'Mine')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('button', { name: 'Change Mine' }).waitFor()
    },
  },
  {
    address: '/admin/mail',
    run: async (page, other) => {
      const form = page.getByRole('form', { name: 'Mail server' })
      await form.getByLabel('Host').fill('mine.example.org')
      await other.put('/rest/parameters', { smtp_url: 'smtp://theirs.example.org:587' })
      await form.getByRole('button', { name: 'Save' }).click()
      await form.getByRole('alert').filter({ hasText: 'now it is theirs.example.org' }).waitFor()
      assert.equal(await form.getByLabel('Host').inputValue(), 'mine.example.org')
      const host = async () => (await other.get('/rest/admin/mail')).body.server?.host
      assert.equal(await host(), 'theirs.example.org')
      await form.getByRole('button', { name: 'Save' }).click()
      await page.getByText('The mail server is set.').waitFor()
      assert.equal(await host(), 'mine.example.org')
    },
  },
]
