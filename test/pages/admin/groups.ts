import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Page } from 'playwright-core'
import { expectAccessible, expectAccessibleInBothThemes } from '../../support/accessibility.ts'
import { type BrowserWorld, follow } from '../../support/browser.ts'
import { itInSoak } from '../../support/sample.ts'

export function groupsStories(at: BrowserWorld) {
  itInSoak('offers a new group to share with at once', async () => {
    const { ada } = at.world
    const { id } = (await ada.post('/rest/dashboard', { name: at.world.unique('Board') })).body
    const { page } = await at.visit('/admin/groups', { as: 'ada' })
    const name = at.world.unique('makers')
    await page.getByRole('button', { name: 'New group' }).click()
    await page.getByLabel('Name').fill(name)
    await page.getByLabel('Description').fill('Who makes lamps')
    await page.getByRole('button', { name: 'Create the group' }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await follow(page, `/dashboard/${id}`)
    await page.getByRole('button', { name: 'Wall, copy, share, delete' }).click()
    await page.getByRole('menuitem', { name: 'Name and sharing' }).click()
    await page.getByLabel(name, { exact: true }).check()
  })

  it('shows who is in a group and why, what it opens, and refuses circles with their path', async () => {
    const { ada } = at.world
    for (const name of ['firmware', 'firmware-leads', 'staff'])
      await ada.post('/rest/group', { name, description: name })
    await ada.put('/rest/group/staff', { member_groups: { add: ['firmware'] } })
    await ada.put('/rest/user/edna@lacewing.test', { groups: { add: ['firmware-leads'] } })
    await ada.put('/rest/product/TestProduct/group_control/staff', { canconfirm: true })
    await ada.put('/rest/product/TestProduct/group_control/firmware', { membercontrol: 'Shown', editbugs: true })
    const { page } = await at.visit('/admin/groups', { as: 'ada' })
    await page.getByRole('searchbox', { name: 'Find a group' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('firmware')
    await page.getByText('2 found').waitFor({ state: 'attached' })
    // Bugzilla's groups that open nothing here say so.
    await page.getByRole('searchbox', { name: 'Find a group' }).fill('bz_quip_moderators')
    await page.getByRole('row', { name: /It opens nothing here: there are no quips\./ }).waitFor()
    await page.getByRole('searchbox', { name: 'Find a group' }).fill('firmware')
    await page.getByText('2 found').waitFor({ state: 'attached' })
    assert.equal(await page.locator('.admin-table tbody tr').count(), 2)
    await page
      .getByRole('row', { name: /^firmware-leads/ })
      .getByText('1 direct, 1 inherited')
      .waitFor()
    // A link to a Bugzilla has the number.
    const { id } = (await ada.get('/rest/group/firmware')).body.groups[0]
    await page.goto(`/editgroups.cgi?action=changeform&group=${id}`)
    await page.getByText('No other group is part of firmware, and it is part of staff.').waitFor()
    const opens = page.getByRole('region', { name: 'What it opens' })
    await opens
      .getByText(
        'TestProduct: New bugs of members are restricted to firmware only if they choose it, those of others never; members edit every field of bugs.',
      )
      .waitFor()
    await opens
      .getByRole('region', { name: 'Through staff' })
      .getByText('TestProduct: No bug is restricted to staff; members confirm bugs.')
      .waitFor()
    const add = page.getByRole('button', { name: 'Add a group whose members belong here too' })
    await add.click()
    await page.keyboard.type('staff')
    await page.keyboard.press('Enter')
    await page
      .getByText('That would be a circle: firmware is part of staff, so staff cannot be part of firmware.')
      .waitFor()
    await add.click()
    await page.keyboard.type('firmware-l')
    await page.keyboard.press('Enter')
    await page.getByLabel('Login names that belong to it').fill('^(sven|rhea)@')
    await page
      .getByText('Would join: sven@lacewing.test, rhea@lacewing.test')
      .or(page.getByText('Would join: rhea@lacewing.test, sven@lacewing.test'))
      .waitFor()
    await page.getByRole('button', { name: 'Preview what happens' }).click()
    const dialog = page.getByRole('dialog', { name: 'What happens' })
    await dialog.getByText('firmware has 4 members instead of 1.').waitFor()
    await dialog.getByRole('button', { name: 'Save 2 changes' }).click()
    await page.getByText('firmware: 2 changes saved.').waitFor()
    const members = page.getByRole('region', { name: 'Members' })
    await members.getByRole('row', { name: /edna@/ }).getByText('inherited through firmware-leads').waitFor()
    await members.getByRole('row', { name: /sven@/ }).getByText('by pattern').waitFor()
    await members.getByRole('button', { name: 'Inherited 2' }).click()
    await members.getByRole('row', { name: /sven@/ }).waitFor({ state: 'detached' })
    assert.equal(await members.getByRole('row', { name: /@/ }).count(), 2)
    await expectAccessibleInBothThemes(page)
  })

  itInSoak(
    'adds and removes people at once with undo, asks before everybody joins, and deletes, with keys on a phone',
    async () => {
      const { ada } = at.world
      await ada.post('/rest/group', { name: 'partners', description: 'Resellers' })
      const counted: string[] = []
      const prepare = async (it: Page) => void it.on('request', (request) => counted.push(request.url()))
      const { page } = await at.visit('/admin/groups/partners', { as: 'ada', isPhone: true, prepare })
      await page.getByText('Nothing yet: add it to a product, or restrict a bug to it.').waitFor()
      await page.getByRole('button', { name: 'Add a person' }).press('Enter')
      await page.keyboard.type('stan@lacewing.test')
      const members = page.getByRole('region', { name: 'Members' })
      await page.getByRole('option', { name: /stan/i }).waitFor()
      await page.keyboard.press('Enter')
      await members.getByRole('row', { name: /stan@/ }).getByText('direct').waitFor()
      await members.getByRole('button', { name: 'Remove stan@lacewing.test' }).press('Enter')
      await page.getByText('stan@lacewing.test was taken out of partners.').waitFor()
      assert.equal(await members.getByRole('row', { name: /stan@/ }).count(), 0)
      await page.getByLabel('Login names that belong to it').fill('.')
      await page.getByText('Everybody with an account becomes a member.').waitFor()
      // An empty pattern matches nobody, so there is nothing to ask the server, which would refuse it.
      assert.deepEqual(
        counted.filter((it) => it.includes('/matching')).map((it) => new URL(it).searchParams.get('user_regexp')),
        ['.'],
      )
      await page.emulateMedia({ colorScheme: 'dark' })
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
      await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
      await page
        .getByRole('dialog', { name: 'What happens' })
        .getByText(/partners has \d+ members instead of 1/)
        .waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Discard' }).press('Enter')
      await page.getByRole('button', { name: 'Delete…' }).press('Enter')
      await page.keyboard.type('partners')
      await page.keyboard.press('Enter')
      await page.getByText('The group partners is deleted.').waitFor()
      assert.equal((await ada.get('/rest/group/partners')).status, 404)
      const { page: other } = await at.visit('/admin/groups/admin', { as: 'pam' })
      await other.getByText('This is for administrators').waitFor()
    },
  )

  itInSoak(
    'shows what another administrator saved meanwhile, and loses nothing when the group was renamed',
    async () => {
      const { ada } = at.world
      for (const name of ['crew', 'cooks', 'pilots']) await ada.post('/rest/group', { name, description: name })
      const { page } = await at.visit('/admin/groups/crew', { as: 'ada', isPhone: true })
      const description = page.getByLabel('Description', { exact: true })
      await description.fill('Mine')
      await page.getByRole('button', { name: 'Add a group whose members belong here too' }).press('Enter')
      await page.keyboard.type('cooks')
      await page.keyboard.press('Enter')
      await page.getByText('2 changes not saved').waitFor()
      assert.equal(
        await page.evaluate('document.activeElement.textContent'),
        'Add a group whose members belong here too',
      )
      await ada.put('/rest/group/crew', { description: 'Theirs', member_groups: { add: ['pilots'] } })
      const save = page.getByRole('button', { name: 'Save', exact: true })
      await save.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Saved by somebody else meanwhile' })
      await dialog.getByText('Theirs', { exact: true }).last().waitFor()
      await dialog.getByText('pilots', { exact: true }).waitFor()
      await expectAccessible(page)
      const crew = async () => (await ada.get('/rest/group/crew')).body.groups[0]
      assert.equal((await crew()).description, 'Theirs', 'nothing is overwritten unseen')
      await dialog.getByRole('group', { name: 'groups whose members belong here' }).getByLabel('Theirs').press('Space')
      await dialog.getByRole('button', { name: 'Take these values' }).press('Enter')
      await save.press('Enter')
      await page.getByText('crew: 1 change saved.').waitFor()
      assert.equal((await crew()).description, 'Mine')
      const { member_groups } = (await ada.get('/rest/group/crew/uses')).body
      assert.deepEqual(member_groups.map((it) => it.name).sort(), ['admin', 'pilots'])
      await description.fill('Typed')
      await ada.put('/rest/group/crew', { name: 'staff of the ship' })
      await save.press('Enter')
      await page.getByRole('alert').filter({ hasText: 'Another administrator has changed it meanwhile' }).waitFor()
      assert.equal(await description.inputValue(), 'Typed')
      assert.equal((await ada.get('/rest/group/staff of the ship')).body.groups[0].description, 'Mine')
      await page.getByRole('button', { name: 'Discard' }).press('Enter')
    },
  )
}
