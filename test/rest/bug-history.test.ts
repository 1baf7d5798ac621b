import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type BugChange, recordBugChanges } from '../../src/changes/record-bug-changes.ts'
import type { Query } from '../support/body-types.ts'
import { cast, type Name } from '../support/cast.ts'
import { countQueries } from '../support/count-queries.ts'
import { idOf, insertAttachment, readComments, say, silentBug, withInsiders } from '../support/discussion.ts'
import { fileBug, readBug } from '../support/file-bug.ts'
import { newProduct } from '../support/new-product.ts'
import { inOneWorld } from '../support/one-world.ts'
import { assertRefused } from '../support/refusal.ts'
import { type Client, itOnOneEngine, type World } from '../support/world.ts'

const describeTogether = inOneWorld()

/** Changes a bug through the REST API. */
async function change(who: Client, bug: number, changes: object) {
  const { status, text } = await who.put(`/rest/bug/${bug}`, changes)
  assert.equal(status, 200, text)
}

async function historyOf(who: Client, bug: number | string, query: Query = '') {
  const { status, body, text } = await who.get(`/rest/bug/${bug}/history${query}`)
  assert.equal(status, 200, text)
  return body.bugs[0].history
}

/** Every change in the history by any user, as [field, removed, added]. */
async function changesOf(who: Client, bug: number, query: Query = ''): Promise<string[][]> {
  const entries = await historyOf(who, bug, query)
  return entries.flatMap(({ changes }) => changes.map(({ field_name, removed, added }) => [field_name, removed, added]))
}

/** Lines of history as some call would write them. */
async function remember(world: World, who: Name, at: string, ...changes: BugChange[]) {
  const id = await idOf(world, who)
  await world.db.transaction((tx) => recordBugChanges(tx, id, changes, at), 'configuration')
}

/** Makes all that happened to a bug so far, and was not moved before, happen at that time. */
async function moveTo(world: World, bug: number, at: string) {
  const now = '2026-06-01T00:00:00Z'
  await world.db.query((q) => q.updateTable('bug_changes').set({ at }).where('bug_id', '=', bug).where('at', '>', now))
  await world.db.query((q) => q.updateTable('comments').set({ at }).where('bug_id', '=', bug).where('at', '>', now))
  await world.db.query((q) => q.updateTable('bugs').set({ changed_at: at }).where('id', '=', bug))
  await world.db.query((q) =>
    q.updateTable('bugs').set({ created_at: at }).where('id', '=', bug).where('created_at', '>', now),
  )
}

