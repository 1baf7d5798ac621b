import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, it } from 'node:test'
import PostalMime, { type Email } from 'postal-mime'
import { startDelivering } from '../../src/outbound/delivery/deliver.ts'
import { receiversIn } from '../../src/outbound/receivers/receivers.ts'
import { runSchedules } from '../../src/outbound/scheduled/run-schedules.ts'
import { cast } from '../support/cast.ts'
import { fileBug } from '../support/file-bug.ts'
import { beforeCommit, changedMeanwhile } from '../support/interleave.ts'
import { assertRefused } from '../support/refusal.ts'
import { until } from '../support/until.ts'
import { type Client, describeOnEachEngine, describeWithDelivery, itOnOneEngine, type World } from '../support/world.ts'

const PATH = '/rest/scheduled_mail'
const DAILY = [{ day: 'All', time: '8' }]

async function savedSearch(who: Client, name: string, query: string) {
  const { status, text, body } = await who.post('/rest/saved_search', { name, query })
  assert.equal(status, 201, text)
  return body.id as number
}

/** A user who may schedule mail for themselves, or also for others. */
async function scheduler(world: World, group = 'bz_canusewhines') {
  const owner = await world.newUser()
  await world.ada.put(`/rest/user/${owner.id}`, { groups: { add: [group] } })
  return owner
}

/** The messages to a user since then. */
async function mailsTo(world: World, login: string, subject: RegExp): Promise<Email[]> {
  const files = globSync(join(world.dataFolder, 'mail/*/scheduled-*.eml'))
  const mails = await Promise.all(files.map((file) => PostalMime.parse(readFileSync(file))))
  return mails.filter((mail) => mail.to?.[0]?.address === login && subject.test(mail.subject ?? ''))
}

/** Makes all scheduled mail due. */
function letTimeCome(world: World) {
  return world.db.query((q) => q.updateTable('scheduled_mail_times').set({ next_at: '2020-01-01T00:00:00Z' }))
}

/** With delivery that checks often which mail is due. */
function describeWithSchedules(title: string, tests: (world: World) => void) {
  describeWithDelivery(title, tests, {}, (context) => {
    const delivery = startDelivering(context.db, context.log, receiversIn(context))
    const scheduling = runSchedules(context, { batchMilliseconds: 50, idleMilliseconds: 200 })
    return {
      async end() {
        await scheduling.end()
        await delivery.end()
      },
    }
  })
}

describeOnEachEngine('A group or a saved search that is deleted while mail is scheduled', (world) => {
  const scheduled = async () => {
    const { name: group } = await world.newGroup()
    const { id, client } = await scheduler(world, 'bz_canusewhineatothers')
    await world.ada.put(`/rest/user/${id}`, { groups: { add: [group, 'bz_canusewhines', 'editbugs'] } })
    const search = await savedSearch(client, 'Mine', 'product=TestProduct')
    const mail = { subject: 'Open', searches: [{ search }], schedules: [{ ...DAILY[0], group }] }
    return {
      schedule: () => client.post(PATH, mail),
      share: () => client.post('/rest/saved_search', { name: 'Shared', query: 'priority=High', shared_with: group }),
      dropGroup: async () => {
        await world.ada.put(`/rest/user/${id}`, { groups: { remove: [group] } })
        return world.ada.delete(`/rest/group/${group}`)
      },
      dropSearch: () => client.delete(`/rest/saved_search/${search}`),
    }
  }

  itOnOneEngine(world, 'is deleted before or after the mail is scheduled, never in between', async () => {
    const { schedule, dropGroup } = await scheduled()
    const [one, gone] = await beforeCommit(world, 'scheduled_mails', schedule, dropGroup)
    assert.ok(one.status < 500, one.text)
    assert.equal(gone.status, 200, gone.text)
    const { schedule: again, dropSearch } = await scheduled()
    const [made, dropped] = await beforeCommit(world, 'scheduled_mails', again, dropSearch)
    if (made.status === 201) return assertRefused(dropped, 400, 32000)
    assertRefused(made, 404, 51)
    assert.equal(dropped.status, 200, dropped.text)
  })

  itOnOneEngine(world, 'is refused when it was deleted after the request began', async () => {
    const { schedule, share, dropGroup } = await scheduled()
    const late = await changedMeanwhile(world, schedule, dropGroup, 'accounts')
    assert.deepEqual(
      [late.status, late.body.code],
      [(await schedule()).status, (await schedule()).body.code],
      late.text,
    )
    assert.deepEqual([late.status, late.body.code], [(await share()).status, (await share()).body.code])
    const other = await scheduled()
    const shared = await changedMeanwhile(world, other.share, other.dropGroup, 'accounts')
    assert.deepEqual([shared.status, shared.body.code], [late.status, late.body.code], shared.text)
  })
})

