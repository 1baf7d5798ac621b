import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectAccessibleInBothThemes, expectAccessibleInSoak } from '../../support/accessibility.ts'
import type { BrowserWorld } from '../../support/browser.ts'
import { fileBug } from '../../support/file-bug.ts'
import { itInSoak } from '../../support/sample.ts'

const HOSTILE = '"><img src=x onerror=alert(1)> \u202eevil'

export function fieldsStories(at: BrowserWorld) {
  const fieldNamed = async (name: string) => {
    const { status, body } = await at.world.ada.get(
      `/rest/field/bug/${name}?include_fields=_default,description,is_obsolete,values.is_active`,
    )
    return status === 200 ? body.fields[0] : undefined
  }
  const valueNames = async (name: string) => (await fieldNamed(name))?.values?.map((it) => it.name)

  it('makes a field with a rule, shows it in the form before it is saved, and counts the values that it hides', async () => {
    const { ada } = at.world
    await ada.post('/rest/product', { name: 'Mast', description: 'Stands', version: '1' })
    await ada.post('/rest/component', {
      product: 'Mast',
      name: 'Guy wire',
      description: 'Holds',
      default_assignee: 'ada@lacewing.test',
    })
    await fileBug(ada)
    const { page } = await at.visit('/admin/fields', { as: 'ada' })
    const form = page.getByRole('form', { name: 'A new field' })
    await form.getByLabel('Name', { exact: false }).first().fill('Seen from')
    await form.getByLabel('First values, one per line').fill('Ground\nHill')
    assert.equal(await form.getByLabel('Name for programs').inputValue(), 'cf_seen_from')
    await form.getByRole('button', { name: 'Create the field' }).click()
    await page.getByRole('heading', { level: 1, name: 'Seen from' }).waitFor()
    await fileBug(ada, { cf_seen_from: 'Hill' })
    await page.getByLabel('Description', { exact: true }).fill(HOSTILE)
    await page.getByLabel('Shown when filing').check()
    const rule = page.getByRole('region', { name: 'When it is shown' })
    await rule.getByText('Show Seen from always.').waitFor()
    await rule.getByLabel('Depends on', { exact: true }).selectOption('product')
    await rule.getByRole('combobox', { name: 'Value of Product' }).click()
    await page.keyboard.type('Mast')
    await rule.getByRole('option', { name: 'Mast' }).waitFor()
    await page.keyboard.press('Enter')
    await rule.getByText('Show Seen from if Product is Mast.').waitFor()
    await rule.getByText('1 bug has a value where it will be hidden.').waitFor()
    const preview = page.getByRole('complementary', { name: 'Preview of the form' })
    await preview.getByLabel('Preview in the product').selectOption('TestProduct')
    await preview.getByText('Seen from is not shown: only if Product is Mast.').waitFor()
    assert.equal(await preview.getByLabel('Seen from').count(), 0)
    await preview.getByLabel('Preview in the product').selectOption('Mast')
    await preview.getByText('Seen from appears because Product is Mast.').waitFor()
    const topOf = async (label: string) => (await page.getByLabel(label, { exact: true }).boundingBox())?.y ?? 0
    assert.equal(await topOf('Preview of the form'), await topOf('Details'), 'it is beside the field')
    await page.getByRole('button', { name: 'Actions for Ground' }).click()
    await page.getByRole('menuitem', { name: 'Stop offering it' }).click()
    await page.getByRole('button', { name: 'New value', exact: true }).click()
    await page.keyboard.type('Plane')
    await page.keyboard.press('Enter')
    const offered = preview.getByLabel('Seen from').locator('option')
    assert.deepEqual(await offered.allTextContents(), ['None', 'Hill', 'Plane'])
    await expectAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'Preview what happens' }).click()
    const dialog = page.getByRole('dialog', { name: 'What happens' })
    await dialog.getByText('1 bug keeps a value in Seen from where it is not shown.').waitFor()
    await dialog.getByRole('button', { name: 'Save 5 changes' }).click()
    await page.getByText('Fields: 5 changes saved.').waitFor()
    const saved = await fieldNamed('cf_seen_from')
    assert.deepEqual(
      [saved?.description, saved?.is_on_bug_entry, saved?.visibility_field, saved?.visibility_values],
      [HOSTILE, true, 'product', ['Mast']],
    )
    assert.deepEqual(
      saved?.values?.map((it) => [it.name, it.is_active]),
      [
        ['---', true],
        ['Ground', false],
        ['Hill', true],
        ['Plane', true],
      ],
    )
    const trail = page.getByRole('complementary', { name: 'What changed here' })
    await trail.getByText('changed Seen from: when it is shown').waitFor()
    await trail.getByText('added the value Seen from: Plane').waitFor()
    // It was used: deleting says why not.
    await page.getByRole('button', { name: 'Delete…' }).click()
    const deletion = page.getByRole('dialog', { name: 'Delete the field Seen from?' })
    await deletion
      .locator('.error')
      .getByText(/^The field cf_seen_from cannot be deleted/)
      .waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Actions for Hill' }).click()
    await page.getByRole('menuitem', { name: 'Merge into…' }).click()
    await page.getByLabel('Merge into').selectOption('Plane')
    await page.getByRole('button', { name: 'Add to the changes' }).click()
    await page.getByText('will be merged into Plane').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog.getByText('1 bug gets Plane instead of Hill.').waitFor()
    await expectAccessibleInSoak(page)
    await dialog.getByRole('button', { name: 'Save 1 change' }).click()
    await page.getByText('Fields: 1 change saved.').waitFor()
    assert.deepEqual(await valueNames('cf_seen_from'), ['---', 'Ground', 'Plane'])
    const search = '/rest/bug?f1=cf_seen_from&o1=equals&v1=Plane&include_fields=id'
    assert.deepEqual((await ada.get(search)).body.bugs.length, 1)
  })

  itInSoak(
    'orders and deletes values of built-in fields while another administrator does, with keys only on a phone',
    async () => {
      const { ada } = at.world
      for (const name of ['Urgent', 'Someday']) await ada.post('/rest/field/bug/priority/values', { name })
      const { page } = await at.visit('/admin/fields/priority', { as: 'ada', isPhone: true })
      const values = page.getByRole('region', { name: 'Values' })
      await values.getByRole('button', { name: 'Move Urgent' }).focus()
      for (const key of [' ', 'ArrowUp', ' ']) await page.keyboard.press(key)
      await values.getByText('Put down').waitFor()
      await values.getByRole('button', { name: 'Actions for Someday' }).press('Enter')
      await page.keyboard.type('Del')
      await page.keyboard.press('Enter')
      await values.getByText('will be deleted').waitFor()
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
      await ada.put('/rest/field/bug/priority/values/Someday', { name: 'Later' })
      const save = page.getByRole('button', { name: 'Save', exact: true })
      await save.press('Enter')
      await page.getByRole('dialog', { name: 'What happens' }).getByText('It would be refused.').waitFor()
      await page.keyboard.press('Escape')
      await page.reload()
      await page.getByRole('button', { name: 'Compare with what was saved' }).press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Saved by somebody else meanwhile' })
      await dialog.getByRole('button', { name: 'Take these values' }).press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await save.press('Enter')
      await page.getByText('Fields: 1 change saved.').waitFor()
      const names = await valueNames('priority')
      assert.ok(names?.includes('Later'))
      assert.equal(names?.indexOf('Urgent'), (names?.indexOf('---') ?? 0) - 1)
      await page.locator('h1:focus').waitFor()
      for (const name of ['Urgent', 'Later']) await ada.delete(`/rest/field/bug/priority/values/${name}`)
    },
  )

  itInSoak(
    'shows what another administrator saved of a field meanwhile, and keeps what was typed if it is gone',
    async () => {
      const { ada } = at.world
      await ada.post('/rest/field/bug', { name: 'cf_gauge', display_name: 'Gauge', type: 1 })
      const { page } = await at.visit('/admin/fields/cf_gauge', { as: 'ada' })
      const name = page.getByLabel('Name', { exact: true })
      await name.fill('Mine')
      await ada.put('/rest/field/bug/cf_gauge', { display_name: 'Theirs' })
      const save = page.getByRole('button', { name: 'Save', exact: true })
      await save.click()
      const dialog = page.getByRole('dialog', { name: 'Saved by somebody else meanwhile' })
      await dialog.getByText('Theirs', { exact: true }).last().waitFor()
      assert.equal((await fieldNamed('cf_gauge'))?.display_name, 'Theirs', 'nothing is overwritten unseen')
      await dialog.getByRole('button', { name: 'Take these values' }).click()
      await save.click()
      await page.getByText('Fields: 1 change saved.').waitFor()
      assert.equal((await fieldNamed('cf_gauge'))?.display_name, 'Mine')
      await name.fill('Typed')
      await ada.put('/rest/field/bug/cf_gauge', { is_obsolete: true })
      await ada.delete('/rest/field/bug/cf_gauge')
      await save.click()
      await page.getByRole('alert').filter({ hasText: 'Mine: name' }).waitFor()
      assert.equal(await name.inputValue(), 'Typed')
      await page.getByRole('button', { name: 'Discard' }).click()
    },
  )

  itInSoak('is for members of admin: others get no link, and the documented refusal', async () => {
    const { page } = await at.visit('/admin/fields/priority', { as: 'edna' })
    await page.getByText('This is for administrators').waitFor()
    const { body } = await at.world.edna.post('/rest/field/bug/priority/values', { name: 'Mine' })
    assert.equal(body.code, 304)
  })
}