describeTogether('GET /rest/bug/(id)/history', (world) => {
  it('returns who changed what and when, oldest first, to users who see the bug', async () => {
    const alias = world.unique('alias')
    const bug = await fileBug(world.edna, { alias })
    await change(world.edna, bug, { priority: 'High', summary: 'Better words' })
    await moveTo(world, bug, '2026-01-02T00:00:00Z')
    await change(world.sven, bug, { whiteboard: 'soon' })
    await moveTo(world, bug, '2026-01-03T00:00:00Z')
    const { status, body } = await world.nobody.get(`/rest/bug/${alias}/history`)
    assert.equal(status, 200)
    const [first, second] = body.bugs[0].history.map(({ change_id }) => change_id)
    assert.ok(Number(second) > Number(first))
    assert.deepEqual(body, {
      bugs: [
        {
          id: bug,
          alias: [alias],
          history: [
            {
              when: '2026-01-02T00:00:00Z',
              who: cast.edna.login,
              changes: [
                { field_name: 'priority', removed: '---', added: 'High' },
                { field_name: 'summary', removed: 'Something is wrong', added: 'Better words' },
              ],
              change_id: first,
              source: { kind: 'key' },
            },
            {
              when: '2026-01-03T00:00:00Z',
              who: cast.sven.login,
              changes: [{ field_name: 'whiteboard', removed: '', added: 'soon' }],
              change_id: second,
              source: { kind: 'key' },
            },
          ],
        },
      ],
    })
  })

  itOnOneEngine(world, 'returns nothing about filing and commenting', async () => {
    const bug = await fileBug(world.edna, { description: 'It crashes.' })
    await say(world.edna, bug, 'Indeed.')
    assert.deepEqual(await historyOf(world.edna, bug), [])
  })

  it('returns several bugs, each once and in the requested order', async () => {
    const [one, other] = [await silentBug(world), await silentBug(world)]
    const { body } = await world.nobody.get(`/rest/bug/${other}/history?ids=${one}&ids=${other}`)
    assert.deepEqual(
      body.bugs.map(({ id }) => id),
      [other, one],
    )
  })

  itOnOneEngine(world, 'returns what is later than new_since', async () => {
    const bug = await silentBug(world)
    for (const day of ['01', '02', '03'])
      await remember(world, 'edna', `2026-01-${day}T00:00:00Z`, { bugId: bug, field: 'url', removed: '', added: day })
    const since = async (time: string) =>
      (await changesOf(world.nobody, bug, `?new_since=${time}`)).map(([, , it]) => it)
    assert.deepEqual(await since('2026-01-02T00:00:00Z'), ['03'])
    assert.deepEqual(await since('2026-01-01T23:59:59Z'), ['02', '03'])
    assert.deepEqual(await since('2099-01-01'), [])
    assertRefused(await world.nobody.get(`/rest/bug/${bug}/history?new_since=soon`), 400, 56)
  })

  it('puts what one call does into one entry, and what two do into two', async () => {
    const bug = await silentBug(world)
    const at = '2026-01-01T00:00:00Z'
    const line = (field: string, removed: string, added: string) => ({ bugId: bug, field, removed, added })
    await remember(
      world,
      'edna',
      at,
      ...[line('depends_on', '', '7'), line('depends_on', '9', '8')],
      ...[line('url', '', 'a'), line('url', 'a', 'b')],
    )
    await remember(world, 'edna', at, line('whiteboard', '', 'a'))
    await remember(world, 'sven', at, line('url', 'b', 'c'))
    await remember(world, 'edna', at, line('url', 'c', ''))
    const entries = await historyOf(world.edna, bug)
    assert.deepEqual(
      entries.map(({ who, changes }) => [who, changes.length]),
      [
        [cast.edna.login, 3],
        [cast.edna.login, 1],
        [cast.sven.login, 1],
        [cast.edna.login, 1],
      ],
    )
    assert.deepEqual(
      entries[0].changes.map(({ field_name }) => field_name),
      ['depends_on', 'url', 'url'],
      'bugs 7, 8 and 9 do not exist, so they are no secret',
    )
  })

  itOnOneEngine(
    world,
    'joins consecutive lines of one list field into one change, and keeps others separate',
    async () => {
      const bug = await silentBug(world)
      const [one, two] = [await silentBug(world), await silentBug(world)]
      const at = '2026-01-01T00:00:00Z'
      const line = (field: string, removed: string, added: string) => ({ bugId: bug, field, removed, added })
      await remember(world, 'edna', at, line('depends_on', '', `${one}`), line('depends_on', '', `${two}`))
      await remember(world, 'edna', at, line('cc', 'a@b.c', ''), line('cc', '', 'd@e.f'))
      await remember(world, 'edna', at, line('flagtypes.name', '', 'review?'), line('flagtypes.name', 'review?', ''))
      await remember(world, 'edna', at, line('summary', 'a', 'b'), line('summary', 'b', 'c'))
      assert.deepEqual(await changesOf(world.nobody, bug), [
        ['depends_on', '', `${one}, ${two}`],
        ['cc', 'a@b.c', 'd@e.f'],
        ['flagtypes.name', 'review?', 'review? '],
        ['summary', 'a', 'b'],
        ['summary', 'b', 'c'],
      ])
    },
  )

  itOnOneEngine(world, 'is in the order of time, even if it was not written in that order', async () => {
    const bug = await silentBug(world)
    const line = (added: string) => ({ bugId: bug, field: 'url', removed: '', added })
    await remember(world, 'edna', '2026-01-02T00:00:00Z', line('c'), line('d'))
    await remember(world, 'edna', '2026-01-01T00:00:00Z', line('a'), line('b'))
    await remember(world, 'edna', '2026-01-03T00:00:00Z', line('e'))
    assert.deepEqual((await changesOf(world.nobody, bug)).map(([, , added]) => added).join(''), 'abcde')
  })

  itOnOneEngine(world, 'returns long values whole', async () => {
    const bug = await silentBug(world)
    const [before, after] = ['a, b '.repeat(2000), 'x'.repeat(10_000)]
    const line = { bugId: bug, field: 'whiteboard', removed: before, added: after }
    await remember(world, 'edna', '2026-01-01T00:00:00Z', line)
    assert.deepEqual(await changesOf(world.nobody, bug), [['whiteboard', before, after]])
  })

  itOnOneEngine(world, 'shows hours only to users who track time', async () => {
    const bug = await fileBug(world.edna)
    await change(world.edna, bug, { estimated_time: 5, remaining_time: 3, work_time: 1, deadline: '2027-01-01' })
    const fields = async (who: Client) => (await changesOf(who, bug)).map(([field]) => field).sort()
    assert.deepEqual(await fields(world.edna), ['deadline', 'estimated_time', 'remaining_time', 'work_time'])
    for (const who of [world.nobody, world.stan]) assert.deepEqual(await fields(who), ['deadline'])
  })

  it('shows private attachments only to insiders', async () => {
    const bug = await silentBug(world)
    const [open, secret] = [await insertAttachment(world, bug), await insertAttachment(world, bug, { is_private: 1 })]
    const line = (attachmentId: number, field: string) => ({
      bugId: bug,
      field,
      removed: '0',
      added: '1',
      attachmentId,
    })
    await remember(
      world,
      'edna',
      '2026-01-01T00:00:00Z',
      line(open, 'attachments.isobsolete'),
      line(secret, 'attachments.isprivate'),
      line(secret, 'flagtypes.name'),
    )
    await withInsiders(world, async () => {
      const [entry] = await historyOf(world.edna, bug)
      assert.deepEqual(entry.changes, [
        { field_name: 'attachments.isobsolete', removed: '0', added: '1', attachment_id: open },
      ])
      assert.equal((await historyOf(world.sven, bug))[0].changes.length, 3)
    })
  })

  it('shows only insiders that a comment was made private', async () => {
    const bug = await silentBug(world)
    const comment = await say(world.edna, bug, 'Hello')
    await withInsiders(world, async () => {
      const turn = (isPrivate: boolean) => change(world.sven, bug, { comment_is_private: { [comment]: isPrivate } })
      await turn(true)
      assert.deepEqual(await historyOf(world.edna, bug), [])
      assert.deepEqual(await changesOf(world.sven, bug), [['longdescs.isprivate', '0', '1']])
      await turn(false)
      assert.deepEqual(await changesOf(world.edna, bug), [['longdescs.isprivate', '1', '0']])
      await turn(true)
      assert.deepEqual(await historyOf(world.edna, bug), [])
      assert.equal((await changesOf(world.sven, bug)).length, 3)
    })
  })

  it('is closed where reading and searching are: hours for time trackers, privacy of comments for insiders', async () => {
    const bug = await fileBug(world.edna, { estimated_time: 4 })
    await change(world.edna, bug, { work_time: 1, estimated_time: 5, comment: { body: 'One hour.' } })
    const finds = (who: Client, field: string) => who.get(`/rest/bug?id=${bug}&f1=${field}&o1=isnotempty`)
    const ofHours = ['estimated_time', 'remaining_time', 'work_time', 'percentage_complete']
    for (const field of ofHours) {
      assert.equal((await finds(world.edna, field)).status, 200, field)
      assertRefused(await finds(world.rhea, field), 400, 108)
    }
    const shownTo = async (who: Client) => {
      const { body } = await who.get(`/rest/bug/${bug}?include_fields=estimated_time,remaining_time,actual_time`)
      return [Object.keys(body.bugs[0]).length, new Set((await changesOf(who, bug)).map(([field]) => field)).size]
    }
    assert.deepEqual(
      [await shownTo(world.edna), await shownTo(world.rhea)],
      [
        [3, 3],
        [0, 0],
      ],
    )
    await withInsiders(world, async () => {
      assert.equal((await finds(world.sven, 'longdescs.isprivate')).status, 200)
      assertRefused(await finds(world.edna, 'longdescs.isprivate'), 401, 304)
      for (const who of [world.sven, world.edna]) {
        const { body } = await who.get(`/rest/bug?id=${bug}&order=longdescs.isprivate`)
        assert.equal(body.bugs.length, 1)
      }
    })
  })

  it('does not show the numbers of bugs that the caller may not see', async () => {
    const bug = await fileBug(world.edna)
    const seen = await silentBug(world)
    const hidden = await silentBug(world, 'security')
    await change(world.sven, bug, { depends_on: { add: [hidden, seen] }, see_also: { add: [hidden] } })
    await change(world.sven, bug, { blocks: { add: [await silentBug(world, 'security')] } })
    const field = `cf_${world.unique('link')}`
    const made = await world.ada.post('/rest/field/bug', { name: field, display_name: 'Link', type: 'bug id' })
    assert.equal(made.status, 201, made.text)
    const link = (removed: string, added: string) => ({ bugId: bug, field, removed, added })
    await remember(world, 'sven', '2099-01-01T00:00:00Z', link('', `${hidden}`), link(`${hidden}`, `${seen}`))
    assert.deepEqual(await changesOf(world.stan, bug), [
      ['depends_on', '', `${seen}`],
      [field, '', `${seen}`],
    ])
    assert.ok(!JSON.stringify((await world.stan.get(`/rest/bug/${bug}/history`)).body).includes(`"${hidden}"`))
    const returned = await changesOf(world.sven, bug)
    assert.deepEqual(returned.map(([field]) => field).sort(), ['blocks', field, field, 'depends_on', 'see_also'])
    assert.ok(returned.some(([field, , added]) => field === 'depends_on' && added?.split(', ').includes(`${hidden}`)))
  })

  it('is refused for a bug that is not there for the caller', async () => {
    const hidden = await silentBug(world, 'security')
    assertRefused(await world.stan.get(`/rest/bug/${hidden}/history`), 401, 102)
    assertRefused(await world.nobody.get('/rest/bug/99999999/history'), 404, 101)
    assertRefused(await world.nobody.get('/rest/bug/nonsense/history'), 400, 100)
    assert.deepEqual(await historyOf(world.sven, hidden), [])
  })

  it('cuts addresses for anonymous callers when webservice_email_filter is on', async () => {
    const bug = await fileBug(world.edna)
    const people = { assigned_to: cast.sven.login, qa_contact: cast.rhea.login, cc: { add: [cast.stan.login] } }
    await world.withParameters({ useqacontact: true }, () => change(world.edna, bug, { ...people, url: 'x@y.example' }))
    await world.withParameters({ webservice_email_filter: true }, async () => {
      const [entry] = await historyOf(world.nobody, bug)
      assert.equal(entry.who, 'edna')
      const returned = new Map(entry.changes.map(({ field_name, added }) => [field_name, added] as const))
      assert.deepEqual(
        ['assigned_to', 'qa_contact', 'cc', 'url'].map((field) => returned.get(field)),
        ['sven', 'rhea', 'stan', 'x@y.example'],
      )
      assert.equal((await historyOf(world.rhea, bug))[0].who, cast.edna.login)
    })
  })
})

