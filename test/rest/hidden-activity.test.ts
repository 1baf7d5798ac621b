import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readAttachment } from '../support/attach.ts'
import { cast } from '../support/cast.ts'
import { readComments } from '../support/discussion.ts'
import { fileBug, readBug } from '../support/file-bug.ts'
import { flagsOf, newType } from '../support/flags.ts'
import { newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { itOnPostgres } from '../support/sample.ts'
import { sure } from '../support/sure.ts'
import { describeOnEachEngine, itOnOneEngine, type World } from '../support/world.ts'

const FILE = { data: 'aGVsbG8=', file_name: 'a.txt', summary: 'A file', content_type: 'text/plain' }

/** A user who filed two bugs, and wrote and attached to the bug of another. */
async function spammer(world: World) {
  const user = await world.newUser()
  const other = await fileBug(world.ada, { summary: 'Of another' })
  const own = [await fileBug(user.client, { summary: 'Buy' }), await fileBug(user.client, { summary: 'Buy more' })]
  await user.client.post(`/rest/bug/${other}/comment`, { comment: 'Buy here' })
  await user.client.post(`/rest/bug/${other}/attachment`, FILE)
  const path = `/rest/user/${user.id}/activity` as const
  return { ...user, other, own, path }
}

async function flagsOn(world: World, attachment: number) {
  return (await readAttachment(world.ada, attachment)).flags
}

/** A bug with an attachment of a new user. Both have flags of others, and their types exist only in the product. */
async function flaggedActivity(world: World) {
  const made = await world.newUser()
  const user = { ...made, path: `/rest/user/${made.id}/activity` as const }
  const [{ name: product }, bin, { name: third }] = [
    await newProduct(world),
    await newProduct(world),
    await newProduct(world),
  ]
  for (const name of [product, bin.name])
    await world.ada.put(`/rest/component/${name}/Core`, { default_cc: [cast.uma.login] })
  const inclusions = [product]
  const types = {
    bug: (await newType(world, { inclusions })).name,
    attachment: (await newType(world, { target_type: 'attachment' })).name,
  }
  const requestee = await world.newUser()
  const bug = await fileBug(user.client, { product, component: 'Core', version: '1.0', summary: 'Buy' })
  const attached = await user.client.post(`/rest/bug/${bug}/attachment`, FILE)
  const [attachment] = attached.body.ids as [number]
  const ask = (name: string, login: string) => ({ name, status: '?', requestee: login, new: true })
  const granted = (name: string) => ({ name, status: '+', new: true })
  const onBug = { flags: [ask(types.bug, cast.sven.login), granted(types.bug)], cc: { remove: [cast.uma.login] } }
  assert.equal((await world.edna.put(`/rest/bug/${bug}`, onBug)).status, 200)
  const onAttachment = { flags: [ask(types.attachment, requestee.login), granted(types.attachment)] }
  assert.equal((await world.edna.put(`/rest/bug/attachment/${attachment}`, onAttachment)).status, 200)
  await world.ada.put(`/rest/bug/${bug}`, { cc: { remove: [requestee.login] } })
  const where = { product: bin.name, component: 'Core', version: '1.0' }
  const hide = async (): Promise<number> => {
    const { status, body, text } = await world.ada.post(`${user.path}/hide`, where)
    assert.equal(status, 201, text)
    return body.id
  }
  const restore = async (id: number) => {
    const { status, body, text } = await world.ada.post(`${user.path}/restore`, { id })
    assert.equal(status, 201, text)
    return body
  }
  return { user, bug, attachment, product, third, types, requestee, hide, restore }
}

async function stateOf(world: World, { other, own }: { other: number; own: number[] }) {
  const comments = await readComments(world.ada, other)
  const [attachment] = sure((await world.ada.get(`/rest/bug/${other}/attachment`)).body.bugs[other])
  const products = []
  for (const id of own) products.push((await readBug(world.ada, id)).product)
  return { tags: comments.map((it) => it.tags), isObsolete: attachment.is_obsolete, products }
}

describeOnEachEngine('What a user wrote', (world) => {
  it('is listed, hidden in one step and restored', async () => {
    const user = await spammer(world)
    const bin = await newProduct(world)
    const activity = (await world.ada.get(user.path)).body
    assert.deepEqual(
      [activity.bugs.length, activity.comments.length, activity.attachments.length, activity.hidden.length],
      [2, 4, 1, 0],
    )
    const before = await stateOf(world, user)
    const where = { product: bin.name, component: 'Core', version: '1.0' }
    const { status, body } = await world.ada.post(`${user.path}/hide`, where)
    assert.deepEqual([status, body], [201, { id: body.id, bugs: 2, comments: 4, attachments: 1 }])
    assert.deepEqual(await stateOf(world, user), {
      tags: [[], ['spam'], ['spam']],
      isObsolete: true,
      products: [bin.name, bin.name],
    })
    const again = (await world.ada.post(`${user.path}/hide`, where)).body
    assert.deepEqual({ ...again, id: 0 }, { id: 0, bugs: 0, comments: 0, attachments: 0 })
    const replies = await Promise.all([1, 2].map(() => world.ada.post(`${user.path}/restore`, { id: body.id })))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 404])
    assert.deepEqual(await stateOf(world, user), before)
    const { hidden } = (await world.ada.get(user.path)).body
    assert.deepEqual(
      hidden.map(({ is_restored }: { is_restored: boolean }) => is_restored),
      [true, false],
    )
    const { audit } = (await world.ada.get(`/rest/audit?class=Tracker::User&id=${user.id}&limit=3`)).body
    assert.deepEqual([...new Set(audit.map(({ field }: { field: string }) => field))], ['hidden_activity'])
  })

  it('comes back with its groups and its milestone', async () => {
    const user = await world.newUser()
    const [{ name: product }, bin] = [await newProduct(world), await newProduct(world)]
    const { name: group } = await world.newGroup()
    await world.ada.put(`/rest/product/${product}/group_control/${group}`, { membercontrol: 'Shown' })
    await world.ada.post(`/rest/product/${product}/milestone`, { name: 'M1' })
    const bug = await fileBug(user.client, { product, component: 'Core', version: '1.0' })
    const restricted = { groups: { add: [group] }, target_milestone: 'M1' }
    assert.equal((await world.ada.put(`/rest/bug/${bug}`, restricted)).status, 200)
    const path = `/rest/user/${user.id}/activity` as const
    const { body } = await world.ada.post(`${path}/hide`, { product: bin.name, component: 'Core', version: '1.0' })
    assert.deepEqual((await readBug(world.ada, bug)).groups, [])
    assert.equal((await world.ada.post(`${path}/restore`, { id: body.id })).status, 201)
    const { groups, target_milestone, product: where } = await readBug(world.ada, bug)
    assert.deepEqual([groups, target_milestone, where], [[group], 'M1', product])
  })

  it('comes back with the requests and flags that hiding removed, with setter and requestee', async () => {
    const { user, bug, attachment, hide, restore } = await flaggedActivity(world)
    const before = { bug: await flagsOf(world, bug), attachment: await flagsOn(world, attachment) }
    assert.deepEqual([before.bug.length, before.attachment.length], [2, 2])
    const id = await hide()
    const [left] = await flagsOn(world, attachment)
    assert.deepEqual([left.status, (await flagsOf(world, bug)).length], ['+', 0], 'only the granted flag stays')
    assert.deepEqual(await restore(id), { id, bugs: 1, comments: 2, attachments: 1, is_enabled: false })
    const after = { bug: await flagsOf(world, bug), attachment: await flagsOn(world, attachment) }
    const times = ({ modification_date: _, ...flag }: { modification_date: string }) => flag
    assert.deepEqual(
      [after.bug.map(times), after.attachment.map(times)],
      [before.bug.map(times), before.attachment.map(times)],
    )
    const { history } = (await world.ada.get(`/rest/bug/${bug}/history`)).body.bugs[0]
    const lines = history.flatMap(({ changes, who }) => changes.map((it) => ({ ...it, who })))
    const last = lines.filter((it) => it.field_name === 'flagtypes.name').slice(-2)
    assert.ok(last.every((it) => it.who === cast.ada.login && it.removed === '' && it.added !== ''))
    assert.deepEqual((await readBug(world.ada, bug)).cc, [cast.sven.login], 'no default CC of either component')
    assert.equal((await world.ada.get(user.path)).body.hidden[0].is_restored, true)
  })

  itOnOneEngine(
    world,
    'comes back without a requestee who can no longer be asked, and into a product that was renamed',
    async () => {
      const { bug, attachment, product, requestee, hide, restore } = await flaggedActivity(world)
      const id = await hide()
      const name = world.unique('Renamed')
      assert.equal((await world.ada.put(`/rest/product/${product}`, { name })).status, 200)
      await world.ada.put(`/rest/user/${requestee.id}`, { login_denied_text: 'Left' })
      await restore(id)
      const asked = (await flagsOn(world, attachment)).find(({ status }) => status === '?')
      assert.deepEqual([asked?.setter, asked?.requestee], [cast.edna.login, undefined])
      assert.equal((await readBug(world.ada, bug)).product, name)
    },
  )

  itOnOneEngine(world, 'is left alone where it was changed or deleted since', async () => {
    const { user, bug, attachment, types, third, hide, restore } = await flaggedActivity(world)
    const deleted = await fileBug(user.client, { summary: 'Buy nothing' })
    const id = await hide()
    await world.ada.put(`/rest/bug/attachment/${attachment}`, { is_obsolete: false })
    const again = [{ name: types.attachment, status: '?', requestee: cast.edna.login, new: true }]
    assert.equal((await world.ada.put(`/rest/bug/attachment/${attachment}`, { flags: again })).status, 200)
    const flags = await flagsOn(world, attachment)
    await world.ada.put(`/rest/bug/${bug}`, { product: third, component: 'Core', version: '1.0' })
    const remove = () => world.ada.delete(`/rest/bug/${deleted}?reason=spam`)
    assert.equal((await world.withParameters({ allowbugdeletion: true }, remove)).status, 200)
    const comments = await readComments(world.ada, bug)
    await world.ada.put(`/rest/bug/comment/${comments[0].id}/tags`, { remove: ['spam'] })
    assert.deepEqual(await restore(id), { id, bugs: 0, comments: 1, attachments: 0, is_enabled: false })
    assert.deepEqual(await flagsOn(world, attachment), flags)
    assert.deepEqual([(await readBug(world.ada, bug)).product, await flagsOf(world, bug)], [third, []])
  })

  it('is hidden whole or not at all, and not before the days that are asked for', async () => {
    const user = await spammer(world)
    const before = await stateOf(world, user)
    assertRefused(await world.ada.post(`${user.path}/hide`, { product: 'NoSuchProduct' }), 401, 106)
    assert.deepEqual(await stateOf(world, user), before)
    await world.db.query((q) =>
      q
        .updateTable('comments')
        .set({ at: '2020-01-01T00:00:00Z' })
        .where('user_id', '=', user.id)
        .where('number', '=', 1),
    )
    assert.equal((await world.ada.post(`${user.path}/hide`)).body.comments, 3)
    assert.equal((await world.ada.post(`${user.path}/hide`, { days: 36_500 })).body.comments, 1)
  })

  it('says who hid and restored it, what is not hidden yet, and as much of each text as is asked for', async () => {
    const user = await spammer(world)
    await world.ada.post(`/rest/bug/${user.other}/comment`, { comment: 'Of another user' })
    const step = (await world.ada.post(`${user.path}/hide`)).body
    await user.client.post(`/rest/bug/${user.other}/comment`, { comment: '\u{1f41e}\u{1f41e}\u{1f41e}' })
    const all = (await world.ada.get(`${user.path}?text_length=2`)).body
    assert.deepEqual(all.comments.map(({ text, is_hidden }) => [text, is_hidden]).at(-1), ['\u{1f41e}\u{1f41e}', false])
    const { hidden, ...left } = (await world.ada.get(`${user.path}?unhidden=1&text_length=0`)).body
    assert.deepEqual([left.bugs.length, left.comments.length, left.attachments.length], [2, 1, 0])
    assert.deepEqual([hidden[0].who, hidden[0].restored_by, hidden[0].restored_at], [cast.ada.login, null, null])
    await world.ada.post(`${user.path}/restore`, { id: step.id })
    const [restored] = (await world.ada.get(user.path)).body.hidden
    assert.deepEqual([restored.restored_by, typeof restored.restored_at], [cast.ada.login, 'string'])
  })

  it('is hidden with the account in one step, all or nothing, and comes back with it', async () => {
    const user = await spammer(world)
    const denied = { login_denied_text: 'You sent spam.' }
    const account = async () => (await world.ada.get(`/rest/user/${user.id}`)).body.users[0].login_denied_text
    assertRefused(await world.ada.post(`${user.path}/hide`, { ...denied, product: 'NoSuchProduct' }), 401, 106)
    assertRefused(await world.ada.post(`${user.path}/hide`, { login_denied_text: ' ' }), 400, 53)
    assert.deepEqual([await account(), (await user.client.get('/rest/whoami')).status], ['', 200])
    const own = `/rest/user/${cast.ada.login}/activity/hide` as const
    assertRefused(await world.ada.post(own, { days: 0, ...denied }), 400, 53)
    const { body } = await world.ada.post(`${user.path}/hide`, denied)
    assert.deepEqual([body.comments, await account()], [4, 'You sent spam.'])
    assertRefused(await user.client.post(`/rest/bug/${user.other}/comment`, { comment: 'More' }), 401, 301)
    const restored = (await world.ada.post(`${user.path}/restore`, { id: body.id, enable: true })).body
    assert.deepEqual([restored.comments, restored.is_enabled, await account()], [4, true, ''])
    assert.equal((await user.client.post(`/rest/bug/${user.other}/comment`, { comment: 'Sorry' })).status, 201)
    const second = (await world.ada.post(`${user.path}/hide`, denied)).body
    assert.equal((await world.ada.post(`/rest/user/${user.id}/anonymise`)).status, 201)
    const text = await account()
    const late = (await world.ada.post(`${user.path}/restore`, { id: second.id, enable: true })).body
    assert.deepEqual([late.comments, late.is_enabled, await account()], [5, false, text], 'it stays disabled')
  })

  it('is hidden with what its user sends meanwhile, when the account is disabled', async () => {
    const user = await spammer(world)
    const send = (comment: string) => user.client.post(`/rest/bug/${user.other}/comment`, { comment })
    const sent = ['1', '2', '3', '4', '5', '6'].map(send)
    const hidden = world.ada.post(`${user.path}/hide`, { login_denied_text: 'You sent spam.' })
    const late = ['7', '8'].map(send)
    const statuses = (await Promise.all([...sent, ...late])).map(({ status }) => status)
    assert.equal((await hidden).status, 201)
    assert.ok(
      statuses.every((status) => [201, 401].includes(status)),
      statuses.join(),
    )
    assert.deepEqual((await world.ada.get(`${user.path}?unhidden=1`)).body.comments, [])
    assert.equal((await hidden).body.comments, 4 + statuses.filter((status) => status === 201).length)
  })

  itOnOneEngine(world, 'is hidden up to the limit, and the rest by the next step', async () => {
    const user = await world.newUser()
    const bug = await fileBug(world.ada)
    const at = '2026-01-01T00:00:00Z'
    const count = 1100
    const texts = Array.from({ length: count }, (_, number) => ({
      ...{ bug_id: bug, user_id: user.id, at, number: number + 1, text: `Buy ${number}` },
      ...{ is_private: 0 as const, kind: 0, work_hundredths: 0 },
    }))
    for (const part of [texts.slice(0, 550), texts.slice(550)])
      await world.db.query((q) => q.insertInto('comments').values(part))
    const path = `/rest/user/${user.id}/activity` as const
    const hide = async () => (await world.ada.post(`${path}/hide`, { days: 36_500 })).body.comments
    assert.deepEqual([await hide(), await hide(), await hide()], [1000, 100, 0])
  })

  itOnPostgres(world, 'is hidden once by two administrators at the same time', async () => {
    const user = await world.newUser()
    const bug = await fileBug(world.ada)
    for (const comment of ['Buy', 'Buy more']) await user.client.post(`/rest/bug/${bug}/comment`, { comment })
    const path = `/rest/user/${user.id}/activity` as const
    const steps = await Promise.all([1, 2, 3, 4].map(() => world.ada.post(`${path}/hide`)))
    assert.deepEqual(steps.map(({ body }) => body.comments).sort(), [0, 0, 0, 2])
  })

  it('is for members of admin', async () => {
    const { id, client } = await world.newUser()
    const path = `/rest/user/${id}/activity` as const
    for (const who of [world.stan, world.uma, client]) {
      assertRefused(await who.get(path), 401, 304)
      assertRefused(await who.post(`${path}/hide`), 401, 304)
      assertRefused(await who.post(`${path}/restore`, { id: 1 }), 401, 304)
    }
    assertRefused(await world.nobody.get(path), 401, 410)
    assertRefused(await world.ada.get('/rest/user/4711/activity'), 404, 51)
    assertRefused(await world.ada.get(`${path}?days=-1`), 400, 52)
    assertRefused(await world.ada.get(`${path}?text_length=-1`), 400, 52)
  })
})
