import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectAccessibleInBothThemes, expectAccessibleInSoak } from '../../support/accessibility.ts'
import type { BrowserWorld } from '../../support/browser.ts'
import { fileBug } from '../../support/file-bug.ts'
import { itInSoak } from '../../support/sample.ts'

const HOSTILE = '<img src=x onerror=document.title=1>"\u202e'

export function peopleStories(at: BrowserWorld) {
  it('finds a person, gives and takes groups, ends keys, disables and anonymises', async () => {
    const { ada } = at.world
    const user = await at.world.newUser({
      email: 'found@lacewing.test',
      full_name: HOSTILE,
      password: 'battery staple',
    })
    await ada.put(`/rest/user/${user.id}`, { groups: { add: ['security'] } })
    const bug = await fileBug(user.client, { summary: HOSTILE })
    const { page } = await at.visit('/admin/people', { as: 'ada' })
    await page.getByRole('searchbox', { name: 'Name, address or number' }).fill('FOUND@')
    await page.getByText('1 of 1, last seen first.').waitFor()
    await page.getByRole('combobox', { name: 'Group' }).selectOption('security')
    await page.getByRole('link', { name: 'found@lacewing.test' }).click()
    const panel = page.getByRole('region', { name: HOSTILE })
    await panel.getByRole('link', { name: String(bug) }).waitFor()
    await panel.getByRole('link', { name: 'What they wrote' }).waitFor()
    assert.match(page.url(), new RegExp(`who=${user.id}`))
    await panel.getByRole('region', { name: 'Sessions and keys' }).getByText('API key').waitFor()
    await expectAccessibleInBothThemes(page)
    const groupsOf = async () => (await ada.get(`/rest/user/${user.id}`)).body.users[0].groups.map(({ name }) => name)
    await panel.getByRole('combobox', { name: 'Add to a group' }).selectOption('editbugs')
    await panel.getByRole('button', { name: 'Remove from editbugs' }).waitFor()
    await panel.getByRole('button', { name: 'Remove from security' }).click()
    await page.getByText('is no longer in security.').waitFor()
    assert.ok((await groupsOf()).includes('editbugs') && !(await groupsOf()).includes('security'))
    // Not the button that undoes what a key did.
    await page.getByRole('button', { name: /^Undo( Z)?$/ }).click()
    await panel.getByRole('button', { name: 'Remove from security' }).waitFor()
    await panel.getByRole('button', { name: 'End', exact: true }).click()
    await panel.getByText('Nothing acts for them.').waitFor()
    assert.equal((await user.client.get('/rest/whoami')).status, 400)
    await panel.getByRole('button', { name: 'Disable…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('You left in March.')
    await dialog.getByRole('button', { name: 'Disable the account' }).click()
    await panel.getByText('At log-in they read: You left in March.').waitFor()
    await panel.getByRole('button', { name: 'Anonymise…' }).click()
    await dialog.getByText('1 bug that they filed').waitFor()
    await expectAccessibleInSoak(page)
    const anonymise = dialog.getByRole('button', { name: 'Anonymise for good' })
    await dialog.getByRole('textbox').fill('found@lacewing')
    await anonymise.click({ force: true })
    assert.equal((await ada.get(`/rest/user/${user.id}`)).body.users[0].name, 'found@lacewing.test')
    await dialog.getByRole('textbox').fill('found@lacewing.test')
    await anonymise.click()
    await page.getByText('They are now').waitFor()
    assert.notEqual((await ada.get(`/rest/user/${user.id}`)).body.users[0].name, 'found@lacewing.test')
    assert.notEqual(await page.title(), '1')
  })

  itInSoak('invites several people, and keeps what could not be invited until it is corrected', async () => {
    const { ada } = at.world
    const { page } = await at.visit('/admin/people', { as: 'ada' })
    const team = at.world.unique('team')
    await ada.post('/rest/group', { name: team, description: `Lamps ${HOSTILE}`, user_regexp: '^cook@' })
    await page.reload()
    await page.getByRole('button', { name: 'Invite people' }).click()
    const form = page.getByRole('form', { name: 'Invite several people' })
    const addresses = form.getByLabel('Addresses of people to invite')
    await page.locator('textarea:focus').waitFor()
    await addresses.fill(`"Novak, Nina" <nina@lacewing.test>, STAN@lacewing.test\nmany@lacewing.test\n${HOSTILE}`)
    await form.getByText('Everybody whose address matches ^cook@ has it, with and without the tick.').waitFor()
    // Groups of the installation come before the rights of the tracker.
    await form
      .locator('fieldset')
      .first()
      .and(form.getByRole('group', { name: 'Groups' }))
      .getByLabel(team)
      .check()
    await form.getByRole('button', { name: 'Check the addresses' }).click()
    await form.getByText('2 people would be invited. 1 person has an account. 1 cannot be invited.').waitFor()
    assert.equal((await ada.get('/rest/admin/people?text=nina%40')).body.total, 0)
    // Who has an account can be put into the groups all the same.
    await form.getByText('stan@lacewing.test has an account already. Nobody with').waitFor()
    await form.getByRole('button', { name: `Add to canconfirm, editbugs, ${team}` }).click()
    await form.getByText(`stan@lacewing.test is in canconfirm, editbugs, ${team} now.`).waitFor()
    const stan = (await ada.get('/rest/user/stan@lacewing.test')).body.users[0]
    assert(stan.groups.some(({ name }: { name: string }) => name === team))
    await ada.put('/rest/user/stan@lacewing.test', { groups: { remove: ['canconfirm', 'editbugs', team] } })
    await expectAccessibleInBothThemes(page)
    await form.getByRole('button', { name: 'Invite 2 people' }).click()
    await form.getByText('2 people invited. 1 person has an account. 1 cannot be invited.').waitFor()
    assert.equal(await addresses.inputValue(), HOSTILE)
    assert.notEqual(await page.title(), '1')
    const { people } = (await ada.get('/rest/admin/people?text=nina%40')).body
    assert.deepEqual(
      people.map(({ real_name, groups }) => [
        real_name,
        ...['editbugs', team].map((group) => groups.some(({ name }) => name === group)),
      ]),
      [['Novak, Nina', true, true]],
    )
    // What could not be invited is first, is kept when the page is left, and can be corrected and sent alone, with keys.
    await page.reload()
    await form.getByRole('button', { name: 'Check the addresses' }).press('Enter')
    await form.getByText('Nobody would be invited. 1 cannot be invited.').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Tab')
    const entry = form.getByLabel('Entry 1, not an address').and(page.locator(':focus'))
    assert.equal(await entry.inputValue(), HOSTILE)
    await entry.fill('mended@lacewing.test')
    const corrected = form.getByLabel('Entry 1, corrected').and(page.locator(':focus'))
    assert.equal(await corrected.getAttribute('aria-invalid'), 'false')
    await page.keyboard.press('Enter')
    await form.getByRole('button', { name: 'Invite 1 person' }).press('Enter')
    await form.getByText('1 person invited.').and(page.locator(':focus')).waitFor()
    assert.equal(await addresses.inputValue(), '')
  })

  itInSoak(
    'moves with j and k, and refuses to anonymise the last administrator, with keys only and on a phone',
    async () => {
      const { page } = await at.visit('/admin/people?text=ada%40', { as: 'ada' })
      await page.setViewportSize({ width: 390, height: 844 })
      await page.getByRole('link', { name: 'ada@lacewing.test' }).waitFor()
      await page.keyboard.press('j')
      const panel = page.getByRole('region', { name: 'Administrator' })
      await panel.waitFor()
      assert.equal(await page.locator('.people-list').isVisible(), false)
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
      await panel.getByRole('button', { name: 'Anonymise…' }).focus()
      await page.keyboard.press('Enter')
      await page.keyboard.type('ada@lacewing.test')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').getByRole('alert').filter({ hasText: /\w/ }).waitFor()
      await page.keyboard.press('Escape')
      await panel.getByRole('button', { name: 'Close' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: 'ada@lacewing.test' }).waitFor()
      assert.equal((await at.world.ada.get('/rest/whoami')).status, 200)
    },
  )

  itInSoak('shows members of editusers no activity and no way to anonymise', async () => {
    const { id } = await at.world.newUser({ full_name: 'Weak Person' })
    const { page } = await at.visit(`/admin/people?who=${id}`, { as: 'uma' })
    const panel = page.getByRole('region', { name: 'Weak Person' })
    await panel.getByRole('button', { name: 'Disable…' }).waitFor()
    assert.equal(await panel.getByRole('region', { name: 'Lately' }).count(), 0)
    assert.equal(await panel.getByRole('button', { name: 'Anonymise…' }).count(), 0)
    await page.goto('/admin/people?who=1')
    await page.getByRole('region', { name: 'Sessions and keys' }).getByText('You are not allowed').waitFor()
  })
}