describeOnEachEngine('Scheduled mail', (world) => {
  itOnOneEngine(world, 'is made, read, changed and deleted by its owner', async () => {
    const { client, login, id: userId } = await scheduler(world)
    await savedSearch(client, 'Mine', 'assigned_to=%user%')
    const other = await savedSearch(client, 'Other', 'product=TestProduct')
    const made = await client.post(PATH, {
      subject: 'What is open',
      body: 'Look at these.',
      searches: [{ search: 'mine' }, { search: other, title: 'The others', one_mail_per_bug: true }],
      schedules: [
        { day: 'MF', time: '8' },
        { time: '15min', user: login },
      ],
    })
    assert.equal(made.status, 201, made.text)
    const path = `${PATH}/${made.body.id}` as const
    const [mail] = (await client.get(path)).body.scheduled_mails
    const { schedules, ...rest } = mail
    assert.deepEqual(rest, {
      id: made.body.id,
      owner: login,
      subject: 'What is open',
      body: 'Look at these.',
      mail_if_no_bugs: false,
      searches: [
        { search: 'Mine', title: 'Mine', one_mail_per_bug: false },
        { search: 'Other', title: 'The others', one_mail_per_bug: true },
      ],
    })
    assert.deepEqual(
      schedules.map(({ day, time, user }) => [day, time, user]),
      [
        ['MF', '8', login],
        ['All', '15min', login],
      ],
    )
    for (const { next_time } of schedules) assert.ok(Date.parse(next_time) > Date.now())
    assert.deepEqual((await client.get(PATH)).body.scheduled_mails, [mail])
    const changed = await client.put(path, { subject: 'Still open', mail_if_no_bugs: true })
    assert.deepEqual(changed.body.scheduled_mails[0].subject, 'Still open')
    assert.equal(changed.body.scheduled_mails[0].searches.length, 2)
    assertRefused(await client.delete(`/rest/saved_search/${other}`), 400, 32000)
    for (const who of [world.stan, world.ada]) assertRefused(await who.get(path), 404, 51)
    assertRefused(await world.nobody.get(path), 401, 410)
    assert.deepEqual((await client.delete(path)).body, { id: made.body.id, name: 'Still open' })
    assertRefused(await client.get(path), 404, 51)
    assert.equal((await client.delete(`/rest/saved_search/${other}`)).status, 200)
    assert.ok(userId > 0)
  })

  itOnOneEngine(world, 'needs the right to schedule, and the right to send to others for other receivers', async () => {
    const owner = await scheduler(world)
    await savedSearch(owner.client, 'Mine', 'assigned_to=%user%')
    const right = { subject: 'S', searches: [{ search: 'Mine' }], schedules: DAILY }
    await savedSearch(world.stan, 'Mine', 'assigned_to=%user%')
    assertRefused(await world.stan.post(PATH, right), 401, 304)
    assertRefused(await world.nobody.post(PATH, right), 401, 410)
    const to = (receiver: object) => ({ ...right, schedules: [{ ...DAILY[0], ...receiver }] })
    assertRefused(await owner.client.post(PATH, to({ user: cast.edna.login })), 401, 304)
    assertRefused(await owner.client.post(PATH, to({ group: 'bz_canusewhines' })), 401, 304)
    const mighty = await scheduler(world, 'bz_canusewhineatothers')
    await savedSearch(mighty.client, 'Mine', 'assigned_to=%user%')
    assert.equal((await mighty.client.post(PATH, to({ user: cast.edna.login }))).status, 201)
    assert.equal((await mighty.client.post(PATH, to({ group: 'bz_canusewhines' }))).status, 201)
    assertRefused(await mighty.client.post(PATH, to({ group: 'security' })), 400, 804)
    assertRefused(await mighty.client.post(PATH, to({ user: 'noone@lacewing.test' })), 404, 51)
    // Edna has no such search, and cannot use that of another user.
    assertRefused(await world.edna.post(PATH, right), 404, 51)
  })

  itOnOneEngine(world, 'refuses missing and invalid parameters', async () => {
    const { client } = await scheduler(world)
    await savedSearch(client, 'Mine', 'assigned_to=%user%')
    const right = { subject: 'S', searches: [{ search: 'Mine' }], schedules: DAILY }
    for (const [wrong, code] of [
      [{ subject: '' }, 50],
      [{ subject: 'Two\nBcc: lines' }, 53],
      [{ searches: [] }, 50],
      [{ schedules: [] }, 50],
      [{ searches: 'Mine' }, 53],
      [{ searches: [7] }, 53],
      [{ searches: [{ search: 'Mine', title: 'Two\nlines' }] }, 53],
      [{ schedules: [{ day: 'Someday', time: '8' }] }, 53],
      [{ schedules: [{ day: 'All', time: '25' }] }, 53],
      [{ schedules: [{ day: 'All' }] }, 53],
    ] as const)
      assertRefused(await client.post(PATH, { ...right, ...wrong }), 400, code)
    assert.deepEqual((await client.get(PATH)).body.scheduled_mails, [])
  })
})

