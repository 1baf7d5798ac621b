import assert from 'node:assert/strict'
import { after, afterEach, it } from 'node:test'
import { codeOf } from '../../src/people/factors/totp.ts'
import { expectAccessibleInBothThemes } from '../support/accessibility.ts'
import { describeInBrowser } from '../support/browser.ts'
import { CallbackServer } from '../support/callback-server.ts'
import { cast, PASSWORD } from '../support/cast.ts'
import { bearer, OAuthProgram } from '../support/oauth.ts'
import { hostileEffects, widerThanWindow } from '../support/page-looks.ts'
import { itInSoak } from '../support/sample.ts'
import { SdkProgram } from '../support/sdk-program.ts'

const callback = await new CallbackServer().open()
after(() => callback.close())

describeInBrowser('the page on which a program asks for access', (at) => {
  afterEach(() => at.leave())

  const register = (more: Record<string, unknown> = {}) =>
    OAuthProgram.register(at.world, { redirect_uris: [callback.address], ...more })
  const addressFor = (program: OAuthProgram, more: Record<string, string> = {}) =>
    `/oauth/authorize?${new URLSearchParams(program.request({ resource: `${at.world.url}/rest`, ...more }))}`

  it('comes after the log-in page, says who asks for what, and gives what is chosen, with keys only', async () => {
    const program = await register({ client_name: 'Notebook helper' })
    const { page } = await at.visit(addressFor(program, { state: 'a & b' }))
    await page.waitForURL(/\/login\?to=/)
    await page.getByText('Log in to answer a program').waitFor()
    await page.getByLabel('Login name').fill(cast.edna.login)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Give a program access?' }).waitFor()
    const text = (await page.locator('#main').textContent()) ?? ''
    for (const words of [
      '“Notebook helper”',
      cast.edna.login,
      new URL(callback.address).host,
      'program on this computer',
    ])
      assert.ok(text.includes(words), `${words} in ${text}`)
    assert.equal(await page.getByRole('radio', { name: /^Only read/ }).isChecked(), true, 'the safest is chosen')
    await expectAccessibleInBothThemes(page)
    await page.getByRole('radio', { name: /^Only read/ }).focus()
    await page.keyboard.press('ArrowDown')
    const proposing = page.getByRole('radio', { name: /^Read and propose/ })
    assert.equal(await proposing.isChecked(), true)
    assert.equal(await page.getByText('They can mislead a program').count(), 0)
    await page.keyboard.press('ArrowDown')
    await page.getByText('They can mislead a program').waitFor()
    const answered = callback.answer()
    const allow = page.getByRole('button', { name: 'Allow' })
    await page.locator('button:not([aria-disabled])', { hasText: 'Allow' }).waitFor()
    await allow.focus()
    await page.keyboard.press('Enter')
    const answer = await answered
    await page.waitForURL(/\/callback/)
    assert.deepEqual([answer.get('state'), answer.get('iss')], ['a & b', at.world.url])
    const { body } = await program.exchange(answer.get('code') ?? '')
    assert.equal(body.scope, 'read write')
    assert.equal((await bearer(at.world, body.access_token).get('/rest/whoami')).body.name, cast.edna.login)
  })

  itInSoak('takes a second factor on the log-in page, and tells the program of a refusal', async () => {
    const user = await at.world.newUser({ password: PASSWORD })
    const { body } = await at.world.nobody.get(
      `/rest/login?${new URLSearchParams({ login: user.login, password: PASSWORD })}`,
    )
    const session = at.world.as({ 'X-TRACKER-TOKEN': body.token })
    const { body: app } = await session.post('/rest/factor/totp')
    const now = () => Math.floor(Date.now() / 30_000)
    await session.post('/rest/factor/totp/confirm', { id: app.id, code: codeOf(app.secret, now()) })
    const program = await register()
    const { page } = await at.visit(addressFor(program), { isPhone: true, isDark: true })
    await page.getByLabel('Login name').fill(user.login)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByLabel('Code').fill(codeOf(app.secret, now() + 1))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Give a program access?' }).waitFor()
    assert.deepEqual(await widerThanWindow(page), [])
    const answered = callback.answer()
    await page.getByRole('button', { name: 'Refuse' }).click()
    assert.equal((await answered).get('error'), 'access_denied')
    await page.waitForURL(/\/callback/)
  })

  it('shows the name as text, and warns of one like that of the tracker', async () => {
    const program = await register({ client_name: '<img src=x onerror=alert(1)> \u202eLa\u200bcewing' })
    const { page } = await at.visit(addressFor(program), { as: 'edna' })
    await page.getByText('has a name like this tracker').waitFor()
    await page.getByText('<img src=x onerror=alert(1)>').waitFor()
    assert.equal(await page.locator('#main img').count(), 0)
    assert.deepEqual(await hostileEffects(page), [])
  })

  it('leads nowhere by itself if the request is wrong, and nowhere at all if the address is not known', async () => {
    const program = await register()
    const { page } = await at.visit(addressFor(program, { code_challenge_method: 'plain' }), { as: 'edna' })
    await page.getByText('PKCE is required').waitFor()
    const answered = callback.answer()
    await page.getByRole('button', { name: /^Go back to 127\.0\.0\.1/ }).click()
    assert.equal((await answered).get('error'), 'invalid_request')
    await page.waitForURL(/\/callback/)
    await page.goto(at.world.url + addressFor(program, { redirect_uri: 'https://evil.example/' }))
    await page.getByRole('alert').filter({ hasText: 'has not registered' }).waitFor()
    assert.equal(await page.getByRole('button', { name: /Allow|Go back/ }).count(), 0)
    assert.ok(!(await page.content()).includes('https://evil.example/"'))
    const { headers } = await at.world.nobody.get('/oauth/authorize')
    assert.equal(headers.get('x-frame-options'), 'DENY')
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  })

  it('gives nothing to a click that comes at once, and asks for the password after a while', async () => {
    const program = await register()
    const { page } = await at.visit(addressFor(program), { as: 'edna' })
    await at.world.db.query((q) => q.updateTable('login_tokens').set({ proven_at: '2020-01-01T00:00:00Z' }))
    const posts: string[] = []
    page.on('request', (request) => void (request.method() === 'POST' && posts.push(request.url())))
    await page.goto(at.world.url + addressFor(program))
    const allow = page.getByRole('button', { name: 'Allow' })
    await allow.waitFor()
    await allow.evaluate((it) => (it as unknown as { click(): void }).click())
    assert.deepEqual(posts, [])
    await page.locator('button:not([aria-disabled])', { hasText: 'Allow' }).waitFor()
    await allow.click()
    await page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor()
    const answered = callback.answer()
    await page.getByLabel('Your password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    assert.ok((await answered).get('code'))
    await page.waitForURL(/\/callback/)
  })

  itInSoak('leads the official client of MCP to a tool, and again when its access has run out', async () => {
    const program = new SdkProgram(`${at.world.url}/mcp`, callback.address)
    await assert.rejects(program.connect())
    const address = program.authorizationUrl
    assert.deepEqual(
      ['scope', 'resource', 'code_challenge_method'].map((name) => address?.searchParams.get(name)),
      ['read propose write', `${at.world.url}/mcp`, 'S256'],
    )
    const { page } = await at.visit(`${address?.pathname}${address?.search}`, { as: 'edna' })
    await page.getByText('“The official client”').waitFor()
    await page.locator('button:not([aria-disabled])', { hasText: 'Allow' }).waitFor()
    const answered = callback.answer()
    await page.getByRole('button', { name: 'Allow' }).click()
    const answer = await answered
    await page.waitForURL(/\/callback/)
    await program.finish(answer)
    const client = await program.connect()
    assert.equal((await client.listTools()).tools.length, 6, 'it may only read')
    const first = program.kept?.access_token
    await at.world.db.query((q) =>
      q.updateTable('api_keys').set({ expires_at: '2020-01-01T00:00:00Z' }).where('resource', '=', 'mcp'),
    )
    const { isError } = await client.callTool({ name: 'count_bugs', arguments: {} })
    assert.equal(isError, undefined)
    assert.notEqual(program.kept?.access_token, first, 'it has renewed its access by itself')
    await client.close()
  })
})
