import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { OWN_LIMITS } from '../../src/access/own-limits.ts'
import { saveStates } from '../../src/outbound/inbox/deed-store.ts'
import { forgetCrowdedEntries, forgetSomeEntries, saveNotes } from '../../src/outbound/inbox/note-store.ts'
import { hasSeenEvent } from '../../src/outbound/inbox/seen-events.ts'
import { insertBug } from '../support/bug-rows.ts'
import { cast } from '../support/cast.ts'
import { changeBug } from '../support/change-bug.ts'
import { fileBug } from '../support/file-bug.ts'
import { newType } from '../support/flags.ts'
import { newMember, setControl } from '../support/new-member.ts'
import { newProduct } from '../support/new-product.ts'
import { CommandUser } from '../support/people-command.ts'
import { processorMilliseconds } from '../support/processor-time.ts'
import { describeWithDelivery, itOnce, itOnOneEngine, type World } from '../support/world.ts'

type Member = Awaited<ReturnType<World['newUser']>>

describeWithDelivery('the inbox', (world) => {
  let reader: Member | undefined
  const first = () => reader as Member

  before(async () => {
    reader = await member()
    await world.ada.put('/rest/parameters', { insidergroup: 'security' })
    // A new consumer begins with the newest event, whenever it comes to that.
    for (let waited = 0; (await entriesOf(first())).length === 0; waited += 50) {
      assert.ok(waited < 20_000, 'no event reaches the inbox')
      await fileBug(world.edna, { cc: [first().login] })
      await sleep(50)
    }
  })

  const member = () => newMember(world, 'editbugs', 'canconfirm')
  const entriesOf = async ({ client }: Member, query = '') => (await client.get(`/rest/inbox?${query}`)).body.entries
  const entryOf = async (who: Member, bug: number, query = '') =>
    (await entriesOf(who, query)).find(({ id }) => id === bug)
  const comment = async (bug: number, text: string, more: object = {}) => {
    const { status } = await world.edna.post(`/rest/bug/${bug}/comment`, { comment: text, ...more })
    assert.equal(status, 201)
  }

  /** Waits until everything that has happened is noted: events are noted in their order. */
  async function settled() {
    const bug = await fileBug(world.edna, { cc: [first().login] })
    for (let waited = 0; (await entryOf(first(), bug, 'limit=100')) === undefined; waited += 50) {
      assert.ok(waited < 20_000, `bug ${bug} does not reach the inbox`)
      await sleep(50)
    }
    await first().client.put(`/rest/inbox/${bug}`, { state: 'done' })
  }

  const put = async ({ client }: Member, bug: number, deed: object) => {
    const { status, body, text } = await client.put(`/rest/inbox/${bug}`, deed)
    assert.equal(status, 200, text)
    return body
  }

  itOnOneEngine(world, 'has an entry for a mention in the description of a new bug', async () => {
    const mentioned = await member()
    const { body } = await mentioned.client.get('/rest/whoami')
    const bug = await fileBug(world.edna, { description: `Please look, @${body.nick}` })
    await settled()
    assert.deepEqual((await entryOf(mentioned, bug))?.reasons, ['mentioned'])
  })

  itOnOneEngine(world, 'is printed by the command with who did what last', async () => {
    const { login, apiKey } = await member()
    const file = () => fileBug(world.edna, { assigned_to: login })
    const [filed, commented, changed] = [await file(), await file(), await file()]
    await comment(commented, 'First line\n\nand more')
    await changeBug(world.edna, changed, { priority: 'High' })
    await settled()
    const { stdout } = await CommandUser.withKey(world.url, apiKey).run(['inbox'])
    const last = new Map(stdout.split('\n').map((line) => [Number(line.split('\t')[0]), line.split('\t').at(-1)]))
    assert.equal(last.get(filed), 'edna@lacewing.test filed it')
    assert.equal(last.get(commented), 'edna@lacewing.test: First line and more')
    assert.equal(last.get(changed), 'edna@lacewing.test: priority')
  })

  itOnOneEngine(world, 'has an entry for a mention by an edit, until it is put away or edited out', async () => {
    const [mentioned, copied] = [await member(), await member()]
    const { body } = await mentioned.client.get('/rest/whoami')
    const bug = await fileBug(world.edna, { cc: [copied.login] })
    const { id } = (await world.edna.post(`/rest/bug/${bug}/comment`, { comment: 'Who knows?' })).body
    await settled()
    await put(copied, bug, { state: 'done' })
    const old = { at: '2026-01-01T00:00:00Z' }
    await world.db.query((q) => q.updateTable('comments').set(old).where('bug_id', '=', bug))
    const edit = async (text: string) => {
      await world.edna.put(`/rest/editcomments/comment/${id}`, { new_comment: text })
      await settled()
    }
    await edit(`Who knows? @${body.nick}`)
    const entry = await entryOf(mentioned, bug)
    assert.deepEqual([entry?.reasons, entry?.is_unread], [['mentioned'], true])
    assert.match(entry?.last?.comment ?? '', /Who knows\? @/)
    assert.equal(await entryOf(copied, bug), undefined, 'an edit tells nobody else')
    await put(mentioned, bug, { is_unread: false })
    assert.equal((await entryOf(mentioned, bug))?.is_unread, false)
    await edit('Who knows?')
    assert.equal(await entryOf(mentioned, bug), undefined)
    await edit(`Who knows? @${body.nick}`)
    await put(mentioned, bug, { state: 'done' })
    assert.equal(await entryOf(mentioned, bug), undefined)
  })

  itOnOneEngine(
    world,
    'has one entry for a bug with each reason for which it is there, and none for own changes',
    async () => {
      const [assignee, copied, watcher] = [await member(), await member(), await member()]
      await watcher.client.put(`/rest/user/${watcher.id}/mail`, { watched_users: { add: [assignee.login] } })
      const bug = await fileBug(assignee.client, { assigned_to: assignee.login, cc: [copied.login] })
      await settled()
      assert.equal(await entryOf(assignee, bug), undefined)
      await comment(bug, 'It rains.')
      await changeBug(world.edna, bug, { priority: 'Highest' })
      await settled()
      const own = await entryOf(assignee, bug)
      assert.deepEqual(own?.reasons, ['assigned_to', 'reporter'])
      assert.deepEqual([own?.state, own?.is_unread, own?.last?.user], ['open', true, cast.edna.login])
      assert.ok((own?.new_count ?? 0) >= 1)
      assert.deepEqual((await entryOf(copied, bug))?.reasons, ['cc'])
      assert.deepEqual((await entryOf(watcher, bug))?.reasons, ['watched_person'])
      const { body } = await assignee.client.get('/rest/inbox?limit=0')
      assert.deepEqual([body.entries, body.counts.open, body.counts.unread], [[], 1, 1])
      assert.deepEqual(body.counts.reasons, { asked: 0, assigned: 1, mentioned: 0, followed: 1, watched: 0, rule: 0 })
    },
  )

  itOnOneEngine(
    world,
    'says by what the last change was made: the name of a key only to its owner and administrators',
    async () => {
      const [reader, writer] = [await member(), await member()]
      const { body } = await writer.client.post(`/rest/user/${writer.id}/api_key`, { description: 'The robot' })
      const robot = world.as({ 'X-TRACKER-API-KEY': body.api_key as string })
      const bug = await fileBug(world.edna, { cc: [reader.login] })
      await robot.put(`/rest/bug/${bug}`, { priority: 'High' })
      await settled()
      const { history } = (await writer.client.get(`/rest/bug/${bug}/history`)).body.bugs[0]
      assert.equal(history[0]?.source.name, 'The robot')
      const changed = (await entryOf(reader, bug))?.last
      assert.deepEqual([changed?.source, changed?.change_id], [{ kind: 'key' }, history[0]?.change_id])
      await robot.post(`/rest/bug/${bug}/comment`, { comment: 'Beep' })
      await settled()
      const said = (await entryOf(reader, bug))?.last
      assert.deepEqual([said?.comment, said?.source], ['Beep', { kind: 'key' }])
      for (const table of ['comments', 'bug_changes'] as const)
        await world.db.query((q) => q.updateTable(table).set({ change_id: null }).where('bug_id', '=', bug))
      assert.deepEqual((await entryOf(reader, bug))?.last?.source, { kind: 'unknown' })
    },
  )

  itOnOneEngine(world, 'keeps an open request until it is answered or put away', async () => {
    const asked = await member()
    const { name } = await newType(world, { is_requesteeble: true })
    const bug = await fileBug(world.edna)
    await changeBug(world.edna, bug, { flags: [{ name, status: '?', requestee: asked.login }] })
    const entry = await entryOf(asked, bug)
    assert.deepEqual(
      [entry?.reasons[0], entry?.requests.map((it) => [it.name, it.setter])],
      ['asked', [[name, cast.edna.login]]],
    )
    const { undo } = await put(asked, bug, { state: 'done' })
    assert.equal(await entryOf(asked, bug), undefined)
    await asked.client.post('/rest/inbox/undo', { undo: String(undo) })
    assert.equal((await entryOf(asked, bug))?.reasons[0], 'asked')
    await changeBug(asked.client, bug, { flags: [{ name, status: '+' }] })
    assert.ok(!(await entryOf(asked, bug))?.reasons.includes('asked'))
  })

  itOnOneEngine(
    world,
    'has what its owner asked to be reminded of, from that day on, until it is put away',
    async () => {
      const user = await member()
      const [bug, later] = [await fileBug(world.edna), await fileBug(world.edna)]
      const remind = async (bug_id: number, note: string, day: Date) => {
        const reminder_ts = day.toISOString().slice(0, 10)
        const { status, body, text } = await user.client.post('/rest/reminder', { bug_id, note, reminder_ts })
        assert.equal(status, 201, text)
        return body.id
      }
      const tomorrow = new Date(Date.now() + 86_400_000)
      await remind(later, 'Not yet', tomorrow)
      const id = await remind(bug, 'Is it\ndry?', new Date())
      const entry = await entryOf(user, bug)
      assert.deepEqual([entry?.reasons, entry?.is_unread], [['reminder'], true])
      assert.deepEqual(
        entry?.reminders.map((it) => [it.id, it.note]),
        [[id, 'Is it\ndry?']],
      )
      const { counts } = (await user.client.get('/rest/inbox?limit=0')).body
      assert.deepEqual([counts.open, counts.unread, counts.reasons.asked], [1, 1, 1])
      await put(user, bug, { is_unread: false })
      assert.deepEqual(
        [(await entryOf(user, bug))?.is_unread, (await entryOf(user, bug))?.reasons],
        [false, ['reminder']],
      )
      const { undo } = await put(user, bug, { state: 'done' })
      assert.equal(await entryOf(user, bug), undefined)
      await user.client.post('/rest/inbox/undo', { undo: String(undo) })
      assert.deepEqual((await entryOf(user, bug))?.reasons, ['reminder'])
      await put(user, bug, { state: 'snoozed', snoozed_until: tomorrow.toISOString() })
      assert.equal(await entryOf(user, bug), undefined)
      await world.db.query((q) =>
        q.updateTable('inbox_entries').set({ snoozed_until: '2026-01-01T00:00:00Z' }).where('user_id', '=', user.id),
      )
      assert.deepEqual((await entryOf(user, bug))?.reasons, ['reminder'])
      await put(user, bug, { state: 'done' })
      await changeBug(world.edna, bug, { comment: { body: 'Rain.' }, cc: { add: [user.login] } })
      await settled()
      assert.deepEqual((await entryOf(user, bug))?.reasons, ['cc'], 'an old reminder does not come back with a change')
      await user.client.put('/rest/inbox', { reason: 'all', state: 'done' })
      await world.db.query((q) =>
        q.updateTable('inbox_entries').set({ state_at: '2026-01-01T00:00:00Z' }).where('user_id', '=', user.id),
      )
      assert.deepEqual((await entryOf(user, bug))?.reasons, ['reminder', 'cc'], 'one that became due later does')
      const group = await world.newGroup()
      await setControl(world, 'TestProduct', group.name, { membercontrol: 'Shown', othercontrol: 'Shown' })
      await changeBug(world.ada, bug, { groups: { add: [group.name] }, is_cc_accessible: false })
      const hidden = (await user.client.get('/rest/inbox')).body
      assert.deepEqual([hidden.entries, hidden.counts.open, hidden.counts.reasons.asked], [[], 0, 0])
      await changeBug(world.ada, bug, { groups: { remove: [group.name] } })
      assert.equal((await user.client.get('/rest/inbox')).body.counts.reasons.asked, 1)
      await user.client.delete(`/rest/reminder/${id}`)
      assert.equal((await user.client.get('/rest/inbox')).body.counts.reasons.asked, 0)
    },
  )

  itOnOneEngine(
    world,
    'brings back what is done when something new happens, and a snooze only when it ends',
    async () => {
      const user = await member()
      const bug = await fileBug(world.edna, { cc: [user.login] })
      await settled()
      const mark = (await entryOf(user, bug))?.mark
      await comment(bug, 'Before it is done, unseen.')
      await put(user, bug, { state: 'done', mark })
      await settled()
      assert.equal((await entryOf(user, bug))?.state, 'open', 'what came after the mark stays')
      await put(user, bug, { state: 'done' })
      assert.equal(await entryOf(user, bug), undefined)
      assert.equal((await entryOf(user, bug, 'state=done'))?.state, 'done')
      await comment(bug, 'Something new.')
      await settled()
      const back = await entryOf(user, bug)
      assert.deepEqual([back?.state, back?.is_unread, back?.new_count, back?.reasons], ['open', true, 1, ['cc']])
      await put(user, bug, { state: 'snoozed' })
      assert.equal((await entryOf(user, bug, 'state=snoozed'))?.snoozed_until, undefined)
      await comment(bug, 'Wakes it.')
      await settled()
      assert.equal((await entryOf(user, bug))?.state, 'open')
      await put(user, bug, { state: 'snoozed', snoozed_until: new Date(Date.now() + 3_600_000).toISOString() })
      await comment(bug, 'Does not wake it.')
      await settled()
      assert.equal(await entryOf(user, bug), undefined)
      const past = { snoozed_until: '2026-01-01T00:00:00Z' }
      await world.db.query((q) => q.updateTable('inbox_entries').set(past).where('user_id', '=', user.id))
      assert.equal((await entryOf(user, bug))?.state, 'open')
    },
  )

  itOnOneEngine(world, 'marks as read and unread, mutes, and undoes it', async () => {
    const user = await member()
    const bug = await fileBug(world.edna, { cc: [user.login] })
    await settled()
    const isUnread = async () => (await entryOf(user, bug))?.is_unread
    await put(user, bug, { is_unread: false })
    assert.equal(await isUnread(), false)
    await put(user, bug, { is_unread: true })
    assert.equal(await isUnread(), true)
    const { undo } = await put(user, bug, { is_muted: true })
    assert.equal(await entryOf(user, bug), undefined)
    assert.deepEqual((await user.client.get(`/rest/user/${user.id}/mail`)).body.ignored_bugs, [bug])
    assert.deepEqual((await user.client.post('/rest/inbox/undo', { undo: String(undo) })).body, { changed: [bug] })
    assert.deepEqual((await user.client.post('/rest/inbox/undo', { undo: String(undo) })).body, { changed: [] })
    assert.equal(await isUnread(), true)
    const all = await user.client.put('/rest/inbox', { reason: 'followed', state: 'done' })
    assert.deepEqual(all.body.changed, [bug])
    assert.equal((await user.client.get('/rest/inbox')).body.counts.open, 0)
  })

  it('shows nothing of private comments and hidden bugs: no entry, no number, no order', async () => {
    const user = await member()
    const insider = await newMember(world, 'editbugs', 'security')
    const bug = await fileBug(world.edna, { cc: [user.login, insider.login] })
    const later = await fileBug(world.edna, { cc: [user.login] })
    await settled()
    await user.client.put('/rest/inbox', { reason: 'all', state: 'done' })
    const before = (await user.client.get('/rest/inbox?state=done')).text
    await world.ada.post(`/rest/bug/${bug}/comment`, { comment: 'A secret', is_private: true })
    await settled()
    assert.equal((await user.client.get('/rest/inbox?state=done')).text, before)
    assert.ok((await entryOf(insider, bug))?.last?.comment?.includes('secret'))
    const open = await world.ada.post(`/rest/bug/${bug}/comment`, { comment: 'First open, then private' })
    await settled()
    assert.equal((await user.client.get('/rest/inbox')).body.counts.unread, 1)
    await changeBug(world.ada, bug, { comment_is_private: { [String(open.body.id)]: true } })
    const { entries, counts } = (await user.client.get('/rest/inbox')).body
    assert.deepEqual([entries, counts.open, counts.unread], [[], 0, 0])
    const group = await world.newGroup()
    await setControl(world, 'TestProduct', group.name, { membercontrol: 'Shown', othercontrol: 'Shown' })
    await comment(later, 'Still open.')
    await settled()
    assert.equal((await user.client.get('/rest/inbox')).body.counts.open, 1)
    await changeBug(world.ada, later, { groups: { add: [group.name] }, is_cc_accessible: false })
    const after = (await user.client.get('/rest/inbox')).body.counts
    assert.deepEqual([after.open, after.done], [0, 1])
    assert.equal((await user.client.get(`/rest/inbox/${later}`)).body.code, 102)
    assert.equal((await user.client.put(`/rest/inbox/${later}`, { state: 'done' })).body.code, 102)
  })

  it('finds what is watched when it is read, and stores nothing about it for each watcher', async () => {
    const [user, hasDone] = [await member(), await member()]
    const { name: product } = await newProduct(world, ['Core', 'UI'])
    const place = { product, component: 'Core' }
    for (const { client } of [user, hasDone])
      await client.post('/rest/component-watching', { product, component: 'Core' })
    const bug = await fileBug(world.edna, place)
    const other = await fileBug(world.edna, { ...place, component: 'UI' })
    const own = await fileBug(user.client, place)
    assert.deepEqual((await entryOf(user, bug))?.reasons, ['watched_component'])
    assert.deepEqual([await entryOf(user, other), (await entryOf(user, own))?.reasons], [undefined, undefined])
    await put(hasDone, bug, { state: 'done' })
    assert.equal(await entryOf(hasDone, bug), undefined)
    await comment(bug, 'Something new in the component.')
    assert.equal((await entryOf(hasDone, bug))?.new_count, 1)
    assert.equal((await user.client.get('/rest/inbox?limit=0')).body.counts.reasons.watched, 1)
    await settled()
    const rows = await world.db.query((q) => q.selectFrom('inbox_entries').select('user_id').where('bug_id', '=', bug))
    assert.deepEqual(
      rows.map(({ user_id }) => user_id).filter((id) => id === user.id),
      [],
    )
    const group = await world.newGroup()
    await setControl(world, product, group.name, { membercontrol: 'Mandatory', othercontrol: 'Mandatory' })
    await changeBug(world.ada, bug, { priority: 'Lowest' })
    // The own bug, which its reporter still sees, was changed by the new group.
    const { entries, counts } = (await user.client.get('/rest/inbox')).body
    assert.deepEqual([entries.map(({ id }) => id), counts.reasons.watched], [[own], 1])
  })

  it('ends in one state after twenty deeds and changes at once', async () => {
    const user = await member()
    const bug = await fileBug(world.edna, { cc: [user.login] })
    await settled()
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, number) =>
        number % 4 === 3
          ? world.edna.post(`/rest/bug/${bug}/comment`, { comment: `Number ${number}` })
          : user.client.put(`/rest/inbox/${bug}`, { state: 'done' }),
      ),
    )
    assert.deepEqual([...new Set(replies.map(({ status }) => status))].sort(), [200, 201])
    await comment(bug, 'The last one.')
    await settled()
    assert.deepEqual((await entryOf(user, bug))?.reasons, ['cc'])
    await put(user, bug, { state: 'done' })
    const { counts } = (await user.client.get('/rest/inbox')).body
    assert.deepEqual([counts.open, counts.done], [0, 1])
  })

  it('notes an event once however often it comes, nothing for who is gone, and only so many bugs', async () => {
    const [user, gone] = [await member(), await member()]
    const bug = await fileBug(world.edna)
    const note = {
      user_id: user.id,
      bug_id: bug,
      reasons: 8,
      since: '2026-01-02T00:00:00Z',
      at: '2026-01-02T00:00:00Z',
      mention: null,
    }
    const more = [
      { ...note, user_id: 999_999 },
      { ...note, bug_id: 999_999 },
    ]
    for (const notes of [[note, ...more], [note, ...more], [{ ...note, at: '2026-01-01T00:00:00Z' }]])
      await world.db.transaction((tx) => saveNotes(tx, notes))
    const rows = () => world.db.query((q) => q.selectFrom('inbox_entries').selectAll().where('user_id', '=', user.id))
    assert.deepEqual(
      (await rows()).map(({ bug_id, reasons, since, noted_at }) => [bug_id, reasons, since, noted_at]),
      [[bug, 8, note.at, note.at]],
    )
    const { most } = OWN_LIMITS.inboxEntries
    Object.assign(OWN_LIMITS.inboxEntries, { most: 1 })
    try {
      const newer = await fileBug(world.edna)
      await world.db.transaction((tx) => saveNotes(tx, [{ ...note, bug_id: newer, at: '2026-01-03T00:00:00Z' }]))
      await forgetCrowdedEntries(world.db)
      assert.deepEqual(
        (await rows()).map(({ bug_id }) => bug_id),
        [newer],
      )
    } finally {
      Object.assign(OWN_LIMITS.inboxEntries, { most })
    }
    assert.equal(await forgetSomeEntries(world.db, '2026-01-04T00:00:00Z', '2026-01-04T00:00:00Z'), false)
    assert.deepEqual(await rows(), [])
    await world.ada.put(`/rest/user/${gone.id}`, { login_denied_text: 'Left us.' })
    await fileBug(world.edna, { cc: [gone.login] })
    await settled()
    const left = await world.db.query((q) =>
      q.selectFrom('inbox_entries').select('bug_id').where('user_id', '=', gone.id),
    )
    assert.deepEqual(left, [])
  })

  itOnOneEngine(world, 'knows whether a user has seen an event, in the inbox or on the page of the bug', async () => {
    const user = await member()
    const bug = await fileBug(world.edna, { cc: [user.login] })
    const { body } = await world.edna.post(`/rest/bug/${bug}/comment`, { comment: 'Seen?' })
    const event = { userId: user.id, bugId: bug, at: '2099-01-01T00:00:00Z', comment: Number(body.id), history: [] }
    await settled()
    assert.equal(await hasSeenEvent(world.db, event), false)
    await put(user, bug, { is_unread: false })
    assert.equal(await hasSeenEvent(world.db, event), true)
    assert.equal(await hasSeenEvent(world.db, { ...event, history: [999_999] }), false)
    await user.client.post(`/rest/bug_user_last_visit/${bug}`, {})
    assert.equal(await hasSeenEvent(world.db, { ...event, at: '2026-01-01T00:00:00Z', history: [999_999] }), true)
    assert.equal(await hasSeenEvent(world.db, { ...event, userId: 999_999 }), false)
  })

  itOnce(world, 'is put away whole in a time that grows as its entries do, not as their square', async () => {
    const place = { product: 'TestProduct', component: 'TestComponent' }
    const bugs: number[] = []
    for (let count = 0; count < 640; count++) bugs.push(await insertBug(world, place))
    const row = { state: 1, state_at: '2026-01-02T00:00:00Z', snoozed_until: null, since: '2026-01-01T00:00:00Z' }
    const marks = { done_comment: 0, done_change: 0, done_notes: 0, read_comment: 0, read_change: 0, read_at: '' }
    const undo = { undo_key: 'x', undo_state: '{}', puts_away: 1 }
    const millisecondsFor = async (count: number) => {
      const user = await member()
      const times: number[] = []
      for (let turn = 0; turn < 3; turn++) {
        const before = processorMilliseconds()
        const rows = bugs.slice(0, count).map((bug_id) => ({ ...row, ...marks, ...undo, bug_id }))
        await world.db.transaction((tx) => saveStates(tx, user.id, rows))
        times.push(processorMilliseconds() - before)
      }
      return Math.min(...times)
    }
    const [few, many] = [await millisecondsFor(80), await millisecondsFor(640)]
    // Shorter times are not measured well.
    assert.ok(many < Math.max(few, 10) * 24, `80 entries: ${few} ms, 640 entries: ${many} ms`)
  })

  itOnce(world, 'refuses wrong states, times, marks and numbers, and changes nothing', async () => {
    const user = await member()
    const bug = await fileBug(world.edna, { cc: [user.login] })
    await settled()
    const wrong: [object, number][] = [
      [{}, 53],
      [{ state: 'gone' }, 53],
      [{ state: 'done', snoozed_until: '2099-01-01' }, 53],
      [{ state: 'snoozed', snoozed_until: '2020-01-01' }, 53],
      [{ state: 'snoozed', snoozed_until: '2199-01-01' }, 53],
      [{ state: 'done', mark: 'x' }, 53],
      [{ state: 'done', mark: '1.99999999999999999999' }, 53],
    ]
    for (const [deed, code] of wrong) {
      const { status, body } = await user.client.put(`/rest/inbox/${bug}`, deed)
      assert.deepEqual([status, body.code], [400, code], JSON.stringify(deed))
    }
    for (const query of ['state=x', 'reason=x', 'limit=101', 'limit=-1', 'offset=-1'])
      assert.equal((await user.client.get(`/rest/inbox?${query}`)).body.code, 53, query)
    for (const deed of [
      { state: 'done' },
      { state: 'done', ids: [bug], reason: 'all' },
      { state: 'done', reason: 'x' },
    ])
      assert.equal((await user.client.put('/rest/inbox', deed)).body.code, 53, JSON.stringify(deed))
    const other = await fileBug(world.edna)
    assert.equal((await user.client.put(`/rest/inbox/${other}`, { state: 'done' })).body.code, 51)
    assert.equal((await user.client.get('/rest/inbox/999999')).body.code, 101)
    for (const { body } of [
      await world.nobody.get('/rest/inbox'),
      await world.nobody.put('/rest/inbox', { reason: 'all', state: 'done' }),
      await world.nobody.post('/rest/inbox/undo', { undo: 'x' }),
    ])
      assert.equal(body.code, 410)
    assert.deepEqual((await user.client.post('/rest/inbox/undo', { undo: 'x' })).body, { changed: [] })
    assert.equal((await entryOf(user, bug))?.is_unread, true)
  })
})