describeWithSchedules('A scheduled mail whose time has come', (world) => {
  before(() => world.ada.put('/rest/product/TestProduct/group_control/security', { membercontrol: 'Shown' }))

  it('contains once what each receiver may see, and only scheduled searches', async () => {
    const word = world.unique('zebra')
    const hidden = await fileBug(world.sven, { summary: `Hidden ${word}`, groups: ['security'] })
    const open = await fileBug(world.edna, { summary: `Open ${word} <b>&` })
    const { client } = await scheduler(world, 'bz_canusewhineatothers')
    await savedSearch(client, 'Zebras', `summary=${word}`)
    await savedSearch(client, 'Nothing', 'summary=nosuchwordanywhere')
    await savedSearch(client, 'Broken', 'f1=nosuchfield&o1=equals&v1=x')
    const mail = async (subject: string, more: object) =>
      assert.equal(
        (await client.post(PATH, { subject, schedules: DAILY, searches: [{ search: 'Zebras' }], ...more })).status,
        201,
      )
    const to = (...receivers: string[]) => receivers.map((user) => ({ ...DAILY[0], user }))
    await mail(`Lists ${word}`, {
      body: 'Look at\nthese.',
      searches: [{ search: 'Zebras', title: 'All zebras' }, { search: 'Broken' }, { search: 'Nothing' }],
      schedules: to(cast.sven.login, cast.stan.login),
    })
    await mail(`Single ${word}`, {
      searches: [{ search: 'Zebras', one_mail_per_bug: true }],
      schedules: to(cast.sven.login),
    })
    await mail(`Empty ${word}`, {
      searches: [{ search: 'Nothing' }],
      schedules: to(cast.stan.login),
      mail_if_no_bugs: true,
    })
    await mail(`Never ${word}`, { searches: [{ search: 'Nothing' }], schedules: to(cast.stan.login) })
    await letTimeCome(world)
    const about = new RegExp(word)
    const sven = await until(async () => {
      const mails = await mailsTo(world, cast.sven.login, about)
      return mails.length === 3 && mails
    })
    const stan = await until(async () => {
      const mails = await mailsTo(world, cast.stan.login, about)
      return mails.length === 2 && mails
    })
    const lists = (mails: Email[]) => mails.find(({ subject }) => subject === `Lists ${word}`)
    for (const [mails, ids] of [
      [sven, [hidden, open]],
      [stan, [open]],
    ] as const) {
      const text = lists([...mails])?.text ?? ''
      assert.deepEqual(
        [...text.matchAll(/^Bug (\d+):/gm)].map(([, id]) => Number(id)),
        ids,
      )
      assert.ok(text.includes('Look at') && text.includes('All zebras') && !text.includes('Nothing'))
    }
    assert.ok(lists(stan)?.html?.includes('&#60;b&#62;&#38;'))
    assert.deepEqual(
      sven.map(({ subject }) => subject).sort(),
      [`Lists ${word}`, `Single ${word} (bug ${hidden})`, `Single ${word} (bug ${open})`].sort(),
    )
    const empty = stan.find(({ subject }) => subject === `Empty ${word}`)
    assert.match(empty?.text ?? '', /No bugs were found/)
    const headers = new Map(lists(stan)?.headers.map(({ key, value }) => [key, value]))
    assert.deepEqual([headers.get('x-tracker-type'), headers.get('auto-submitted')], ['whine', 'auto-generated'])
    const rows = await world.db.query((q) => q.selectFrom('scheduled_mail_times').select('next_at'))
    assert.ok(rows.every(({ next_at }) => Date.parse(next_at) > Date.now()))
  })

  it('is sent even if another schedule has a day that never comes', async () => {
    const word = world.unique('giraffe')
    await fileBug(world.edna, { summary: word })
    const { client } = await scheduler(world)
    await savedSearch(client, 'Giraffes', `summary=${word}`)
    const owner = (await client.get('/rest/whoami')).body.name
    for (const subject of [`Wrong ${word}`, `Right ${word}`])
      await client.post(PATH, { subject, schedules: DAILY, searches: [{ search: 'Giraffes' }] })
    const wrong = (await client.get(PATH)).body.scheduled_mails.find(({ subject }) => /Wrong/.test(subject))
    await world.db.query((q) =>
      q.updateTable('scheduled_mail_times').set({ day: 'Never' }).where('mail_id', '=', wrong.id),
    )
    await letTimeCome(world)
    await until(async () => (await mailsTo(world, owner, new RegExp(`Right ${word}`))).length > 0)
    await client.delete(`${PATH}/${wrong.id}`)
  })

  it('is sent to all members of a group, except users without mail, and not from owners who lost the right', async () => {
    const word = world.unique('lion')
    await fileBug(world.edna, { summary: word })
    const group = await world.newGroup()
    const [one, two, silent] = [
      await world.newUser(),
      await world.newUser(),
      await world.newUser({ email_enabled: false }),
    ]
    await world.ada.put(`/rest/user/${silent.id}`, { email_enabled: false })
    const owner = await scheduler(world, 'bz_canusewhineatothers')
    for (const { id } of [one, two, silent, owner])
      await world.ada.put(`/rest/user/${id}`, { groups: { add: [group.name] } })
    const late = await scheduler(world, 'bz_canusewhines')
    for (const [{ client }, schedules] of [
      [owner, [{ ...DAILY[0], group: group.name }]],
      [late, DAILY],
    ] as const) {
      await savedSearch(client, 'Lions', `summary=${word}`)
      const made = await client.post(PATH, { subject: word, searches: [{ search: 'Lions' }], schedules })
      assert.equal(made.status, 201, made.text)
    }
    await world.ada.put(`/rest/user/${late.id}`, { groups: { remove: ['bz_canusewhines'] } })
    await letTimeCome(world)
    for (const { login } of [one, two, owner])
      await until(async () => (await mailsTo(world, login, new RegExp(word))).length === 1)
    await until(
      async () =>
        (await world.db.query((q) => q.selectFrom('jobs').select('id').where('queue', '=', 'scheduled mail')))
          .length === 0,
    )
    for (const { login } of [silent, late]) assert.deepEqual(await mailsTo(world, login, new RegExp(word)), [])
  })
})

