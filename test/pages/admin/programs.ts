import assert from 'node:assert/strict'
import { expectAccessibleInBothThemes } from '../../support/accessibility.ts'
import type { BrowserWorld } from '../../support/browser.ts'
import { bearer, castInPages, OAuthProgram } from '../../support/oauth.ts'
import { hostileEffects } from '../../support/page-looks.ts'
import { itInSoak } from '../../support/sample.ts'

export function programsStories(at: BrowserWorld) {
  itInSoak('lists the programs that ask for access, ends one for all, and adds one', async () => {
    const { world } = at
    const program = await OAuthProgram.register(world, { client_name: '<b onclick=alert(1)>Curious</b>' })
    const { access_token } = await program.accessOf(await castInPages(world, 'edna'), { resource: `${world.url}/rest` })
    const { page } = await at.visit('/admin/programs', { as: 'ada' })
    const row = page.getByRole('list', { name: 'Programs' }).getByRole('listitem').filter({ hasText: 'Curious' })
    await row.getByText('One user has given it access').waitFor()
    assert.match((await row.textContent()) ?? '', /127\.0\.0\.1:33418.*Registered itself from 127\.0\.0\.1/)
    assert.deepEqual(await hostileEffects(page), [])
    await page.getByRole('button', { name: 'New program' }).press('Enter')
    const form = page.getByRole('form', { name: 'A new program' })
    await form.getByLabel('Name, as users see it').fill('Night watch')
    await form.getByLabel('Addresses for answers').fill('ftp://watch.example/')
    await form.getByLabel('How it proves').selectOption('client_secret_post')
    await page.keyboard.press('Tab')
    await form.getByRole('button', { name: 'Add the program' }).press('Enter')
    await form.getByRole('alert').filter({ hasText: 'must begin with https' }).waitFor()
    await form.getByLabel('Addresses for answers').fill('https://watch.example/callback\n\nhttps://watch.example/other')
    await expectAccessibleInBothThemes(page)
    await form.getByRole('button', { name: 'Add the program' }).press('Enter')
    const facts = page.getByRole('group', { name: 'To be entered in the program' })
    await facts.locator('code').nth(1).waitFor()
    const [client = '', secret = ''] = await facts.locator('code').allTextContents()
    assert.match(`${client} ${secret}`, /^\w{32} \w{48}$/)
    await facts.getByRole('button', { name: 'I have kept it' }).press('Enter')
    assert.ok(!(await page.content()).includes(secret))
    await page.getByRole('list', { name: 'Programs' }).getByText('Added by an administrator').waitFor()

    await row.getByRole('button', { name: /^End it/ }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'End it' }).press('Enter')
    await row.waitFor({ state: 'detached' })
    assert.equal((await bearer(world, access_token).get('/rest/whoami')).body.code, 306)
  })

  itInSoak('are among what acts for a person, who ends one', async () => {
    const { world } = at
    const program = await OAuthProgram.register(world, { client_name: 'Notebook helper' })
    const { access_token } = await program.accessOf(await castInPages(world, 'edna'), { resource: `${world.url}/rest` })
    const { page } = await at.visit('/settings/access', { as: 'edna' })
    const row = page.getByRole('listitem').filter({ hasText: 'Notebook helper' })
    await row.getByText('may read what you may see, file and change bugs').waitFor()
    await row.getByRole('button', { name: /^End it/ }).click()
    await page.getByRole('dialog', { name: 'End this: Program?' }).getByRole('button', { name: 'End it' }).click()
    await row.waitFor({ state: 'detached' })
    assert.equal((await bearer(world, access_token).get('/rest/whoami')).body.code, 306)
    const { page: keys } = await at.visit('/settings/keys', { as: 'edna' })
    await keys.getByRole('link', { name: 'What acts for me' }).first().waitFor()
    assert.equal(await keys.getByText('Notebook helper').count(), 0)
  })
}