describeTogether.onOneEngine('the extra fields of Get Bug', (world) => {
  it('contain description, comments, their number and history only on request', async () => {
    const bug = await fileBug(world.edna, { description: 'It crashes.' })
    await say(world.rhea, bug, 'Indeed.')
    await change(world.edna, bug, { priority: 'High' })
    const usual = await readBug(world.nobody, bug)
    const extra = ['description', 'comments', 'comment_count', 'history']
    assert.deepEqual(
      extra.filter((field) => field in usual),
      [],
    )
    const returned = await readBug(world.nobody, bug, `?include_fields=${extra}`)
    assert.deepEqual(Object.keys(returned).sort(), extra.toSorted())
    assert.equal(returned.description, 'It crashes.')
    assert.equal(returned.comment_count, 2)
    assert.deepEqual(returned.comments, await readComments(world.nobody, bug))
    assert.deepEqual(returned.history, await historyOf(world.nobody, bug))
    const some = await readBug(world.nobody, bug, '?include_fields=id,comments.text')
    assert.deepEqual(some, { id: bug, comments: [{ text: 'It crashes.' }, { text: 'Indeed.' }] })
    assert.deepEqual(Object.keys(await readBug(world.nobody, bug, '?include_fields=comment_count')), ['comment_count'])
  })

  it('contain no more than the calls for them', async () => {
    const bug = await silentBug(world)
    await withInsiders(world, async () => {
      await say(world.sven, bug, 'hush', { is_private: true })
      await say(world.sven, bug, 'aloud', { work_time: 1 })
      const query = '?include_fields=description,comments,comment_count,history'
      const returned = await readBug(world.stan, bug, query)
      assert.equal(returned.description, '')
      assert.equal(returned.comment_count, 1)
      assert.equal(returned.comments[0].text, 'aloud')
      assert.deepEqual(returned.history, [])
      const insider = await readBug(world.sven, bug, query)
      assert.deepEqual([insider.description, insider.comment_count, insider.history.length], ['hush', 2, 1])
    })
  })

  it('ask the database as often for many bugs as for one', async () => {
    const bugs: number[] = []
    for (let place = 0; place < 5; place++) {
      const bug = await fileBug(world.edna, { description: 'text', depends_on: bugs.slice(0, 1) })
      await change(world.edna, bug, { priority: 'High', depends_on: { add: bugs.slice(-1) } })
      bugs.push(bug)
    }
    const query = 'include_fields=id,description,comments,comment_count,history'
    const read = (ids: number[]) => () => world.edna.get(`/rest/bug/${ids[0]}?${query}&ids=${ids.join('&ids=')}`)
    assert.equal(await countQueries(world, read(bugs)), await countQueries(world, read(bugs.slice(-2))))
  })
})

