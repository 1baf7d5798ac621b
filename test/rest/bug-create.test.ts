import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { CREATE_PARAMS } from '../../src/bugs/filing/create-params.ts'
import { cast } from '../support/cast.ts'
import { readComments } from '../support/discussion.ts'
import { fileBug, newBug, readBug } from '../support/file-bug.ts'
import { newMember, setControl } from '../support/new-member.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { sampled } from '../support/sample.ts'
import { describeOnce, describeOnEachEngine, itOnce, itOnOneEngine, type World } from '../support/world.ts'

describeOnEachEngine('POST /rest/bug', (world) => {
  describe('with a product, a component and a summary', () => {
    itOnOneEngine(world, 'returns the number of the bug and nothing else', async () => {
      const { status, body } = await world.edna.post('/rest/bug', newBug())
      assert.deepEqual({ status, keys: Object.keys(body) }, { status: 200, keys: ['id'] })
      assert.equal(typeof body.id, 'number')
    })

    itOnOneEngine(world, 'gives the rest its defaults', async () => {
      const bug = await readBug(world.edna, await fileBug(world.edna))
      assert.match(bug.creation_time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
      assert.equal(bug.last_change_time, bug.creation_time)
      const { id: _, creation_time: _c, last_change_time: _l, update_token, ...rest } = bug
      assert.match(update_token, /^\d+-[\w-]{22}$/)
      const ada = detail(1, cast.ada)
      const edna = { ...detail(bug.creator_detail.id, cast.edna) }
      assert.deepEqual(rest, {
        alias: [],
        summary: 'Something is wrong',
        status: 'CONFIRMED',
        resolution: '',
        is_open: true,
        is_confirmed: true,
        product: 'TestProduct',
        component: 'TestComponent',
        classification: 'Unclassified',
        version: 'unspecified',
        target_milestone: '---',
        priority: '---',
        severity: 'normal',
        op_sys: 'All',
        type: 'defect',
        platform: 'All',
        url: '',
        whiteboard: '',
        keywords: [],
        see_also: [],
        depends_on: [],
        blocks: [],
        dupe_of: null,
        deadline: null,
        creator: cast.edna.login,
        creator_detail: edna,
        assigned_to: cast.ada.login,
        assigned_to_detail: ada,
        qa_contact: '',
        cc: [],
        cc_detail: [],
        groups: [],
        flags: [],
        is_cc_accessible: true,
        is_creator_accessible: true,
        actual_time: 0,
        estimated_time: 0,
        remaining_time: 0,
      })
    })

    itOnOneEngine(world, 'has a description that is empty, and no history', async () => {
      const id = await fileBug(world.edna)
      const [only, ...more] = await readComments(world.nobody, id)
      assert.deepEqual(more, [])
      assert.deepEqual(
        { count: only.count, text: only.text, creator: only.creator, is_private: only.is_private },
        { count: 0, text: '', creator: cast.edna.login, is_private: false },
      )
      assert.deepEqual(await historyOf(world, id), [])
    })

    it('writes an event for the delivery', async () => {
      const id = await fileBug(world.edna)
      const events = await world.db.query((q) => q.selectFrom('outbox').selectAll().where('bug_id', '=', id))
      assert.deepEqual(
        events.map(({ kind, bug_id }) => ({ kind, bug_id })),
        [{ kind: 'bug.create', bug_id: id }],
      )
    })
  })

  describe('with everything that can be given', () => {
    before(async () => {
      for (const name of ['crash', 'perf']) await world.ada.post('/rest/keyword', { name, description: name })
      await world.ada.post('/rest/product/TestProduct/milestone', { name: 'M1' })
    })

    itOnOneEngine(world, 'accepts all fields from a user with editbugs', async () => {
      const other = await fileBug(world.edna)
      const waiting = await fileBug(world.edna)
      const alias = world.unique('alias-')
      const id = await fileBug(world.edna, {
        version: 'unspecified',
        description: 'First line\r\nsecond line  \n',
        op_sys: 'linux',
        platform: 'pc',
        priority: 'high',
        severity: 'MAJOR',
        status: 'in_progress',
        alias: [alias],
        assigned_to: cast.sven.login,
        qa_contact: cast.rhea.login.toUpperCase(),
        cc: [cast.stan.login, cast.uma.login],
        target_milestone: 'm1',
        url: 'https://example.org/x',
        whiteboard: 'to do',
        keywords: ['perf', 'CRASH'],
        see_also: ['https://github.com/o/r/issues/1'],
        depends_on: [other],
        blocks: [waiting],
        deadline: '2030-1-31',
        estimated_time: 5.5,
        is_cc_accessible: false,
        is_creator_accessible: false,
      })
      const bug: Record<string, unknown> = await readBug(world.edna, alias)
      const shown = Object.fromEntries(Object.keys(EVERYTHING).map((name) => [name, bug[name]]))
      assert.deepEqual(shown, { ...EVERYTHING, id, alias: [alias], depends_on: [other], blocks: [waiting] })
      const comments = await readComments(world.edna, id)
      assert.equal(comments[0].text, 'First line\nsecond line')
    })

    itOnOneEngine(world, 'accepts Bugzilla’s names, and prefers those of the REST API', async () => {
      const old = {
        short_desc: 'Old name',
        rep_platform: 'PC',
        bug_severity: 'major',
        bug_status: 'IN_PROGRESS',
        bug_file_loc: 'http://old/',
        status_whiteboard: 'old',
        comment: 'old',
      }
      const { summary: _, ...rest } = newBug(old)
      const made = await world.edna.post('/rest/bug', rest)
      assert.equal(made.status, 200, made.text)
      const fields = '?include_fields=summary,platform,severity,status,url,whiteboard'
      assert.deepEqual(await readBug(world.edna, made.body.id, fields), {
        summary: 'Old name',
        platform: 'PC',
        severity: 'major',
        status: 'IN_PROGRESS',
        url: 'http://old/',
        whiteboard: 'old',
      })
      const both = await fileBug(world.edna, {
        ...old,
        summary: 'New name',
        platform: 'Other',
        severity: 'minor',
        status: 'CONFIRMED',
        url: 'http://new/',
        whiteboard: 'new',
        description: 'new',
      })
      assert.deepEqual(await readBug(world.edna, both, fields), {
        summary: 'New name',
        platform: 'Other',
        severity: 'minor',
        status: 'CONFIRMED',
        url: 'http://new/',
        whiteboard: 'new',
      })
      const comments = await readComments(world.edna, both)
      assert.equal(comments[0].text, 'new')
    })

    itOnOneEngine(
      world,
      'takes lists as text with commas, and parameters from the query, which win over the body',
      async () => {
        const [one, two] = [await fileBug(world.edna), await fileBug(world.edna)]
        const alias = [world.unique('x'), world.unique('y')]
        const { body, text } = await world.edna.post(
          '/rest/bug?summary=From%20the%20query',
          newBug({
            keywords: 'crash, perf',
            cc: `${cast.stan.login},${cast.uma.login}`,
            depends_on: `${one},${two}`,
            alias: alias.join(', '),
          }),
        )
        const bug = await readBug(world.edna, body.id ?? text)
        const { summary, keywords, cc, depends_on } = bug
        assert.deepEqual(
          { summary, keywords, cc, depends_on, alias: bug.alias },
          {
            summary: 'From the query',
            keywords: ['crash', 'perf'],
            cc: [cast.stan.login, cast.uma.login],
            depends_on: [one, two],
            alias,
          },
        )
      },
    )

    itOnOneEngine(world, 'ignores fields that cannot be chosen', async () => {
      const id = await fileBug(world.edna, {
        id: 99,
        creator: cast.ada.login,
        reporter: cast.ada.login,
        creation_time: '2001-01-01T00:00:00Z',
        creation_ts: '2001-01-01',
        last_change_time: '2001-01-01T00:00:00Z',
      })
      const bug = await readBug(world.edna, id)
      assert.equal(bug.creator, cast.edna.login)
      assert.notEqual(bug.creation_time.slice(0, 4), '2001')
    })

    itOnOneEngine(world, 'turns a summary into one line, and keeps characters of every script', async () => {
      const id = await fileBug(world.edna, { summary: '  Über\nall \u{1f41b}\tall ' })
      assert.equal((await readBug(world.nobody, id)).summary, 'Über all \u{1f41b} all')
    })

    itOnOneEngine(world, 'copies those whom the component copies, besides those who were named', async () => {
      const { name } = await newProduct(world)
      await world.ada.put(`/rest/component/${name}/Core`, {
        default_cc: [cast.uma.login],
        default_qa_contact: cast.greta.login,
      })
      const id = await fileBug(world.edna, { product: name, component: 'Core', cc: [cast.stan.login, cast.uma.login] })
      const { cc, qa_contact, qa_contact_detail } = await readBug(world.edna, id)
      assert.deepEqual(
        { cc, qa_contact, name: qa_contact_detail.name },
        { cc: [cast.stan.login, cast.uma.login], qa_contact: cast.greta.login, name: cast.greta.login },
      )
    })
  })

  describe('by a user without rights', () => {
    itOnOneEngine(world, 'gets the defaults for what they may not choose', async () => {
      const other = await fileBug(world.edna)
      const id = await fileBug(world.rhea, {
        status: 'IN_PROGRESS',
        resolution: 'FIXED',
        assigned_to: cast.stan.login,
        qa_contact: cast.stan.login,
        depends_on: [other],
        blocks: [other],
        deadline: '2030-01-31',
        estimated_time: 7,
        priority: 'Highest',
        target_milestone: '---',
      })
      const { status, is_confirmed, assigned_to, qa_contact, depends_on, blocks, deadline, priority } = await readBug(
        world.rhea,
        id,
      )
      assert.deepEqual(
        { status, is_confirmed, assigned_to, qa_contact, depends_on, blocks, deadline, priority },
        {
          status: 'UNCONFIRMED',
          is_confirmed: false,
          assigned_to: cast.ada.login,
          qa_contact: '',
          depends_on: [],
          blocks: [],
          deadline: null,
          priority: 'Highest',
        },
      )
      assert.equal((await readBug(world.edna, id)).estimated_time, 0)
    })

    itOnOneEngine(world, 'begins as confirmed where nothing is unconfirmed', async () => {
      const { name } = await newProduct(world)
      await world.ada.put(`/rest/product/${name}`, { has_unconfirmed: false })
      const id = await fileBug(world.rhea, { product: name, component: 'Core' })
      assert.equal((await readBug(world.rhea, id)).status, 'CONFIRMED')
      const body = newBug({ product: name, component: 'Core', status: 'UNCONFIRMED' })
      assertRefused(await world.edna.post('/rest/bug', body), 400, 123)
    })

    itOnOneEngine(world, 'chooses the status with canconfirm, in the product or everywhere', async () => {
      const { name } = await newProduct(world)
      const group = await world.newGroup()
      await setControl(world, name, group.name, { canconfirm: true })
      const here = await newMember(world, group.name)
      const everywhere = await newMember(world, 'canconfirm')
      for (const { client } of [here, everywhere]) {
        const id = await fileBug(client, { product: name, component: 'Core', status: 'IN_PROGRESS' })
        assert.equal((await readBug(client, id)).status, 'IN_PROGRESS')
      }
      const elsewhere = await fileBug(here.client, { status: 'IN_PROGRESS' })
      assert.equal((await readBug(here.client, elsewhere)).status, 'UNCONFIRMED')
    })

    itOnOneEngine(world, 'chooses people with editbugs in the product', async () => {
      const { name } = await newProduct(world)
      const group = await world.newGroup()
      await setControl(world, name, group.name, { editbugs: true })
      const { client } = await newMember(world, group.name)
      const id = await fileBug(client, { product: name, component: 'Core', assigned_to: cast.stan.login })
      assert.equal((await readBug(client, id)).assigned_to, cast.stan.login)
    })
  })

  itOnOneEngine(world, 'skips what is empty or null in lists', async () => {
    await world.ada.post('/rest/keyword', { name: 'skipper', description: 'For a test' })
    const other = await fileBug(world.edna)
    const id = await fileBug(world.edna, {
      cc: ['', null, cast.stan.login, ' '],
      keywords: [null, 'skipper', ''],
      see_also: ['', 'https://github.com/a/b/issues/1', null],
      depends_on: [null, other, ''],
      blocks: [null],
      alias: [null, ''],
    })
    const { cc, keywords, see_also, depends_on, blocks, alias } = await readBug(world.edna, id)
    assert.deepEqual(
      { cc, keywords, see_also, depends_on, blocks, alias },
      {
        cc: [cast.stan.login],
        keywords: ['skipper'],
        see_also: ['https://github.com/a/b/issues/1'],
        depends_on: [other],
        blocks: [],
        alias: [],
      },
    )
    const blank = { cc: '', keywords: ' ', see_also: '', depends_on: '', blocks: '', alias: '' }
    assert.deepEqual((await readBug(world.edna, await fileBug(world.edna, blank))).see_also, [])
    assert.deepEqual((await readBug(world.edna, await fileBug(world.edna, { see_also: ' ' }))).see_also, [])
  })

  it('refuses an alias that another bug has, in any letter case', async () => {
    const alias = world.unique('Taken-')
    await fileBug(world.edna, { alias })
    const bugs = await countBugs(world)
    assertRefused(await world.edna.post('/rest/bug', newBug({ alias: alias.toLowerCase() })), 400, 103)
    assert.equal(await countBugs(world), bugs)
  })

  // These are decided before a statement is run, or by the same statements as what is accepted.
  describeOnce(world, 'refuses', () => {
    it('an anonymous caller', async () => assertRefused(await world.nobody.post('/rest/bug', newBug()), 401, 410))

    const wrong: [title: string, more: Record<string, unknown>, status: number, code: number][] = [
      ['an unknown field', { nosuchfield: 1 }, 400, 53],
      ['an unknown custom field', { cf_nosuch: 'x' }, 400, 53],
      ['no product', { product: undefined }, 400, 50],
      ['an empty product', { product: '' }, 400, 50],
      ...[
        'op_sys',
        'platform',
        'rep_platform',
        'priority',
        'severity',
        'version',
        'target_milestone',
        'status',
      ].flatMap((name): [string, Record<string, unknown>, number, number][] => [
        [`an empty ${name}`, { [name]: '' }, 400, 50],
        [`a blank ${name}`, { [name]: ' ' }, 400, 50],
      ]),
      ['an unknown product', { product: 'NoSuch' }, 401, 106],
      ['a product by its id', { product: '1' }, 401, 106],
      ['no component', { component: undefined }, 400, 105],
      ['an unknown component', { component: 'NoSuch' }, 404, 51],
      ['an unknown version', { version: 'NoSuch' }, 404, 51],
      ['no summary', { summary: undefined }, 400, 107],
      ['a blank summary', { summary: ' \n ' }, 400, 107],
      ['a summary that is too long', { summary: 'x'.repeat(256) }, 400, 104],
      ['a summary that is a list', { summary: ['a', 'b'] }, 400, 53],
      ['a summary that is an object', { summary: { a: 1 } }, 400, 53],
      ['an unknown operating system', { op_sys: 'NoSuch' }, 404, 51],
      ['an unknown platform', { platform: 'NoSuch' }, 404, 51],
      ['an unknown priority', { priority: 'P99' }, 404, 51],
      ['an unknown severity', { severity: 'NoSuch' }, 404, 51],
      ['an unknown status', { status: 'NOPE' }, 404, 51],
      ['a status that no bug begins with', { status: 'RESOLVED', resolution: 'FIXED' }, 400, 123],
      ['an unknown resolution', { resolution: 'NOPE' }, 404, 51],
      ['a resolution of an open bug', { resolution: 'FIXED' }, 400, 122],
      ['an unknown milestone', { target_milestone: 'M99' }, 404, 51],
      ['an unknown assignee', { assigned_to: 'nobody@nowhere.test' }, 404, 51],
      ['an unknown QA contact', { qa_contact: 'nobody@nowhere.test' }, 404, 51],
      ['an unknown person to copy', { cc: ['nobody@nowhere.test'] }, 401, 504],
      ['an unknown keyword', { keywords: ['nosuch'] }, 404, 51],
      ['an unknown group', { groups: ['nosuch'] }, 401, 120],
      ['a group that the product does not use', { groups: ['security'] }, 401, 120],
      ['an alias that is a number', { alias: ['12'] }, 400, 103],
      ['an alias that is a bare number', { alias: 12 }, 400, 103],
      ['an alias with a blank', { alias: ['a b'] }, 400, 103],
      ['an alias with a comma', { alias: ['a,b'] }, 400, 103],
      ['an alias that is too long', { alias: ['x'.repeat(41)] }, 400, 103],
      ['an alias that is an object', { alias: { add: ['x'] } }, 400, 53],
      ['an unknown bug to wait for', { depends_on: [999999] }, 404, 101],
      ['a word to wait for', { depends_on: ['nosuch'] }, 400, 100],
      ['an unknown bug that waits', { blocks: [999999] }, 404, 101],
      ['a private description by somebody who is no insider', { comment_is_private: true }, 401, 113],
      ['a description that is too long', { description: 'x'.repeat(65_536) }, 400, 114],
      ['a deadline that is no date', { deadline: 'soon' }, 400, 56],
      ['a deadline that no month has', { deadline: '2026-02-30' }, 400, 56],
      ['a deadline with a time', { deadline: '2026-02-20T10:00:00Z' }, 400, 56],
      ['an estimate that is no number', { estimated_time: 'long' }, 400, 52],
      ['an estimate that is too large', { estimated_time: 100_000 }, 400, 54],
      ['an estimate below nothing', { estimated_time: -1 }, 400, 55],
      ['a See Also that leads to no tracker', { see_also: ['http://t.test/whatever'] }, 400, 112],
      ['a See Also that names no bug', { see_also: ['nosuch'] }, 400, 100],
      ['a See Also to an unknown bug', { see_also: ['999999'] }, 404, 101],
      ['flags that are no list', { flags: 'review?' }, 400, 53],
      ['an unknown flag', { flags: [{ name: 'nosuch', status: '?' }] }, 404, 51],
      ['an accessible flag that is neither yes nor no', { is_cc_accessible: 'maybe' }, 400, 53],
      ['text that no text may hold', { summary: 'a\u0000b' }, 400, 53],
    ]
    for (const [title, more, status, code] of wrong) {
      it(title, async () => {
        const bugs = await countBugs(world)
        assertRefused(await world.edna.post('/rest/bug', newBug(more)), status, code)
        assert.equal(await countBugs(world), bugs)
      })
    }

    it('what is of the wrong kind, with a number of the table, and files nothing then', async () => {
      const odd = [
        {},
        { a: 1 },
        [[1]],
        [{}],
        [null],
        'x'.repeat(70_000),
        -1,
        1.5,
        1e300,
        true,
        '\u2028',
        '💥',
        null,
        '',
      ]
      for (const [place, name] of Object.keys(CREATE_PARAMS).entries()) {
        for (const value of sampled(odd, Math.min(odd.length, 8), place)) {
          const bugs = await countBugs(world)
          const { status, body } = await world.edna.post('/rest/bug', newBug({ [name]: value }))
          const given = `${name}: ${JSON.stringify(value).slice(0, 20)} is answered ${status} ${body.message ?? ''}`
          assert.ok([200, 400, 401, 404].includes(status), given)
          assert.equal(await countBugs(world), status === 200 ? bugs + 1 : bugs, given)
        }
      }
    })

    it('names the field that it does not know', async () => {
      const { body } = await world.edna.post('/rest/bug', newBug({ sumary: 'x' }))
      assert.match(body.message, /sumary/)
    })

    it('a product that is closed, hidden or missing, all alike', async () => {
      const closed = await newProduct(world)
      await world.ada.put(`/rest/product/${closed.name}`, { is_open: false })
      const hidden = await newHiddenProduct(world)
      for (const product of [closed.name, hidden.name, 'Missing']) {
        const reply = await world.edna.post('/rest/bug', newBug({ product, component: 'Core' }))
        assertRefused(reply, 401, 106)
        assert.equal(
          reply.body.message.replace(product, 'X'),
          'There is no product “X”, or you are not allowed to use it.',
        )
      }
    })

    it('a component, version, milestone or value that is no longer in use', async () => {
      const { name } = await newProduct(world, ['Core', 'Attic'])
      await world.ada.put(`/rest/component/${name}/Attic`, { is_open: false })
      for (const part of ['version', 'milestone'])
        await world.ada.post(`/rest/product/${name}/${part}`, { name: 'old', is_active: false })
      const value = world.unique('prio')
      await world.ada.post('/rest/field/bug/priority/values', { name: value, is_active: false })
      const more = [{ component: 'Attic' }, { version: 'old' }, { target_milestone: 'old' }, { priority: value }]
      for (const wrong of more) {
        const body = newBug({ product: name, component: 'Core', version: '1.0', ...wrong })
        assertRefused(await world.edna.post('/rest/bug', body), 400, 32000)
      }
    })

    it('no version where there are several', async () => {
      const { name } = await newProduct(world)
      await world.ada.post(`/rest/product/${name}/version`, { name: '2.0' })
      assertRefused(await world.edna.post('/rest/bug', newBug({ product: name, component: 'Core' })), 400, 50)
    })

    it('nothing where the parameters leave fields without a default: operating system first', async () => {
      const none = {
        default_bug_type: '',
        defaultopsys: '',
        defaultplatform: '',
        defaultpriority: '',
        defaultseverity: '',
      }
      await world.withParameters(none, async () => {
        const empty = await world.edna.post('/rest/bug', {})
        assertRefused(empty, 400, 50)
        assert.match(empty.body.message, /op_sys/)
        const steps = [{ op_sys: 'All' }, { platform: 'All' }, { priority: '---' }, { severity: 'normal' }]
        const given: Record<string, unknown> = {}
        for (const step of steps) {
          assertRefused(await world.edna.post('/rest/bug', newBug(given)), 400, 50)
          Object.assign(given, step)
        }
        await fileBug(world.edna, given)
      })
    })
  })

  describe('with a bug that waits and one that is waited for', () => {
    it('writes it into the history of the others and moves the time of their change', async () => {
      const [first, last] = [await fileBug(world.edna), await fileBug(world.edna)]
      await backdate(world, [first, last])
      const id = await fileBug(world.edna, { depends_on: [first], blocks: [last] })
      assert.deepEqual(await historyOf(world, first), [{ field: 'blocks', removed: '', added: String(id) }])
      assert.deepEqual(await historyOf(world, last), [{ field: 'depends_on', removed: '', added: String(id) }])
      assert.deepEqual(await historyOf(world, id), [])
      for (const other of [first, last])
        assert.notEqual((await readBug(world.edna, other)).last_change_time, '2001-01-01T00:00:00Z')
      assert.deepEqual((await readBug(world.edna, first)).blocks, [id])
      assert.deepEqual((await readBug(world.edna, last)).depends_on, [id])
    })

    itOnOneEngine(world, 'refuses a circle', async () => {
      const last = await fileBug(world.edna)
      const first = await fileBug(world.edna, { depends_on: [last] })
      assertRefused(await world.edna.post('/rest/bug', newBug({ depends_on: [last], blocks: [last] })), 400, 116)
      assertRefused(await world.edna.post('/rest/bug', newBug({ depends_on: [first], blocks: [last] })), 400, 116)
    })

    it('refuses one that the caller does not see, as if to read it', async () => {
      const { name } = await newHiddenProduct(world)
      const hidden = await fileBug(world.sven, { product: name, component: 'Core' })
      for (const more of [{ depends_on: [hidden] }, { blocks: [hidden] }, { see_also: [`${hidden}`] }])
        assertRefused(await world.edna.post('/rest/bug', newBug(more)), 401, 102)
    })
  })

  describe('with bugs of ours in See Also', () => {
    itOnOneEngine(world, 'is named by them in turn', async () => {
      const other = await fileBug(world.edna, { alias: 'see-me' })
      const id = await fileBug(world.edna, { see_also: ['SEE-ME', `${other}`] })
      const [link] = (await readBug(world.edna, id)).see_also
      assert.match(link, new RegExp(`/show_bug.cgi\\?id=${other}$`))
      const { see_also } = await readBug(world.edna, other)
      assert.match(see_also.join(), new RegExp(`/show_bug.cgi\\?id=${id}$`))
      assert.deepEqual(await historyOf(world, other), [{ field: 'see_also', removed: '', added: see_also[0] }])
    })

    itOnOneEngine(world, 'is not named by those that the caller may not change', async () => {
      const other = await fileBug(world.edna)
      const id = await fileBug(world.stan, { see_also: [`${other}`] })
      assert.equal((await readBug(world.stan, id)).see_also.length, 1)
      assert.deepEqual((await readBug(world.edna, other)).see_also, [])
      assert.deepEqual(await historyOf(world, other), [])
    })
  })

  describe('with groups', () => {
    /** What each control does for members and others who file: whether they may ask for it, what they get without asking, and at least. */
    const controls: [member: string, other: string, asMember: Outcome, asOther: Outcome][] = [
      ['Shown', 'NA', { ask: true, none: false, empty: false }, { ask: 120, none: false, empty: false }],
      ['Shown', 'Shown', { ask: true, none: false, empty: false }, { ask: true, none: false, empty: false }],
      ['Shown', 'Default', { ask: true, none: false, empty: false }, { ask: true, none: true, empty: false }],
      ['Shown', 'Mandatory', { ask: true, none: false, empty: false }, { ask: true, none: true, empty: true }],
      ['Default', 'NA', { ask: true, none: true, empty: false }, { ask: 120, none: false, empty: false }],
      ['Default', 'Default', { ask: true, none: true, empty: false }, { ask: true, none: true, empty: false }],
      ['Default', 'Mandatory', { ask: true, none: true, empty: false }, { ask: true, none: true, empty: true }],
      ['Mandatory', 'Mandatory', { ask: true, none: true, empty: true }, { ask: true, none: true, empty: true }],
    ]
    for (const [membercontrol, othercontrol, asMember, asOther] of controls) {
      itOnce(world, `restricts the bug as ${membercontrol}/${othercontrol} says`, async () => {
        const product = await newProduct(world)
        const group = await world.newGroup()
        await setControl(world, product.name, group.name, { membercontrol, othercontrol })
        const member = await newMember(world, group.name)
        for (const [who, outcome] of [
          [member.client, asMember],
          [world.stan, asOther],
        ] as const) {
          const file = (more: object) =>
            who.post('/rest/bug', newBug({ product: product.name, component: 'Core', ...more }))
          const reply = await file({ groups: [group.name.toUpperCase()] })
          if (outcome.ask === 120) assertRefused(reply, 401, 120)
          else assert.deepEqual(await groupsOf(world, reply.body.id), [group.name])
          assert.deepEqual(await groupsOf(world, (await file({})).body.id), outcome.none ? [group.name] : [])
          assert.deepEqual(
            await groupsOf(world, (await file({ groups: [] })).body.id),
            outcome.empty ? [group.name] : [],
          )
        }
      })
    }

    itOnOneEngine(world, 'restricts no new bug to a group that is not in use', async () => {
      const product = await newProduct(world)
      const group = await world.newGroup()
      await setControl(world, product.name, group.name, { membercontrol: 'Mandatory', othercontrol: 'Mandatory' })
      await world.ada.put(`/rest/group/${group.name}`, { is_active: false })
      const id = await fileBug(world.stan, { product: product.name, component: 'Core' })
      assert.deepEqual(await groupsOf(world, id), [])
      const body = newBug({ product: product.name, component: 'Core', groups: [group.name] })
      assertRefused(await world.ada.post('/rest/bug', body), 401, 120)
    })

    it('hides the bug from those outside at once', async () => {
      const { name } = await newHiddenProduct(world)
      const id = await fileBug(world.sven, { product: name, component: 'Core' })
      assertRefused(await world.edna.get(`/rest/bug/${id}`), 401, 102)
      assert.deepEqual((await readBug(world.sven, id)).groups, ['security'])
    })
  })

  describe('with a private description', () => {
    it('shows it to insiders alone', async () => {
      await world.withParameters({ insidergroup: 'security' }, async () => {
        const id = await fileBug(world.sven, { description: 'hush', comment_is_private: true })
        assert.equal((await readComments(world.sven, id))[0].text, 'hush')
        assert.deepEqual(await readComments(world.edna, id), [])
      })
    })
  })

  describe('with times', () => {
    itOnOneEngine(world, 'starts with as much left as was estimated', async () => {
      const bug = await readBug(world.edna, await fileBug(world.edna, { estimated_time: '2.25', deadline: '' }))
      const { estimated_time, remaining_time, actual_time, deadline } = bug
      assert.deepEqual(
        { estimated_time, remaining_time, actual_time, deadline },
        { estimated_time: 2.25, remaining_time: 2.25, actual_time: 0, deadline: null },
      )
    })
  })

  describe('with parameters that are switched', () => {
    itOnOneEngine(world, 'gives every user the default priority when filers may not choose it', async () => {
      await world.withParameters({ letsubmitterchoosepriority: '0' }, async () => {
        assert.equal((await readBug(world.edna, await fileBug(world.edna, { priority: 'High' }))).priority, '---')
      })
    })
  })

  describe('with strict_isolation', () => {
    it('gives no role to a user who may not see the product or change its bugs', async () => {
      const { name } = await newProduct(world)
      await setControl(world, name, 'security', { canedit: true })
      const given = { product: name, component: 'Core' }
      await fileBug(world.ada, { ...given, cc: [cast.stan.login] })
      await world.withParameters({ strict_isolation: '1' }, async () => {
        for (const more of [
          { cc: [cast.stan.login] },
          { assigned_to: cast.edna.login },
          { qa_contact: cast.edna.login },
        ]) {
          const reply = await world.ada.post('/rest/bug', newBug({ ...given, ...more }))
          assertRefused(reply, 401, 504)
          assert.equal(reply.body.field, Object.keys(more)[0])
        }
        await fileBug(world.ada, { ...given, cc: [cast.sven.login], assigned_to: cast.sven.login })
        await setControl(world, name, (await world.newGroup()).name, { canedit: true })
        const ofOneGroup = newBug({ ...given, cc: [cast.sven.login] })
        assertRefused(await world.ada.post('/rest/bug', ofOneGroup), 401, 504)
        await world.withParameters({ or_groups: true }, async () => {
          assert.equal((await world.ada.post('/rest/bug', ofOneGroup)).status, 200)
          assertRefused(await world.ada.post('/rest/bug', newBug({ ...given, cc: [cast.stan.login] })), 401, 504)
        })
      })
    })
  })

  describe('by many at once', () => {
    it('gives an alias to one of them, and every other nothing', async () => {
      const alias = world.unique('wanted-')
      const bugs = await countBugs(world)
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => world.edna.post('/rest/bug', newBug({ alias, description: alias }))),
      )
      const codes = replies.map(({ status, body }) => (status === 200 ? 200 : body.code)).sort()
      assert.deepEqual(codes, [...Array(19).fill(103), 200])
      assert.equal(await countBugs(world), bugs + 1)
    })

    it('files all of them, each with its own number', async () => {
      const [first, last] = [await fileBug(world.edna), await fileBug(world.edna)]
      const made = await Promise.all(
        Array.from({ length: 20 }, (_, place) =>
          fileBug(world.edna, place % 2 ? { depends_on: [first, last] } : { see_also: [`${last}`, `${first}`] }),
        ),
      )
      assert.equal(new Set(made).size, 20)
      const { blocks, see_also } = await readBug(world.edna, first)
      assert.deepEqual([blocks.length, see_also.length], [10, 10])
      assert.equal((await historyOf(world, first)).length, 20)
    })
  })

  describe('where the workflow lets a bug begin closed', () => {
    itOnOneEngine(
      world,
      'needs a resolution, which is not DUPLICATE, and comments where they are asked for',
      async () => {
        const { body } = await world.ada.get('/rest/workflow')
        const more = [
          { from: null, to: 'RESOLVED', comment_required: false },
          { from: null, to: 'VERIFIED', comment_required: true },
        ]
        await world.ada.put('/rest/workflow', { transitions: [...body.transitions, ...more] })
        assertRefused(await world.edna.post('/rest/bug', newBug({ status: 'RESOLVED' })), 400, 121)
        const duplicate = newBug({ status: 'RESOLVED', resolution: 'DUPLICATE' })
        assertRefused(await world.edna.post('/rest/bug', duplicate), 400, 119)
        const id = await fileBug(world.edna, { status: 'RESOLVED', resolution: 'fixed' })
        const { status, resolution, is_open, is_confirmed } = await readBug(world.edna, id)
        assert.deepEqual(
          { status, resolution, is_open, is_confirmed },
          { status: 'RESOLVED', resolution: 'FIXED', is_open: false, is_confirmed: true },
        )
        const verified = { status: 'VERIFIED', resolution: 'FIXED' }
        assertRefused(await world.edna.post('/rest/bug', newBug(verified)), 400, 32000)
        await fileBug(world.edna, { ...verified, description: 'Seen to work' })
        await world.withParameters({ commentonchange_resolution: '1' }, async () => {
          assertRefused(
            await world.edna.post('/rest/bug', newBug({ status: 'RESOLVED', resolution: 'FIXED' })),
            400,
            32000,
          )
        })
        await world.ada.put('/rest/workflow', { transitions: body.transitions })
      },
    )
  })

  describe('with flags', () => {
    it('sets them together with the bug, and adds the requestee to the CC list', async () => {
      const name = world.unique('needinfo')
      const type = { name, description: 'Asks', target_type: 'bug', inclusions: ['TestProduct'] }
      assert.equal((await world.ada.post('/rest/flag_type', type)).status, 201)
      const id = await fileBug(world.edna, { flags: [{ name, status: '?', requestee: cast.stan.login }] })
      const { flags, cc } = await readBug(world.edna, id)
      assert.deepEqual(
        flags.map((flag: Record<string, unknown>) => [flag.name, flag.status, flag.setter, flag.requestee]),
        [[name, '?', cast.edna.login, cast.stan.login]],
      )
      assert.deepEqual(cc, [cast.stan.login])
      assert.deepEqual(await historyOf(world, id), [])
    })

    itOnOneEngine(world, 'files nothing when a flag cannot be set', async () => {
      const name = world.unique('once')
      await world.ada.post('/rest/flag_type', {
        name,
        description: 'Once',
        target_type: 'bug',
        inclusions: ['TestProduct'],
        is_multiplicable: false,
        is_requestable: false,
      })
      const bugs = await countBugs(world)
      assertRefused(await world.edna.post('/rest/bug', newBug({ flags: [{ name, status: '?' }] })), 400, 129)
      const twice = [
        { name, status: '+' },
        { name, status: '+' },
      ]
      assertRefused(await world.edna.post('/rest/bug', newBug({ flags: twice })), 400, 32000)
      assert.equal(await countBugs(world), bugs)
    })
  })
})

