import assert from 'node:assert/strict'
import { expectAccessibleInBothThemes } from '../../support/accessibility.ts'
import type { BrowserWorld } from '../../support/browser.ts'
import { fileBug } from '../../support/file-bug.ts'
import { itInSoak } from '../../support/sample.ts'

const HOSTILE = '"><img src=x onerror=alert(1)> \u202eevil'

export function flagTypesStories(at: BrowserWorld) {
  const typeNamed = async (name: string) =>
    (await at.world.ada.get(`/rest/flag_type?names=${encodeURIComponent(name)}`)).body.flagtypes[0]

  itInSoak(
    'creates a flag type, says in words what it means, changes it together, and deletes it with its flags',
    async () => {
      const { ada } = at.world
      await ada.post('/rest/product', { name: 'Radio', description: 'Sings', version: '1' })
      await ada.post('/rest/group', { name: 'reviewers', description: 'Read patches' })
      const { page } = await at.visit('/admin/flag-types', { as: 'ada' })
      const form = page.getByRole('form', { name: 'A new flag type' })
      await form.getByLabel('Name').fill('signed-off')
      await form.getByLabel('What it means').fill(HOSTILE)
      await form.getByRole('button', { name: 'Create the flag type' }).click()
      await page.getByRole('heading', { level: 1, name: 'signed-off' }).waitFor()
      await page.getByText('Everybody can grant or deny signed-off on bugs in every product;').waitFor()
      assert.equal(await page.getByLabel('Can be set').isChecked(), true)
      await page.getByLabel('One bug can have several').uncheck()
      await page.getByLabel('Grant and deny').selectOption('reviewers')
      await page.getByText('was everybody').waitFor()
      await page.getByRole('button', { name: 'Add to “But not to”' }).click()
      await page.keyboard.type('Radio')
      await page.getByRole('option', { name: /^Radio/ }).waitFor()
      await page.keyboard.press('Enter')
      await page
        .getByText(
          'Members of reviewers can grant or deny signed-off on bugs in every product, except Radio; everybody',
        )
        .waitFor()
      await expectAccessibleInBothThemes(page)
      await page.getByRole('button', { name: 'Preview what happens' }).click()
      const preview = page.getByRole('dialog', { name: 'What happens' })
      await preview.getByText('who may grant and deny: was everybody→reviewers').waitFor()
      await preview.getByRole('button', { name: 'Save 3 changes' }).click()
      await page.getByText('Flag type: 3 changes saved.').waitFor()
      const saved = await typeNamed('signed-off')
      assert.deepEqual(
        [saved?.is_active, saved?.grant_group, saved?.exclusions, saved?.description],
        [true, 'reviewers', ['Radio'], HOSTILE],
      )
      await page
        .getByRole('complementary', { name: 'What changed here' })
        .getByText('changed where it does not apply')
        .waitFor()
      await fileBug(ada, { flags: [{ name: 'signed-off', status: '+' }] })
      await page.getByRole('button', { name: 'Delete…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Delete the flag type signed-off?' })
      await dialog.getByText('1 bug loses the flag signed-off.').waitFor()
      await dialog.getByLabel('Type its name').fill('signed-off')
      await page.keyboard.press('Enter')
      await page.getByText('The flag type signed-off is deleted.').waitFor()
      await page.locator('h1:focus').waitFor()
      assert.equal(await typeNamed('signed-off'), undefined)
    },
  )

  itInSoak('finds and changes a flag type while another administrator does, with keys only on a phone', async () => {
    const { ada } = at.world
    const { id } = (
      await ada.post('/rest/flag_type', { name: 'docs', description: 'Written', target_type: 'attachment' })
    ).body
    const { page } = await at.visit('/admin/flag-types', { as: 'ada', isPhone: true })
    await page.getByRole('searchbox', { name: 'Find a flag type' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('docs')
    await page.getByText('1 found').waitFor({ state: 'attached' })
    await page.getByRole('region', { name: 'On attachments' }).getByRole('link', { name: 'docs' }).press('Enter')
    const order = page.getByLabel('Order')
    await order.fill('0')
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await save.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'Order: ' }).waitFor()
    await order.fill('7')
    await ada.put(`/rest/flag_type/${id}`, { sortkey: 9 })
    await save.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Saved by somebody else meanwhile' })
    await dialog.getByText('9', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Take these values' }).press('Enter')
    await save.press('Enter')
    await page.getByText('Flag type: 1 change saved.').waitFor()
    assert.equal((await typeNamed('docs'))?.sortkey, 7)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
    await page.locator('h1:focus').waitFor()
  })

  itInSoak('is for members of editcomponents: others get no link, and the documented refusal', async () => {
    const { page } = await at.visit('/admin/flag-types', { as: 'edna' })
    await page.getByText('This is for administrators').waitFor()
    const { body } = await at.world.edna.post('/rest/flag_type', { name: 'mine', description: 'Mine' })
    assert.equal(body.code, 304)
  })
}