describeTogether('GET /rest/bug/(id)?as_of=', (world) => {
  it('returns the bug as it was after each of its changes', async () => {
    const field = `cf_${world.unique('choice')}`
    const made = await world.ada.post('/rest/field/bug', { name: field, display_name: 'Choice', type: 'multi select' })
    assert.equal(made.status, 201, made.text)
    for (const name of ['one', 'two', 'three']) await world.ada.post(`/rest/field/bug/${field}/values`, { name })
    const dated = `cf_${world.unique('date')}`
    await world.ada.post('/rest/field/bug', { name: dated, display_name: 'Date', type: 'date time' })
    const keyword = world.unique('keyword')
    await world.ada.post('/rest/keyword', { name: keyword, description: 'A word' })
    const { name: product } = await newProduct(world, ['Core'])
    const [other, blocker, master] = [await silentBug(world), await silentBug(world), await silentBug(world)]
    const bug = await fileBug(world.rhea, { description: 'It crashes.', cc: [cast.stan.login] })
    const steps: [Client, object][] = [
      [world.edna, { status: 'IN_PROGRESS', assigned_to: cast.sven.login, priority: 'High', summary: 'Better words' }],
      [
        world.edna,
        { [field]: ['one', 'two'], [dated]: '2026-02-03 04:05:06', alias: { add: [world.unique('alias')] } },
      ],
      [world.sven, { depends_on: { add: [other, blocker] }, blocks: { add: [master] }, keywords: { add: [keyword] } }],
      [
        world.edna,
        { cc: { add: [cast.edna.login], remove: [cast.stan.login] }, groups: { add: [] }, comment: { body: 'Hm.' } },
      ],
      [
        world.edna,
        { estimated_time: 8, remaining_time: 6.5, deadline: '2027-01-01', qa_contact: cast.uma.login, type: 'task' },
      ],
      [
        world.edna,
        { work_time: 1.25, see_also: { add: ['https://github.com/a/b/issues/1'] }, is_cc_accessible: false },
      ],
      [world.edna, { product, component: 'Core', version: '1.0', target_milestone: '---' }],
      [
        world.edna,
        { depends_on: { remove: [other] }, [field]: ['three'], [dated]: '', whiteboard: 'a, b', url: 'http://x' },
      ],
      [world.edna, { dupe_of: master }],
      [world.edna, { status: 'CONFIRMED', keywords: { remove: [keyword] }, qa_contact: '', deadline: '' }],
      [world.edna, { dupe_of: other }],
    ]
    const seen: Awaited<ReturnType<typeof readBug>>[] = []
    const look = async (day: number) => {
      await moveTo(world, bug, `2026-01-${String(day).padStart(2, '0')}T12:00:00Z`)
      seen.push(await readBug(world.edna, bug, '?include_fields=_default,description,comments,comment_count,history'))
    }
    await look(1)
    for (const [place, [who, changes]] of steps.entries()) {
      await change(who, bug, changes)
      await look(place + 2)
    }
    for (const [place, bugThen] of seen.entries()) {
      const at = `2026-01-${String(place + 1).padStart(2, '0')}T12:00:00Z`
      const query = `?as_of=${at}&include_fields=_default,description,comments,comment_count,history`
      const rebuilt = await readBug(world.edna, bug, query)
      const { flags: _, update_token: __, ...expected }: Partial<typeof bugThen> = bugThen
      if (bugThen.product !== seen.at(-1)?.product) delete expected.classification
      // Flags and update_token have no history, so they are not returned.
      assert.deepEqual(rebuilt, expected, `as of ${at}`)
    }
  })

  itOnOneEngine(world, 'returns the requested fields', async () => {
    const bug = await fileBug(world.edna)
    const query = '?as_of=2099-01-01&include_fields=id,summary,creator_detail.name,assigned_to_detail.real_name,flags'
    const { summary, creator_detail, assigned_to_detail, ...rest } = await readBug(world.nobody, bug, query)
    assert.equal(summary, 'Something is wrong')
    assert.deepEqual(creator_detail, { name: cast.edna.login })
    assert.deepEqual(Object.keys(assigned_to_detail), ['real_name'])
    assert.deepEqual(rest, { id: bug })
  })

  it('shows no more than the caller may see today', async () => {
    const bug = await fileBug(world.edna)
    const hidden = await silentBug(world, 'security')
    const line = { bugId: bug, field: 'depends_on', removed: String(hidden), added: '' }
    await remember(world, 'edna', '2099-01-01T00:00:00Z', line, {
      bugId: bug,
      field: 'estimated_time',
      removed: '7.00',
      added: '0',
    })
    const then = (who: Client) => readBug(who, bug, '?as_of=2098-01-01')
    assert.deepEqual((await then(world.stan)).depends_on, [])
    assert.equal('estimated_time' in (await then(world.stan)), false)
    assert.deepEqual((await then(world.sven)).depends_on, [hidden])
    assert.equal((await then(world.sven)).estimated_time, 7)
    assertRefused(await world.stan.get(`/rest/bug/${hidden}?as_of=2099-01-01`), 401, 102)
  })

  itOnOneEngine(world, 'is refused for a time before the bug was filed, and for an invalid time', async () => {
    const bug = await fileBug(world.edna)
    assertRefused(await world.edna.get(`/rest/bug/${bug}?as_of=2001-01-01`), 404, 101)
    const { body } = await world.edna.get(`/rest/bug/${bug}?as_of=2001-01-01&permissive=1`)
    assert.deepEqual(body.bugs, [])
    assert.deepEqual([body.faults[0].id, body.faults[0].faultCode], [bug, 101])
    for (const wrong of ['then', '2026-02-30'])
      assertRefused(await world.edna.get(`/rest/bug/${bug}?as_of=${wrong}`), 400, 56)
  })
})