describeWithSchedules('The reminder of untouched bugs', (world) => {
  it('reminds assignees once a day of unchanged confirmed bugs that they can see', async () => {
    const owner = await world.newUser()
    const age = (id: number, days: number) =>
      world.db.query((q) =>
        q
          .updateTable('bugs')
          .set({ changed_at: `${new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 19)}Z` })
          .where('id', '=', id),
      )
    const file = (more: object) => fileBug(world.edna, { assigned_to: owner.login, status: 'CONFIRMED', ...more })
    const [old, fresh, begun] = [await file({}), await file({}), await file({ status: 'IN_PROGRESS' })]
    await age(old, 8)
    await age(fresh, 6)
    await age(begun, 8)
    await world.db.query((q) => q.deleteFrom('chores').where('name', '=', 'reminders'))
    const [mail] = await until(async () => {
      const mails = await mailsTo(world, owner.login, /not changed for 7 days/)
      return mails.length > 0 && mails
    })
    assert.deepEqual(
      [...(mail?.text ?? '').matchAll(/^Bug (\d+):/gm)].map(([, id]) => Number(id)),
      [old],
    )
  })
})

const DAY = 86_400_000

function daysAgo(days: number) {
  return `${new Date(Date.now() - days * DAY).toISOString().slice(0, 19)}Z`
}

