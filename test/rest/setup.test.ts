import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { endSetup, insertSetupCode } from '../../src/admin/setup/setup-store.ts'
import { NewInstallation, OWN_PAGE } from '../support/new-installation.ts'

for (const engine of ['sqlite', 'postgres'] as const)
  describe(`setting up (${engine})`, () => {
    const fresh = new NewInstallation(engine)
    before(() => fresh.open())
    after(() => fresh.close())
    const refusal = (reply: { status: number; body: { code: number; message: string } }) => {
      assert.deepEqual([reply.status, reply.body.code], [400, 53], reply.body.message)
      return reply.body.message
    }

    it('logs the administrator in with the code of the first start, once, of several at once', async () => {
      assert.match(fresh.code ?? '', /^\w{24}$/)
      assert.deepEqual((await fresh.asAdmin('GET', '/rest/admin/setup')).body, { is_open: true, done: [] })
      const all = await Promise.all([1, 2, 3, 4].map(() => fresh.useCode(fresh.code)))
      const [used, ...more] = all.filter(({ status }) => status === 201)
      assert.ok(used)
      assert.deepEqual(more, [])
      for (const reply of all) if (reply !== used) refusal(reply)
      const cookie = used.cookie.split(';')[0] ?? ''
      const me = await fresh.request('GET', '/rest/whoami', { ...OWN_PAGE, Cookie: cookie })
      assert.equal(me.body.id, 1)
      refusal(await fresh.useCode(fresh.code))
      assert.deepEqual((await fresh.asAdmin('GET', '/rest/admin/setup')).body, { is_open: true, done: [] })
    })

    it('remembers for administrators which steps are done, noted at the same moment, until it ends', async () => {
      await fresh.newCode()
      const note = (...done: string[]) => fresh.asAdmin('PUT', '/rest/admin/setup', { done })
      const wrong = await note('mail', 'constructor')
      assert.deepEqual([wrong.status, wrong.body.code], [400, 53])
      await Promise.all([note('mail'), note('administrator', 'mail'), note('product')])
      const state = { is_open: true, done: ['administrator', 'mail', 'product'] }
      assert.deepEqual((await fresh.asAdmin('GET', '/rest/admin/setup')).body, state)
      assert.deepEqual((await note()).body, state)
      const other = await fresh.request(
        'PUT',
        '/rest/admin/setup',
        { 'Content-Type': 'application/json' },
        { done: [] },
      )
      assert.deepEqual([other.status, other.body.code], [401, 410])
      // The code still works: steps are not part of it.
      assert.equal((await fresh.useCode(fresh.code)).status, 201)
      await Promise.all([fresh.asAdmin('DELETE', '/rest/admin/setup'), note('people'), note('joining')])
      const over = { is_open: false, done: [] }
      assert.deepEqual((await note('name')).body, over)
      await insertSetupCode(fresh.db, 'another')
      assert.deepEqual((await fresh.asAdmin('GET', '/rest/admin/setup')).body, { is_open: true, done: [] })
    })

    it('refuses the same whether there is a code or not, and locks out who guesses', async () => {
      await fresh.newCode()
      const right = fresh.code
      const wrong = refusal(await fresh.useCode('x'.repeat(24)))
      await endSetup(fresh.db)
      assert.equal(refusal(await fresh.useCode('x'.repeat(24))), wrong)
      assert.equal(refusal(await fresh.useCode(right)), wrong)
      assert.equal(refusal(await fresh.useCode(undefined)), wrong)
      assert.equal(refusal(await fresh.useCode('x'.repeat(10_000))), wrong)
      await insertSetupCode(fresh.db, right ?? '')
      const locked = await fresh.useCode(right)
      assert.deepEqual([locked.status, locked.body.code], [400, 32000])
    })

    it('takes the code from pages of this server only', async () => {
      await fresh.newCode()
      for (const headers of [{ 'Content-Type': 'application/json' }, { ...OWN_PAGE, 'Sec-Fetch-Site': 'cross-site' }])
        assert.deepEqual((await fresh.useCode(fresh.code, headers)).body.code, 304)
      assert.equal((await fresh.useCode(fresh.code)).status, 201)
    })

    it('ends with a week, a second factor, a new password, a bug, and the end of the set-up', async () => {
      const isDead = async () => refusal(await fresh.useCode(fresh.code))
      const { db } = fresh
      await fresh.newCode()
      const [stored] = await db.query((q) =>
        q.selectFrom('installation_secrets').select('value').where('name', '=', 'setup'),
      )
      const old = `${stored?.value.split(' ')[0]} 2020-01-01T00:00:00Z`
      await db.query((q) => q.updateTable('installation_secrets').set({ value: old }).where('name', '=', 'setup'))
      await isDead()
      await fresh.newCode()
      await db.query((q) => q.updateTable('users').set({ has_factor: 1 }))
      await isDead()
      await db.query((q) => q.updateTable('users').set({ has_factor: 0 }))
      const changed = await fresh.asAdmin('PUT', '/rest/user/1', { password: 'another long password' })
      assert.equal(changed.status, 200, changed.text)
      await isDead()
      await db.query((q) => q.deleteFrom('audit_log').where('field', '=', 'password'))
      await fresh.newCode()
      assert.equal((await fresh.useCode(fresh.code)).status, 201)
      const bug = {
        product: 'TestProduct',
        component: 'TestComponent',
        summary: 'x',
        version: 'unspecified',
        op_sys: 'All',
        platform: 'All',
      }
      assert.equal((await fresh.asAdmin('POST', '/rest/bug', bug)).status, 200)
      await fresh.newCode()
      await isDead()
      const other = await fresh.request('GET', '/rest/admin/setup', {})
      assert.deepEqual([other.status, other.body.code], [401, 410])
      assert.deepEqual((await fresh.asAdmin('DELETE', '/rest/admin/setup')).body, { was_open: true })
      assert.deepEqual((await fresh.asAdmin('DELETE', '/rest/admin/setup')).body, { was_open: false })
      assert.deepEqual((await fresh.asAdmin('GET', '/rest/admin/setup')).body, { is_open: false, done: [] })
      await isDead()
    })

    it('is done by LACEWING_SETUP, whole or not at all, and then or with LACEWING_ADMIN_… has no code, nor with a second account', async () => {
      const plan = {
        administrator: { login: 'bo@skylark.test', password: 'a long password', real_name: 'Bo' },
        parameters: { site_name: 'Skylark', requirelogin: true, smtp_url: 'smtps://u:geheim42@mail.test' },
        product: { name: 'Lamp', description: 'It shines', version: '1.0' },
        people: [{ login: 'ann@skylark.test', groups: ['editbugs'] }],
      }
      const made = await new NewInstallation(engine).open({ LACEWING_SETUP: JSON.stringify(plan) })
      assert.equal(made.code, undefined)
      const me = await made.asAdmin('GET', '/rest/whoami')
      assert.deepEqual([me.body.name, me.body.real_name], ['bo@skylark.test', 'Bo'])
      assert.deepEqual((await made.asAdmin('GET', '/rest/admin/setup')).body, { is_open: false, done: [] })
      const products = (await made.asAdmin('GET', '/rest/product?type=accessible')).body.products
      assert.deepEqual(
        products.map(({ name }: { name: string }) => name),
        ['Lamp'],
      )
      const { parameters } = (await made.asAdmin('GET', '/rest/parameters')).body
      assert.deepEqual([parameters.site_name, parameters.smtp_url], ['Skylark', 'smtps://********@mail.test'])
      const jobs = await made.db.query((q) => q.selectFrom('jobs').select('payload'))
      assert.match(jobs.map(({ payload }) => payload).join(), /account_made/)
      await made.newCode()
      refusal(await made.useCode(made.code))
      await made.close()
      for (const [wrong, why] of [
        ['{', /must be a JSON object/],
        [JSON.stringify({ prodct: {} }), /wrong at \/prodct/],
        [JSON.stringify({ parameters: { whinedays: 'often' } }), /cannot be applied: .*whinedays/],
        [JSON.stringify({ people: [{ login: 'a@b.test', groups: ['none'] }] }), /group none/],
      ] as const) {
        const failed = new NewInstallation(engine)
        await assert.rejects(failed.open({ LACEWING_SETUP: wrong }), why)
        assert.deepEqual(await failed.db.query((q) => q.selectFrom('users').select('id')), [])
        await failed.close()
      }
      const given = await new NewInstallation(engine).open({ LACEWING_ADMIN_API_KEY: 'a-key-that-was-given' })
      assert.equal(given.code, undefined)
      await given.close()
    })
  })