interface Outcome {
  ask: true | 120
  none: boolean
  empty: boolean
}

const EVERYTHING = {
  id: 0,
  alias: [] as string[],
  version: 'unspecified',
  op_sys: 'Linux',
  platform: 'PC',
  priority: 'High',
  severity: 'major',
  status: 'IN_PROGRESS',
  is_open: true,
  is_confirmed: true,
  assigned_to: cast.sven.login,
  qa_contact: cast.rhea.login,
  cc: [cast.stan.login, cast.uma.login],
  target_milestone: 'M1',
  url: 'https://example.org/x',
  whiteboard: 'to do',
  keywords: ['crash', 'perf'],
  see_also: ['https://github.com/o/r/issues/1'],
  depends_on: [] as number[],
  blocks: [] as number[],
  deadline: '2030-01-31',
  estimated_time: 5.5,
  remaining_time: 5.5,
  is_cc_accessible: false,
  is_creator_accessible: false,
}

function nickOf(realName: string, id: number) {
  return realName === 'Administrator' ? `administrator-${id}` : realName.split(' ')[0]?.toLowerCase()
}

function detail(id: number, { login, realName }: { login: string; realName: string }) {
  return { id, real_name: realName, nick: nickOf(realName, id), name: login, email: login }
}

async function countBugs(world: World) {
  return (await world.db.query((q) => q.selectFrom('bugs').select('id'))).length
}

async function historyOf(world: World, id: number) {
  const rows = await world.db.query((q) =>
    q.selectFrom('bug_changes').select(['field', 'removed', 'added']).where('bug_id', '=', id).orderBy('id'),
  )
  return rows.map((row) => ({ ...row }))
}

async function groupsOf(world: World, id: number) {
  return (await readBug(world.ada, id)).groups
}

async function backdate(world: World, ids: number[]) {
  await world.db.query((q) => q.updateTable('bugs').set({ changed_at: '2001-01-01T00:00:00Z' }).where('id', 'in', ids))
}
