import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectAccessibleInBothThemes, expectAccessibleInSoak } from '../../support/accessibility.ts'
import { type BrowserWorld, follow } from '../../support/browser.ts'
import { cast } from '../../support/cast.ts'
import { expectMessageCoversNothing } from '../../support/covered-controls.ts'
import { fileBug } from '../../support/file-bug.ts'
import { setControl } from '../../support/new-member.ts'
import { itInSoak } from '../../support/sample.ts'

const HOSTILE = '"><img src=x onerror=alert(1)> \u202eevil'

export function productsStories(at: BrowserWorld) {
  const productOf = async (name: string) => {
    const { products } = (await at.world.ada.get(`/rest/product?names=${encodeURIComponent(name)}`)).body
    return products[0]
  }

  it('keeps changes as a draft, says what they do, saves them together, and undoes a discard', async () => {
    await at.world.ada.post('/rest/product', { name: 'Kettle', description: 'Boils', version: '1' })
    const { page } = await at.visit('/admin/products', { as: 'ada' })
    await page.getByRole('searchbox', { name: 'Find a product' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('kett')
    await page.getByText('1 found').waitFor({ state: 'attached' })
    assert.equal(await page.locator('.admin-table tbody tr').count(), 1)
    await page.getByRole('link', { name: 'Kettle' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Big kettle')
    await page.getByLabel('Description', { exact: true }).fill(HOSTILE)
    const bar = page.getByRole('region', { name: 'Changes that are not saved' })
    await bar.getByText('2 changes not saved').waitFor()
    assert.equal(await page.locator('.is-unsaved s').first().textContent(), 'Kettle')
    // Leaving keeps them and says so, and so does a reload.
    await follow(page, '/admin/mail')
    await page.getByText('Kettle: 2 changes not saved, kept as a draft.').waitFor()
    await page.getByRole('button', { name: 'Go back' }).click()
    await bar.waitFor()
    await page.reload()
    await bar.getByText('kept in this browser since').waitFor()
    assert.equal((await productOf('Kettle'))?.description, 'Boils')
    await bar.getByRole('button', { name: 'Discard' }).click()
    await bar.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await bar.getByRole('button', { name: 'Preview what happens' }).click()
    const dialog = page.getByRole('dialog', { name: 'What happens' })
    await dialog.getByText('No bug, person or saved search is affected.').waitFor()
    await expectAccessibleInBothThemes(page)
    await dialog.getByRole('button', { name: 'Save 2 changes' }).click()
    await page.getByRole('heading', { level: 1, name: 'Big kettle' }).waitFor()
    await bar.waitFor({ state: 'detached' })
    assert.equal((await productOf('Big kettle'))?.description, HOSTILE)
    const trail = page.getByRole('complementary', { name: 'What changed here' })
    await trail.getByText('changed name').first().waitFor()
    // The message about it covers neither the bar of the next change nor anything else, and keys reach it from a field.
    const description = page.getByLabel('Description', { exact: true })
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await description.fill(`At ${width}`)
      await bar.waitFor()
      await expectMessageCoversNothing(page)
    }
    await description.focus()
    await page.keyboard.press('F6')
    await page.locator('.toast button:focus').waitFor()
    await page.keyboard.press('Escape')
    await description.and(page.locator(':focus')).waitFor()
    await bar.getByRole('button', { name: 'Discard' }).click()
    await expectMessageCoversNothing(page)
    // Where no group is left to add, the page says why and leads to where one is made.
    const { groups } = (await at.world.ada.get('/rest/group')).body
    for (const { name, is_bug_group, is_active } of groups)
      if (is_bug_group && is_active) await setControl(at.world, 'Big kettle', name, { membercontrol: 'Shown' })
    await follow(page, '/admin')
    await follow(page, '/admin/products/Big%20kettle#groups')
    const matrix = page.getByRole('region', { name: 'Who may do what' }).and(page.locator(':focus'))
    await matrix.getByText('Every active group for bugs is here.').waitFor()
    await matrix.getByRole('link', { name: 'Make another' }).press('Enter')
    await page.getByRole('form', { name: 'A new group' }).waitFor()
  })

  it('leaves the groups of a product where they are when something is chosen for one of them', async () => {
    const { ada } = at.world
    await ada.post('/rest/product', { name: 'Toaster', description: 'Toasts', version: '1' })
    for (const name of ['toast-makers', 'toast-secrets'])
      await ada.post('/rest/group', { name, description: 'Know toast' })
    const { page } = await at.visit('/admin/products/Toaster', { as: 'ada' })
    const matrix = page.getByRole('region', { name: 'Who may do what' })
    for (const name of ['toast-makers', 'toast-secrets']) {
      await page.getByRole('button', { name: 'Add a group' }).click()
      await page.keyboard.type(name)
      await page.keyboard.press('Enter')
      await matrix.getByLabel(`${name}: bugs of members`).waitFor()
    }
    await matrix.getByLabel('toast-secrets: bugs of members').selectOption('Shown')
    await page.getByRole('region', { name: 'Changes that are not saved' }).waitFor()
    assert.deepEqual(await matrix.locator('.group-name').allTextContents(), ['toast-makers', 'toast-secrets'])
    await page.getByRole('button', { name: 'Discard' }).click()
  })

  itInSoak(
    'shows what another administrator saved meanwhile beside the own value, with keys only on a phone',
    async () => {
      await at.world.ada.post('/rest/product', { name: 'Teapot', description: 'Brews', version: '1' })
      const { page } = await at.visit('/admin/products/Teapot', { as: 'ada', isPhone: true })
      const description = page.getByLabel('Description', { exact: true })
      await description.fill('Brews tea')
      const save = page.getByRole('button', { name: 'Save', exact: true })
      // Another value of the same product is not in the way.
      await at.world.ada.put('/rest/product/Teapot', { has_unconfirmed: false })
      await save.press('Enter')
      await page.getByText('Teapot: 1 change saved.').waitFor()
      await page.locator('h1:focus').waitFor()
      await description.fill('Mine')
      await at.world.ada.put('/rest/product/Teapot', { description: 'Theirs' })
      await save.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Saved by somebody else meanwhile' })
      await dialog.getByText('Theirs', { exact: true }).last().waitFor()
      await expectAccessibleInSoak(page)
      assert.equal((await productOf('Teapot'))?.description, 'Theirs', 'nothing is overwritten unseen')
      await dialog.getByRole('button', { name: 'Take these values' }).press('Enter')
      await page.locator('.is-unsaved s', { hasText: 'Theirs' }).waitFor()
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
      // What is typed while it is saved stays.
      await page.route('**/rest/admin/changes', async (route) => {
        await description.fill('')
        await route.continue()
      })
      await save.press('Enter')
      await page.locator('.is-unsaved s', { hasText: 'Mine' }).waitFor()
      assert.equal((await productOf('Teapot'))?.description, 'Mine')
      await save.press('Enter')
      await page.getByRole('alert').filter({ hasText: 'Description: ' }).waitFor()
    },
  )

  it('changes components, versions, order and rights of groups together, and says what happens to bugs', async () => {
    const { ada } = at.world
    await ada.post('/rest/product', { name: 'Lamp', description: 'Shines', version: '1.0' })
    for (const name of ['1.9', '1.10']) await ada.post('/rest/product/Lamp/version', { name })
    for (const name of ['Bulb', 'Shade'])
      await ada.post('/rest/component', {
        product: 'Lamp',
        name,
        description: 'A part',
        default_assignee: 'ada@lacewing.test',
      })
    await ada.post('/rest/group', { name: 'lamp-makers', description: 'Make lamps' })
    await fileBug(ada, { product: 'Lamp', component: 'Bulb', version: '1.0' })
    const { page } = await at.visit('/admin/products/Lamp', { as: 'ada' })
    await page.getByRole('button', { name: 'Actions for Bulb' }).click()
    await page.getByRole('menuitem', { name: 'Edit…' }).click()
    const edit = page.getByRole('dialog', { name: 'Component Bulb' })
    await edit.getByLabel('On the CC list of new bugs').fill('pam@lacewing.test')
    // The list of people closes when the button is pressed, and the button must not move away under the pointer.
    await edit.getByRole('combobox', { name: 'Owner', exact: true }).fill('edna@lacewing.test')
    await edit.getByRole('option').first().waitFor()
    await edit.getByRole('button', { name: 'Add to the changes' }).click()
    await page.locator('tr.is-unsaved s', { hasText: 'ada@lacewing.test' }).waitFor()
    await page.getByRole('button', { name: 'Actions for Shade' }).click()
    await page.getByRole('menuitem', { name: 'Close for new bugs' }).click()
    const versions = page.getByRole('region', { name: 'Versions' })
    await versions.getByRole('button', { name: 'Move 1.10' }).dragTo(versions.getByRole('listitem').first())
    assert.deepEqual(await versions.locator('li b').allTextContents(), ['1.10', '1.0', '1.9'])
    await page.getByRole('button', { name: 'Add a group' }).click()
    await page.keyboard.type('lamp-m')
    await page.keyboard.press('Enter')
    const matrix = page.getByRole('region', { name: 'Who may do what' })
    // A group changes nothing until something is chosen for it, and the row says so.
    await matrix.getByText('There is nothing to save yet: choose below what this group is for.').waitFor()
    await matrix.getByRole('button', { name: 'Take away lamp-makers' }).waitFor()
    await matrix.getByLabel('lamp-makers: bugs of members').selectOption('Mandatory')
    await matrix.getByText('For bugs of others it is now “always restricted”, too.').waitFor()
    await matrix.getByText('Every bug is restricted to lamp-makers: nobody else sees the product.').waitFor()
    await matrix.getByRole('button', { name: 'lamp-makers: Edit every field' }).click()
    await page.getByRole('button', { name: 'Preview what happens' }).click()
    const dialog = page.getByRole('dialog', { name: 'What happens' })
    await dialog.getByText('1 bug is restricted to lamp-makers: others no longer see it.').waitFor()
    assert.match(
      (await dialog.getByRole('link', { name: '1 bug has the component Bulb.' }).getAttribute('href')) ?? '',
      /component=Bulb/,
    )
    await dialog.getByRole('button', { name: 'Save 5 changes' }).click()
    await page.getByText('Lamp: 5 changes saved.').waitFor()
    assert.equal(await matrix.getByRole('button', { name: 'Take away lamp-makers' }).count(), 0)
    await page.getByRole('button', { name: '1 watch Bulb: change' }).waitFor()
    const trail = page.getByRole('complementary', { name: 'What changed here' })
    await trail.getByText('always restricted').first().waitFor()
    const parts = page.getByRole('navigation', { name: 'Parts of this page' })
    assert.deepEqual(
      (await parts.getByRole('link').allTextContents()).map((it) => it.trim()),
      [
        'Details',
        'Components 2',
        'Versions 3',
        'Milestones 1',
        'Who may do what 1',
        'Canned replies 0',
        'Flags 0',
        'Template',
        'Votes',
        'Danger zone',
      ],
    )
    const isWhole = '(box => box.scrollWidth <= box.clientWidth)(document.querySelector(".group-matrix-box"))'
    assert.equal(await page.evaluate(isWhole), true, 'the rights are not cut at 1280')
    await expectAccessibleInSoak(page)
    const lamp = await productOf('Lamp')
    assert.deepEqual(
      lamp?.versions.map(({ name }) => name),
      ['1.10', '1.0', '1.9'],
    )
    assert.deepEqual(
      lamp?.components.map((it) => [it.name, it.default_assigned_to, it.is_active]),
      [
        ['Bulb', 'edna@lacewing.test', true],
        ['Shade', 'ada@lacewing.test', false],
      ],
    )
    const [component] = (await ada.get('/rest/component/Lamp/Bulb')).body.components
    assert.deepEqual(component?.default_cc, ['pam@lacewing.test'])
    const [control] = (await ada.get('/rest/product/Lamp/group_control')).body.group_controls
    assert.deepEqual(
      [control?.membercontrol, control?.othercontrol, control?.editbugs],
      ['Mandatory', 'Mandatory', true],
    )
    // Deleting says why not, and does not ask for the name then.
    await page.getByRole('button', { name: 'Delete…' }).click()
    const deletion = page.getByRole('dialog', { name: 'Delete the product Lamp?' })
    await deletion
      .locator('.error')
      .getByText(/^The product Lamp has bugs: move them first/)
      .waitFor()
    await deletion.getByRole('button', { name: 'Close' }).and(page.locator(':focus')).waitFor()
    assert.equal(await deletion.getByLabel('Type its name').count(), 0)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Copy as a new product' }).click()
    const copying = page.getByRole('dialog', { name: 'Copy Lamp as a new product' })
    await copying.getByLabel('Name of the new product').fill('lamp')
    await copying.getByText('There is a product with the name “lamp” already.').waitFor()
    await copying.getByLabel('Name of the new product').fill('Lantern')
    await copying.getByText('It gets 2 components with owners and watchers, 3 versions and 1 milestone.').waitFor()
    await copying.getByText('1 group may do in it what it may do here.').waitFor()
    assert.equal(await productOf('Lantern'), undefined)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Lantern' }).waitFor()
    await page.getByRole('button', { name: '1 watch Bulb: change' }).waitFor()
    assert.equal((await productOf('Lantern'))?.components.length, 2)
  })

  itInSoak(
    'keeps what was typed when another administrator has renamed the product or deleted a component',
    async () => {
      const { ada } = at.world
      await ada.post('/rest/product', { name: 'Clock', description: 'Ticks', version: '1' })
      for (const name of ['Hand', 'Face'])
        await ada.post('/rest/component', {
          product: 'Clock',
          name,
          description: name,
          default_assignee: cast.ada.login,
        })
      const { page } = await at.visit('/admin/products/Clock', { as: 'ada' })
      await page.getByRole('button', { name: 'nobody watch Hand: change' }).press('Enter')
      const edit = page.getByRole('dialog', { name: 'Component Hand' })
      await edit.locator('input:focus').and(edit.getByLabel('On the CC list of new bugs')).waitFor()
      await page.keyboard.type('pam@lacewing.test')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: '1 watch Hand: change' }).waitFor()
      assert.match(String(await page.evaluate('document.activeElement.textContent')), /watch Hand: change/)
      // Another watcher is another value of the same list: both are shown.
      await ada.put('/rest/component/Clock/Hand', { default_cc: ['stan@lacewing.test'] })
      const save = page.getByRole('button', { name: 'Save', exact: true })
      await save.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Saved by somebody else meanwhile' })
      await dialog.getByText('stan@lacewing.test', { exact: true }).waitFor()
      await dialog.getByRole('button', { name: 'Take these values' }).press('Enter')
      await ada.delete('/rest/component/Clock/Hand')
      await save.press('Enter')
      await page.getByRole('alert').filter({ hasText: 'CC list of Hand: ' }).waitFor()
      await page.getByText('1 change not saved').waitFor()
      await page.getByRole('button', { name: 'Discard' }).press('Enter')
      await page.getByLabel('Description', { exact: true }).fill('Typed')
      await ada.put('/rest/product/Clock', { name: 'Watch' })
      await save.press('Enter')
      await page.getByRole('alert').filter({ hasText: 'Another administrator has changed it meanwhile' }).waitFor()
      assert.equal(await page.getByLabel('Description', { exact: true }).inputValue(), 'Typed')
      assert.equal((await productOf('Watch'))?.description, 'Ticks')
      await page.getByRole('button', { name: 'Discard' }).press('Enter')
    },
  )

  itInSoak('orders milestones with keys only, on a phone, and deletes what is not used', async () => {
    const { ada } = at.world
    await ada.post('/rest/product', { name: 'Chair', description: 'Stands', version: '1' })
    for (const name of ['M1', 'M2']) await ada.post('/rest/product/Chair/milestone', { name })
    const { page } = await at.visit('/admin/products/Chair', { as: 'ada', isPhone: true })
    const milestones = page.getByRole('region', { name: 'Milestones' })
    await milestones.getByRole('button', { name: 'Move M2' }).focus()
    for (const key of [' ', 'ArrowUp', 'ArrowUp', ' ']) await page.keyboard.press(key)
    await milestones.getByText('Put down').waitFor()
    assert.deepEqual(await milestones.locator('li b').allTextContents(), ['M2', '---', 'M1'])
    await milestones.getByRole('button', { name: 'Actions for M1' }).press('Enter')
    await page.keyboard.type('Del')
    await page.keyboard.press('Enter')
    await milestones.getByText('will be deleted').waitFor()
    await milestones.getByRole('button', { name: 'New milestone' }).press('Enter')
    await page.keyboard.type('M3')
    await page.keyboard.press('Enter')
    await page.getByText('3 changes not saved').waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
    // What cannot be undone is shown before it is saved.
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
    await page.getByRole('button', { name: 'Save 3 changes' }).press('Enter')
    await page.getByText('Chair: 3 changes saved.').waitFor()
    assert.deepEqual(
      (await productOf('Chair'))?.milestones.map(({ name }) => name),
      ['M2', '---', 'M3'],
    )
    await page.getByRole('button', { name: 'Delete…' }).press('Enter')
    await page.keyboard.type('Chair')
    await page.keyboard.press('Enter')
    await page.getByText('The product Chair is deleted.').waitFor()
    await page.locator('h1:focus').waitFor()
    assert.equal(await productOf('Chair'), undefined)
  })

  itInSoak('moves the bugs of a component, says what was refused, and then deletes it', async () => {
    const { ada } = at.world
    await ada.post('/rest/product', { name: 'Shelf', description: 'Holds', version: '1' })
    for (const name of ['Boards', 'Screws'])
      await ada.post('/rest/component', { product: 'Shelf', name, description: name, default_assignee: cast.ada.login })
    const ids: number[] = []
    for (let count = 0; count < 26; count++)
      ids.push(await fileBug(ada, { product: 'Shelf', component: 'Screws', version: '1' }))
    const { page } = await at.visit('/admin/products/Shelf', { as: 'ada' })
    const menu = page.getByRole('button', { name: 'Actions for Screws' })
    await menu.press('Enter')
    await page.getByRole('menuitem', { name: 'Move its bugs…' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Move the bugs of Screws' })
    await dialog.getByText('26 bugs, open and closed').waitFor()
    await expectAccessibleInSoak(page)
    // One of them is refused, and stops no other.
    await page.route('**/rest/bug/*', async (route) => {
      const isOne = route.request().method() === 'PUT' && route.request().postDataJSON().ids.includes(ids[3])
      if (!isOne) return route.continue()
      await route.fulfill({ status: 401, json: { error: true, code: 115, message: 'Not this one.', reason: 'x' } })
    })
    await dialog.getByRole('button', { name: 'Move them' }).press('Enter')
    await dialog.getByText('1 not moved: Not this one.').waitFor()
    await dialog.getByText('25 moved').waitFor()
    await dialog.getByRole('button', { name: 'Close', exact: true }).waitFor()
    await page.unrouteAll()
    await dialog.getByRole('button', { name: 'Move them' }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.locator(':focus').waitFor()
    const { body } = await ada.get('/rest/bug?product=Shelf&component=Boards&count_only=1')
    assert.equal(body.bug_count, 26)
    await menu.press('Enter')
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
    await page.getByRole('button', { name: 'Save 1 change' }).press('Enter')
    await page.getByText('Shelf: 1 change saved.').waitFor()
    assert.deepEqual(
      (await productOf('Shelf'))?.components.map(({ name }) => name),
      ['Boards'],
    )
  })

  itInSoak('is for members of editcomponents: others get no link, and the documented refusal', async () => {
    const { page } = await at.visit('/admin/products/TestProduct', { as: 'edna' })
    await page.getByText('This is for administrators').waitFor()
    assert.equal(await page.locator('.rail').count(), 0)
    const { body } = await at.world.edna.put('/rest/product/TestProduct', { description: 'Mine' })
    assert.equal(body.code, 304)
  })
}