describeWithSchedules('The daily mail about requests', (world) => {
  /** A request to the user that was made so many days ago. */
  const asked = async (login: string, days: number, more: object = {}) => {
    const bug = await fileBug(world.edna, { ...more, flags: [{ name: 'question', status: '?', requestee: login }] })
    await world.db.query((q) =>
      q
        .updateTable('flags')
        .set({ modified_at: daysAgo(days) })
        .where('bug_id', '=', bug),
    )
    return bug
  }
  const bugsIn = (mail: Email | undefined) =>
    [...(mail?.text ?? '').matchAll(/^Bug (\d+):/gm)].map(([, id]) => Number(id))
  const planAgain = () => world.db.query((q) => q.deleteFrom('chores').where('name', '=', 'overdue requests'))
  const waiting = /waiting/

  before(async () => {
    await world.ada.post('/rest/flag_type', { name: 'question', description: 'A question', is_question: true })
  })

  it('lists once what is overdue, not deferred and visible, and what disabled users were asked, to those who want it', async () => {
    const [user, other, away, gone] = [
      await world.newUser(),
      await world.newUser(),
      await world.newUser(),
      await world.newUser(),
    ]
    const overdue = await asked(user.login, 8)
    await asked(user.login, 6)
    await asked(user.login, 91)
    const deferred = await asked(user.login, 9)
    const { requests } = (await user.client.get('/rest/request')).body
    const id = requests.find(({ bug_id }) => bug_id === deferred)?.id
    const tomorrow = new Date(Date.now() + DAY).toISOString().slice(0, 10)
    assert.equal((await user.client.put(`/rest/request/${id}`, { deferred_until: tomorrow })).status, 200)
    const hidden = await asked(user.login, 8)
    await world.db.query((q) => q.updateTable('bugs').set({ is_cc_accessible: 0 }).where('id', '=', hidden))
    const secret = (await world.db.query((q) => q.selectFrom('groups').select('id').where('name', '=', 'security')))[0]
      ?.id
    await world.db.query((q) => q.insertInto('bug_groups').values({ bug_id: hidden, group_id: secret ?? 0 }))
    await asked(other.login, 8)
    await other.client.put(`/rest/user/${other.id}/requests`, { request_nagging: false })
    await asked(away.login, 8)
    const until1 = new Date(Date.now() + DAY).toISOString()
    await away.client.post('/rest/absence', { from: new Date().toISOString(), until: until1 })
    const unanswered = await asked(gone.login, 1)
    await world.ada.put(`/rest/user/${gone.id}`, { login_denied_text: 'Gone' })

    await planAgain()
    const mail = (login: string) => mailsTo(world, login, waiting)
    await until(async () => (await mail(user.login)).length + (await mail(cast.edna.login)).length === 2)
    const [toUser] = await mail(user.login)
    assert.deepEqual(bugsIn(toUser), [overdue])
    assert.match(toUser?.text ?? '', /question\?, asked by edna@lacewing\.test on \d{4}-/)
    assert.ok(bugsIn((await mail(cast.edna.login))[0]).includes(unanswered))
    for (const { login } of [other, away, gone]) assert.deepEqual(await mail(login), [])
  })

  it('mails own reminders once, on their day, and nothing of a bug that the user may no longer see', async () => {
    const user = await world.newUser()
    const [seen, hidden] = [await fileBug(world.edna), await fileBug(world.edna)]
    const today = new Date().toISOString().slice(0, 10)
    const tomorrow = new Date(Date.now() + DAY).toISOString().slice(0, 10)
    await user.client.post('/rest/reminder', { bug_id: hidden, note: 'Of a secret', reminder_ts: tomorrow })
    const secret = (await world.db.query((q) => q.selectFrom('groups').select('id').where('name', '=', 'security')))[0]
      ?.id
    await world.db.query((q) => q.insertInto('bug_groups').values({ bug_id: hidden, group_id: secret ?? 0 }))
    await world.db.query((q) => q.updateTable('reminders').set({ remind_on: today }).where('user_id', '=', user.id))
    const note = 'Look at it\nBcc: everybody@lacewing.test'
    await user.client.post('/rest/reminder', { bug_id: seen, note, reminder_ts: today })
    await user.client.post('/rest/reminder', { bug_id: seen, note: 'Later', reminder_ts: tomorrow })
    const mails = () => mailsTo(world, user.login, /./)
    const [mail] = await until(async () => {
      const sent = await mails()
      return sent.length > 0 && sent
    })
    assert.match(mail?.subject ?? '', new RegExp(`^\\[Bug ${seen}\\] Reminder: `))
    assert.match(mail?.text ?? '', /Look at it/)
    assert.equal(mail?.bcc, undefined)
    const { reminders } = (await user.client.get('/rest/reminder?all=1')).body
    assert.deepEqual(reminders.map(({ sent }) => sent).sort(), [false, true, true])
    assert.equal((await mails()).length, 1)
  })
})
