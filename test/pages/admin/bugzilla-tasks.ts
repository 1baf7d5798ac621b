import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { BrowserWorld } from '../../support/browser.ts'
import { cast } from '../../support/cast.ts'
import { itInSoak } from '../../support/sample.ts'

/** What one does on Bugzilla's pages of administration, and what the other stories do not do here. */
export function bugzillaTasksStories(at: BrowserWorld) {
  const productNamed = async (name: string) =>
    (await at.world.ada.get(`/rest/product?names=${name}&include_fields=_default,default_version`)).body.products[0]

  itInSoak('does what editproducts.cgi, editcomponents.cgi, editversions.cgi and editmilestones.cgi do', async () => {
    const { page } = await at.visit('/admin/products', { as: 'ada' })
    const form = page.getByRole('form', { name: 'A new product' })
    await form.getByLabel('Name', { exact: false }).first().fill('Anchor')
    await form.getByLabel('What it is').fill('Holds a ship')
    await form.getByLabel('First version').fill('0.9')
    await form.getByLabel('First component').fill('Chain')
    await form.getByLabel('What belongs in it').fill('Links')
    await form.getByRole('button', { name: 'Create the product' }).click()
    await page.getByText('Anchor has the component Chain').waitFor()
    await page.goto('/editproducts.cgi?action=edit&product=Anchor')
    await page.getByRole('heading', { level: 1, name: 'Anchor' }).waitFor()
    await page.getByLabel('Template of the description').fill('What happened?\n')
    await page.getByLabel('New bugs').selectOption('are Confirmed at once')
    await chooseAction(page, 'Chain', 'Edit…')
    const component = page.getByRole('dialog', { name: 'Component Chain' })
    await component.getByLabel('Name').fill('Cable')
    await component.getByRole('combobox', { name: 'QA contact' }).fill(cast.edna.login)
    await component.getByRole('button', { name: 'Add to the changes' }).click()
    await addNamed(page, 'New component', async (dialog) => {
      await dialog.getByLabel('Name').fill('Fluke')
      await dialog.getByLabel('What belongs in it').fill('The hook')
    })
    await addNamed(page, 'New version', (dialog) => dialog.getByLabel('Name').fill('1.0'))
    for (const name of ['Soon', 'Later'])
      await addNamed(page, 'New milestone', (dialog) => dialog.getByLabel('Name').fill(name))
    await save(page, 'Anchor')
    await chooseAction(page, '0.9', 'Rename…')
    await page.getByRole('dialog', { name: 'Rename 0.9' }).getByLabel('Name').fill('0.9.1')
    await page.keyboard.press('Enter')
    await chooseAction(page, '1.0', 'New bugs get this')
    await chooseAction(page, 'Soon', 'Close for new bugs')
    await chooseAction(page, 'Later', 'Delete')
    await chooseAction(page, 'Fluke', 'Delete')
    await page.getByRole('button', { name: 'Close the product' }).click()
    await save(page, 'Anchor')
    const made = await productNamed('Anchor')
    assert.deepEqual([made?.is_active, made?.has_unconfirmed, made?.default_version], [false, false, '1.0'])
    assert.deepEqual(
      made?.components.map((it) => [it.name, it.default_qa_contact]),
      [['Cable', cast.edna.login]],
    )
    assert.deepEqual(
      made?.versions.map(({ name }) => name),
      ['0.9.1', '1.0'],
    )
    assert.deepEqual(
      made?.milestones.map(({ name, is_active }) => [name, is_active]),
      [
        ['---', true],
        ['Soon', false],
      ],
    )
    await chooseAction(page, '0.9.1', 'Delete')
    await save(page, 'Anchor')
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByLabel('Type its name').fill('Anchor')
    await page.keyboard.press('Enter')
    await page.getByText('The product Anchor is deleted.').waitFor()
    assert.equal(await productNamed('Anchor'), undefined)
  })

  itInSoak('does what editfields.cgi, editvalues.cgi and editclassifications.cgi do', async () => {
    const { ada } = at.world
    for (const name of ['cf_hull', 'cf_keel'])
      await ada.post('/rest/field/bug', { name, display_name: name.slice(3), type: 2, values: ['Oak', 'Steel'] })
    const { page } = await at.visit('/editfields.cgi?action=edit&name=cf_keel', { as: 'ada' })
    await page.getByRole('heading', { level: 1, name: 'keel' }).waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Keel')
    await page
      .getByRole('button', { name: 'Move keel' })
      .or(page.getByRole('button', { name: 'Move Keel' }))
      .focus()
    for (const key of [' ', 'ArrowUp', ' ']) await page.keyboard.press(key)
    await chooseAction(page, 'Oak', 'Edit…')
    await page.getByRole('dialog').getByLabel('Name').fill('Teak')
    await page.keyboard.press('Enter')
    await chooseAction(page, 'Steel', 'Delete')
    await save(page, 'Fields')
    const fieldNamed = async (name: string) =>
      (await ada.get(`/rest/field/bug/${name}?include_fields=_default,sort_key`)).body.fields?.[0]
    const [keel, hull] = [await fieldNamed('cf_keel'), await fieldNamed('cf_hull')]
    assert.equal(keel?.display_name, 'Keel')
    assert.ok(Number(keel?.sort_key) < Number(hull?.sort_key), 'it is before the other one')
    assert.deepEqual(
      keel?.values?.map(({ name }) => name),
      ['---', 'Teak'],
    )
    await page.getByLabel('No longer used').check()
    await save(page, 'Fields')
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByLabel('Type its name').fill('Keel')
    await page.keyboard.press('Enter')
    await page.getByText('The field Keel is deleted.').waitFor()
    assert.equal((await ada.get('/rest/field/bug/cf_keel')).status, 404)
    await ada.put('/rest/field/bug/cf_hull', { is_obsolete: true })
    await ada.delete('/rest/field/bug/cf_hull')
    await ada.post('/rest/classification', { name: 'Boats', description: 'Float', sort_key: 5 })
    await page.goto('/editclassifications.cgi')
    const boats = page.getByRole('region', { name: 'Boats' })
    await boats.getByLabel('Sort key').fill('30')
    await boats.getByLabel('What its products have in common').fill('Float, mostly')
    await save(page, 'Classifications')
    const { body } = await ada.get('/rest/classification/Boats')
    assert.deepEqual([body.classifications[0].sort_key, body.classifications[0].description], [30, 'Float, mostly'])
    await ada.delete('/rest/classification/Boats')
  })

  itInSoak('does what editusers.cgi, editgroups.cgi and editflagtypes.cgi do', async () => {
    const { ada } = at.world
    const { page } = await at.visit('/editusers.cgi?action=add', { as: 'ada' })
    const form = page.getByRole('form', { name: 'A new account' })
    await form.getByLabel('Mail address').fill('cook@lacewing.test')
    await form.getByLabel('Real name').fill('Ship’s Cook')
    await form.getByRole('button', { name: 'Create the account' }).click()
    await page.getByText('it is shown only now').waitFor()
    const { id } = (await ada.get('/rest/user/cook@lacewing.test')).body.users[0]
    await page.goto(`/editusers.cgi?action=edit&userid=${id}`)
    const panel = page.getByRole('region', { name: 'Ship’s Cook' })
    await panel.getByRole('button', { name: 'Name, nick and address' }).click()
    await page.getByRole('dialog').getByLabel('Real name').fill('Second Cook')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Second Cook' }).waitFor()
    await ada.post('/rest/group', { name: 'galley', description: 'Cooks' })
    await page.goto('/editgroups.cgi')
    await page.getByRole('link', { name: 'galley', exact: true }).click()
    await page.getByLabel('Name', { exact: true }).fill('galley-crew')
    await page.getByLabel('Description', { exact: true }).fill('Cooks and helpers')
    await save(page, 'galley')
    const { groups } = (await ada.get('/rest/group/galley-crew')).body
    assert.equal(groups[0].description, 'Cooks and helpers')
    const type = (await ada.post('/rest/flag_type', { name: 'tasted', description: 'Is it good?' })).body
    await page.goto(`/editflagtypes.cgi?action=edit&id=${type.id}`)
    await page.getByLabel('Can be set').uncheck()
    await save(page, 'Flag type')
    const [tasted] = (await ada.get('/rest/flag_type?names=tasted')).body.flagtypes
    assert.equal(tasted?.is_active, false)
    await ada.delete(`/rest/flag_type/${type.id}`)
    await ada.delete('/rest/group/galley-crew')
  })
}

async function chooseAction(page: Page, name: string, action: string) {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

async function addNamed(page: Page, button: string, fill: (dialog: Locator) => Promise<void>) {
  await page.getByRole('button', { name: button }).click()
  const dialog = page.getByRole('dialog', { name: button })
  await fill(dialog)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
}

/** With the preview, where something cannot be undone. */
async function save(page: Page, place: string) {
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const sure = page.getByRole('dialog').getByRole('button', { name: /^Save \d+ change/ })
  const saved = page.getByText(new RegExp(`^${place}: \\d+ changes? saved\\.$`))
  await sure.or(saved).first().waitFor()
  if (await sure.isVisible()) await sure.click()
  await saved.waitFor()
  await page.locator('.change-bar').waitFor({ state: 'detached' })
}
