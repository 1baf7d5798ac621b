import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { attach, base64 } from '../support/attach.ts'
import { cast } from '../support/cast.ts'
import { changeBug } from '../support/change-bug.ts'
import { say, withInsiders } from '../support/discussion.ts'
import { fileBug } from '../support/file-bug.ts'
import { newType } from '../support/flags.ts'
import { setControl } from '../support/new-member.ts'
import { newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { sampledOnPostgres } from '../support/sample.ts'
import { type SearchQuery, search, summariesOf } from '../support/search.ts'
import { type Client, describeOnEachEngine, itOnOneEngine } from '../support/world.ts'

describeOnEachEngine('GET /rest/bug with the parameters of the search form', (world) => {
  let product = ''
  let flag = ''
  let group = ''
  const ids: Record<string, number> = {}
  const finds = (query: SearchQuery, who: Client = world.edna) =>
    summariesOf(who, { ...(query.product === undefined && { product }), ...query })
  const refuses = async (query: SearchQuery, status: number, code: number, who: Client = world.edna) =>
    assertRefused(await search(who, query), status, code)

  before(async () => {
    product = (await newProduct(world, ['Core', 'UI'])).name
    flag = (await newType(world, { is_specifically_requestable: true })).name
    group = (await world.newGroup({ is_bug_group: true })).name
    const edna = (await world.ada.get(`/rest/user?names=${cast.edna.login}`)).body.users[0].id
    await world.ada.put(`/rest/user/${edna}`, { groups: { add: [group] } })
    const usual = { product, component: 'Core', version: '1.0' }
    ids.one = await fileBug(world.edna, {
      ...usual,
      summary: 'one',
      assigned_to: cast.edna.login,
      description: 'Alpha beta',
    })
    ids.two = await fileBug(world.rhea, { ...usual, summary: 'two', component: 'UI', description: 'Beta gamma' })
    ids.three = await fileBug(world.edna, {
      ...usual,
      summary: 'three',
      qa_contact: cast.sven.login,
      url: 'http://a.test/x',
    })
    await say(world.rhea, ids.one, 'gamma ray')
    await say(world.edna, ids.two, 'alpha delta')
    await changeBug(world.edna, ids.one, { priority: 'High', deadline: '2031-05-17', whiteboard: 'wait' })
    await changeBug(world.sven, ids.one, { priority: 'Low' })
    await changeBug(world.edna, ids.two, { priority: 'Low', cc: { add: [cast.sven.login] } })
    await changeBug(world.edna, ids.three, { status: 'RESOLVED', resolution: 'FIXED', estimated_time: 4, work_time: 1 })
    await changeBug(world.edna, ids.two, { flags: [{ name: flag, status: '?', requestee: cast.sven.login }] })
    await changeBug(world.edna, ids.one, { flags: [{ name: flag, status: '+' }] })
    await attach(world.edna, ids.one, { file_name: 'core.log', summary: 'A log', data: base64('panic at the disco\n') })
  })

  const chart = (...rows: [field: string, operator: string, value: string][]) =>
    Object.fromEntries(
      rows.flatMap(([f, o, v], at) => [
        [`f${at + 1}`, f],
        [`o${at + 1}`, o],
        [`v${at + 1}`, v],
      ]),
    )

  describe('joins its rows', () => {
    const A = ['short_desc', 'equals', 'one'] as [string, string, string]
    const B = ['short_desc', 'equals', 'two'] as [string, string, string]
    const cases: [how: string, asked: SearchQuery, found: string[]][] = [
      ['with AND', chart(A, B), []],
      ['with OR', { ...chart(A, B), j_top: 'OR' }, ['one', 'two']],
      ['and denies one of them', { ...chart(A), n1: '1' }, ['two', 'three']],
      [
        'in brackets that join otherwise',
        {
          f1: 'OP',
          j1: 'OR',
          f2: A[0],
          o2: A[1],
          v2: A[2],
          f3: B[0],
          o3: B[1],
          v3: B[2],
          f4: 'CP',
          f5: 'component',
          o5: 'equals',
          v5: 'UI',
        },
        ['two'],
      ],
      [
        'in brackets that are denied',
        { f1: 'OP', n1: '1', j1: 'OR', f2: A[0], o2: A[1], v2: A[2], f7: B[0], o7: B[1], v7: B[2], f9: 'CP' },
        ['three'],
      ],
      ['in brackets that are never closed', { f1: 'OP', f2: A[0], o2: A[1], v2: A[2] }, ['one']],
      [
        'in the order of their numbers, with gaps',
        { f20: 'CP', f3: 'OP', j3: 'OR', f10: B[0], o10: B[1], v10: B[2], f4: A[0], o4: A[1], v4: A[2] },
        ['one', 'two'],
      ],
      [
        'as if brackets with nothing in them were not there',
        {
          f1: 'OP',
          f2: 'CP',
          j_top: 'OR',
          ...Object.fromEntries(Object.entries(chart(A)).map(([name, value]) => [`${name[0]}5`, value])),
        },
        ['one'],
      ],
    ]
    for (const [how, asked, found] of sampledOnPostgres(world.engine, cases, 2))
      it(how, async () => assert.deepEqual(await finds(asked), found))

    itOnOneEngine(world, 'and refuses a closing bracket without an opening one', () =>
      refuses({ f1: 'CP' }, 400, 32000),
    )
    itOnOneEngine(world, 'and refuses brackets without end', () =>
      refuses(Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`f${at}`, 'OP'])), 400, 32000),
    )
  })

  itOnOneEngine(world, 'ranks by the words that it searches for, not by those that it denies', async () => {
    const either = chart(['content', 'notmatches', 'two'], ['short_desc', 'equals', 'two'])
    assert.deepEqual(await finds({ ...either, j_top: 'OR', order: 'relevance' }), ['one', 'two', 'three'])
  })

  describe('with AND_G', () => {
    it('asks all of one comment', async () => {
      const rows = chart(['longdesc', 'substring', 'alpha'], ['longdesc', 'substring', 'gamma'])
      assert.deepEqual(await finds(rows), ['one', 'two'])
      assert.deepEqual(await finds({ ...rows, j_top: 'AND_G' }), [])
      const together = chart(['longdesc', 'substring', 'beta'], ['longdesc', 'substring', 'gamma'])
      assert.deepEqual(await finds({ ...together, j_top: 'AND_G' }), ['two'])
    })

    it('asks all of one change', async () => {
      const rows = chart(['priority', 'changedto', 'High'], ['priority', 'changedby', cast.sven.login])
      assert.deepEqual(await finds(rows), ['one'])
      assert.deepEqual(await finds({ ...rows, j_top: 'AND_G' }), [])
      const same = chart(['priority', 'changedto', 'low'], ['priority', 'changedby', cast.sven.login])
      assert.deepEqual(await finds({ ...same, j_top: 'AND_G' }), ['one'])
    })

    it('asks of one flag who asks whom for what', async () => {
      const { name } = await newProduct(world, ['Core'])
      const usual = { product: name, component: 'Core', version: '1.0' }
      const request = { name: flag, status: '?' }
      const ofSven = { ...request, requestee: cast.sven.login }
      await fileBug(world.edna, { ...usual, summary: 'of both', flags: [ofSven, request] })
      await fileBug(world.edna, { ...usual, summary: 'of sven', flags: [ofSven, { name: flag, status: '+' }] })
      const findsFlag = (...rows: Parameters<typeof chart>) =>
        finds({ product: name, j_top: 'AND_G', ...chart(...rows) })
      const isRequest = ['flagtypes.name', 'substring', '?'] as [string, string, string]
      assert.deepEqual(await findsFlag(isRequest, ['requestees.login_name', 'isempty', '']), ['of both'])
      const isOfSven = ['requestees.login_name', 'equals', cast.sven.login] as [string, string, string]
      assert.deepEqual(await findsFlag(isRequest, isOfSven), ['of both', 'of sven'])
      assert.deepEqual(await findsFlag(['flagtypes.name', 'equals', `${flag}+`], isOfSven), [])
      assert.deepEqual(await findsFlag(isRequest, ['setters.login_name', 'equals', cast.sven.login]), [])
    })

    it('denies of the same comment what is denied', async () => {
      const rows = {
        ...chart(['longdesc', 'substring', 'alpha'], ['longdesc', 'notsubstring', 'beta']),
        j_top: 'AND_G',
      }
      assert.deepEqual(await finds(rows), ['two'])
    })

    itOnOneEngine(world, 'refuses rows about several fields, brackets and fields without items', async () => {
      await refuses({ ...chart(['longdesc', 'equals', 'a'], ['priority', 'equals', 'b']), j_top: 'AND_G' }, 400, 32000)
      await refuses({ ...chart(['product', 'equals', 'a']), j_top: 'AND_G' }, 400, 32000)
      await refuses({ f1: 'OP', f2: 'longdesc', o2: 'equals', v2: 'a', f3: 'CP', j_top: 'AND_G' }, 400, 32000)
    })
  })

  describe('in the older spelling', () => {
    const old: SearchQuery = {
      'field0-0-0': 'short_desc',
      'type0-0-0': 'equals',
      'value0-0-0': 'one',
      'field0-0-1': 'short_desc',
      'type0-0-1': 'equals',
      'value0-0-1': 'two',
      'field0-1-0': 'component',
      'type0-1-0': 'equals',
      'value0-1-0': 'UI',
    }
    it('takes columns as alternatives and rows together', async () => assert.deepEqual(await finds(old), ['two']))
    it('denies a whole chart', async () => assert.deepEqual(await finds({ ...old, negate0: 1 }), ['one', 'three']))
    it('passes over what was not filled in', async () =>
      assert.deepEqual(await finds({ 'field0-0-0': 'noop', 'type0-0-0': 'noop', 'value0-0-0': '' }), [
        'one',
        'two',
        'three',
      ]))
  })

  describe('finds people', () => {
    it('in the roles that are ticked', async () => {
      const sven = { email1: 'SVEN', emailtype1: 'substring' }
      assert.deepEqual(await finds({ ...sven, emailassigned_to1: 1 }), [])
      assert.deepEqual(await finds({ ...sven, emailqa_contact1: 1, emailcc1: 1 }), ['two', 'three'])
      assert.deepEqual(await finds({ email7: cast.rhea.login, emaillongdesc7: 1 }), ['one', 'two'])
      assert.deepEqual(await finds({ email1: cast.rhea.login, emailreporter1: 1, emailtype1: 'exact' }), ['two'])
    })

    it('in none of the roles when they are not to be there', async () => {
      const query = { email1: 'sven', emailtype1: 'notsubstring', emailqa_contact1: 1, emailcc1: 1 }
      assert.deepEqual(await finds(query), ['one'])
    })

    const pronouns: [pronoun: string, field: string, found: string[]][] = [
      ['%user%', 'assigned_to', ['one']],
      ['%reporter%', 'assigned_to', ['one']],
      ['%assignee%', 'commenter', ['one']],
      ['%qacontact%', 'cc', []],
      ['%user%', 'setters.login_name', ['one', 'two']],
    ]
    for (const [pronoun, field, found] of sampledOnPostgres(world.engine, pronouns, 3))
      it(`as ${pronoun} in ${field}`, async () =>
        assert.deepEqual(await finds(chart([field, 'equals', pronoun])), found))

    it('as members of a group that the caller is in', async () => {
      assert.deepEqual(await finds(chart(['reporter', 'anyexact', `nobody@a.test, %group.${group}%`])), [
        'one',
        'three',
      ])
      await refuses(chart(['assigned_to', 'equals', `%group.${group}%`]), 400, 804, world.stan)
      await refuses(chart(['assigned_to', 'equals', '%group.nosuch%']), 400, 804, world.stan)
    })

    it('as members of a group through another group', async () => {
      const inner = (await world.newGroup()).name
      await world.ada.put(`/rest/user/${cast.rhea.login}`, { groups: { add: [inner] } })
      const query = chart(['reporter', 'equals', `%group.${group}%`])
      assert.deepEqual(await finds(query), ['one', 'three'])
      await world.ada.put(`/rest/group/${group}`, { member_groups: { add: [inner] } })
      assert.deepEqual(await finds(query), ['one', 'two', 'three'])
      await world.ada.put(`/rest/group/${group}`, { member_groups: { remove: [inner] } })
    })

    itOnOneEngine(world, 'by no pronoun in a regular expression', async () => {
      assert.deepEqual(await finds(chart(['assigned_to', 'regexp', '%user%'])), [])
    })

    itOnOneEngine(world, 'and refuses pronouns without a user', async () => {
      await refuses(chart(['assigned_to', 'equals', '%user%']), 401, 410, world.nobody)
      await refuses(chart(['assigned_to', 'equals', '%everybody%']), 400, 32000)
    })

    it('who changed something, and refuses unknown users', async () => {
      assert.deepEqual(await finds(chart(['priority', 'changedby', cast.edna.login])), ['one', 'two'])
      assert.deepEqual(await finds(chart(['priority', 'changedby', '%user%']), world.sven), ['one'])
      assert.deepEqual(await finds(chart(['priority', 'changedby', '%reporter%'])), ['one'])
      await refuses(chart(['priority', 'changedby', 'nobody@a.test']), 401, 504)
    })
  })

  it('joins people with what an index finds, and each only with its own conditions', async () => {
    type Row = [field: string, operator: string, value: string]
    const inBrackets = (first: Row, second: Row, third: Row) => {
      const line = (at: number, [f, o, v]: Row) => ({ [`f${at}`]: f, [`o${at}`]: o, [`v${at}`]: v })
      return { j_top: 'OR', f1: 'OP', ...line(2, first), ...line(3, second), f4: 'CP', ...line(5, third) }
    }
    const assigned: Row = ['assigned_to', 'equals', cast.edna.login]
    const copied: Row = ['cc', 'equals', cast.sven.login]
    const inCore: Row = ['component', 'equals', 'Core']
    assert.deepEqual(await finds(inBrackets(assigned, inCore, copied)), ['one', 'two'])
    assert.deepEqual(await finds(inBrackets(assigned, ['component', 'equals', 'UI'], copied)), ['two'])
    assert.deepEqual(await finds(inBrackets(copied, inCore, assigned)), ['one'])
    assert.deepEqual(await finds(chart(assigned, copied)), [])
    assert.deepEqual(await finds({ ...chart(assigned, copied), n2: '1' }), ['one'])
  })

  itOnOneEngine(world, 'reads people between commas or words, as the operator says', async () => {
    const qaContact = (operator: string, value: string, who = world.sven) =>
      finds(chart(['qa_contact', operator, value]), who)
    assert.deepEqual(await qaContact('anywords', '%user% stan'), ['three'])
    assert.deepEqual(await qaContact('anyexact', `${cast.stan.login}, %user%`), ['three'])
    assert.deepEqual(await qaContact('anyexact', `%user%, ${cast.sven.login}`, world.edna), ['three'])
    assert.deepEqual(await qaContact('equals', `%user%, ${cast.stan.login}`), [])
    assert.deepEqual(await qaContact('equals', '%user%'), ['three'])
    assert.deepEqual(await finds(chart(['cc', 'anyexact', '%user%, %assignee%']), world.sven), ['two'])
    assert.deepEqual(await finds(chart(['commenter', 'anyexact', '%user%, %assignee%']), world.rhea), ['one', 'two'])
    assert.deepEqual(await finds(chart(['commenter', 'anyexact', '%qacontact%, %assignee%'])), ['one'])
    assert.deepEqual(await qaContact('anywordssubstr', 'nobody sven'), ['three'])
    assert.deepEqual(await qaContact('casesubstring', 'sven'), ['three'])
    assert.deepEqual(await qaContact('casesubstring', 'SVEN'), [])
    assert.deepEqual(await qaContact('substring', 'SVEN'), ['three'])
    assert.deepEqual(await qaContact('notsubstring', 'sven'), ['one', 'two'])
    assert.deepEqual(await qaContact('regexp', '^$'), ['one', 'two'])
    assert.deepEqual(await qaContact('lessthan', 'a'), ['one', 'two'])
    assert.deepEqual(await qaContact('greaterthaneq', 'a'), ['three'])
    assert.deepEqual(await qaContact('isempty', ''), ['one', 'two'])
  })

  itOnOneEngine(world, 'takes true, false, 1 and 0 for yes and no, and nothing else', async () => {
    const { name } = await newProduct(world, ['Core'])
    const open = await fileBug(world.edna, { product: name, component: 'Core', version: '1.0', summary: 'open' })
    await fileBug(world.edna, { product: name, component: 'Core', version: '1.0', summary: 'shut' })
    await changeBug(world.edna, open, { is_cc_accessible: false })
    const accessible = (operator: string, value: string) =>
      finds({ product: name, ...chart(['cclist_accessible', operator, value]) })
    for (const yes of ['true', 'TRUE', ' true ', '1']) assert.deepEqual(await accessible('equals', yes), ['shut'], yes)
    for (const no of ['false', 'False', ' false ', '0']) assert.deepEqual(await accessible('equals', no), ['open'], no)
    for (const neither of ['untrue', 'truely', 'unfalse', 'falsely', 'yes'])
      assert.deepEqual(await accessible('equals', neither), [], neither)
    assert.deepEqual(await accessible('anyexact', 'true,false'), ['open', 'shut'])
    assert.deepEqual(await accessible('lessthan', 'true'), ['open'])
    assert.deepEqual(await accessible('greaterthaneq', 'true'), ['shut'])
    assert.deepEqual(await accessible('notequals', 'true'), ['open'])
  })

  it('finds changes of links with bugs that the caller sees, and with no others', async () => {
    const { name } = await newProduct(world, ['Core'])
    const file = (summary: string) => fileBug(world.sven, { product: name, component: 'Core', version: '1.0', summary })
    const [linked, plain, hidden] = [await file('linked'), await file('plain'), await file('hidden')]
    const url = 'https://github.com/a/b/issues/1'
    await changeBug(world.sven, linked, { see_also: { add: [String(plain), String(hidden), url] } })
    const { see_also } = (await world.sven.get(`/rest/bug/${linked}`)).body.bugs[0]
    await setControl(world, name, 'security', { membercontrol: 'Shown', othercontrol: 'NA' })
    await changeBug(world.sven, hidden, { groups: { add: ['security'] } })
    const changed = (value: string, who: Client, operator = 'changedto') =>
      finds({ product: name, ...chart(['see_also', operator, value]) }, who)
    const readable = [see_also[0], url].join(', ')
    assert.deepEqual(await changed(readable, world.edna), ['linked'])
    assert.deepEqual(await changed(see_also.join(', '), world.sven), ['linked'])
    assert.deepEqual(await changed(see_also.join(', '), world.edna), [])
    assert.deepEqual(await changed(readable, world.sven), [])
    assert.deepEqual(await changed('', world.edna, 'everchanged'), ['linked', 'plain'])
    assert.deepEqual(await changed('', world.sven, 'everchanged'), ['linked', 'plain', 'hidden'])
  })

  it('compares hours with numbers between two hundredths, and with every hundredth exactly', async () => {
    const hours = (operator: string, value: string) => finds(chart(['estimated_time', operator, value]))
    await changeBug(world.edna, ids.one as number, { estimated_time: 0.29 })
    await changeBug(world.edna, ids.two as number, { estimated_time: 0.3 })
    assert.deepEqual(await hours('equals', '0.29'), ['one'])
    assert.deepEqual(await hours('anyexact', '0.29,0.295'), ['one'])
    assert.deepEqual(await hours('equals', '0.295'), [])
    assert.deepEqual(await hours('lessthan', '0.295'), ['one'])
    assert.deepEqual(await hours('lessthaneq', '0.295'), ['one'])
    assert.deepEqual(await hours('greaterthan', '0.295'), ['two', 'three'])
    assert.deepEqual(await hours('greaterthaneq', '0.295'), ['two', 'three'])
    assert.deepEqual(await hours('greaterthan', '0.29'), ['two', 'three'])
    assert.deepEqual(await hours('lessthan', '0.29'), [])
    for (const id of [ids.one, ids.two]) await changeBug(world.edna, id as number, { estimated_time: 0 })
  })

  describe('finds what was changed', () => {
    const cases: [what: string, asked: SearchQuery, found: string[]][] = [
      ['to a value', chart(['priority', 'changedto', 'Low']), ['one', 'two']],
      ['to a value with blanks around it', chart(['priority', 'changedto', ' Low ']), ['one', 'two']],
      ['from a value', chart(['priority', 'changedfrom', 'high']), ['one']],
      ['to a list as one text', { ...chart(['priority', 'changedto', '']), v1: ['Low', 'High'] }, []],
      ['not to a value', { ...chart(['priority', 'changedto', 'Low']), n1: '1' }, ['three']],
      ['at all', chart(['priority', 'everchanged', '']), ['one', 'two']],
      ['after some time', chart(['priority', 'changedafter', '-1h']), ['one', 'two']],
      ['before some time', chart(['priority', 'changedbefore', '-1h']), []],
      ['by creation', chart(['creation_ts', 'changedafter', '-1h']), ['one', 'two', 'three']],
      ['by a comment', chart(['longdesc', 'changedby', cast.rhea.login]), ['one', 'two']],
      ['as chfield says', { chfield: ['priority', 'bug_status'], chfieldfrom: '-1h' }, ['one', 'two', 'three']],
      [
        'as chfield says, to a value',
        { chfield: 'priority', chfieldvalue: 'Low', chfieldfrom: '-1h', chfieldto: 'Now' },
        ['one', 'two'],
      ],
      ['as chfield says, with the interface’s name', { chfield: 'status', chfieldfrom: '-1h' }, ['three']],
      [
        'as chfield says of creation',
        { chfield: '[Bug creation]', chfieldfrom: '2001-01-01', chfieldto: '2001-12-31' },
        [],
      ],
      ['in a time without a field', { chfieldfrom: '-1d', chfieldto: '+1d' }, ['one', 'two', 'three']],
      ['until the end of a day', { chfieldto: new Date().toISOString().slice(0, 10) }, ['one', 'two', 'three']],
      ['before a time without a field', { chfieldto: '2001-01-01' }, []],
    ]
    for (const [what, asked, found] of sampledOnPostgres(world.engine, cases, 2))
      it(what, async () => assert.deepEqual(await finds(asked), found))
  })

  describe('compares as <field>_type says', () => {
    const cases: [asked: SearchQuery, found: string[]][] = [
      [{ short_desc: 't', short_desc_type: 'substring' }, ['two', 'three']],
      [{ short_desc: '^t.o', short_desc_type: 'regexp' }, ['two']],
      [{ summary: 'one two', summary_type: 'anywords' }, ['one', 'two']],
      [{ short_desc: 'e on' }, ['one']],
      [{ component: ['UI'], component_type: 'notequals' }, ['one', 'three']],
      [{ longdesc: 'gamma', longdesc_type: 'anywords' }, ['one', 'two']],
      [{ longdesc: 'ray gam' }, ['one']],
      [{ bug_file_loc: 'test x' }, ['three']],
      [{ bug_file_loc: 'http://a.test/x', bug_file_loc_type: 'lessthaneq' }, ['one', 'two', 'three']],
      [{ bug_file_loc: 'http://a.test/x', bug_file_loc_type: 'greaterthaneq' }, ['three']],
      [{ flagtypes_name_type: 'isnotempty' }, ['one', 'two']],
      [{ longdescs_count: '3', longdescs_count_type: 'greaterthaneq' }, ['one']],
      [{ qa_contact_type: 'isempty' }, ['one', 'two']],
      [{ changedin: '1' }, ['one', 'two', 'three']],
      [{ deadlinefrom: '2031-05-17', deadlineto: '2031-05-17' }, ['one']],
      [{ deadlineto: '2031-05-16' }, []],
      [{ deadline: '2031-5-17' }, ['one']],
      [{ content: 'ray' }, ['one']],
    ]
    for (const [asked, found] of sampledOnPostgres(world.engine, cases, 2))
      it(JSON.stringify(asked), async () => assert.deepEqual(await finds(asked), found))

    it('takes a field whose own name ends so for a field', async () => {
      const name = 'cf_build_type'
      await world.ada.post('/rest/field/bug', { name, display_name: 'Build', type: 1, is_on_bug_entry: true })
      await changeBug(world.edna, ids.two ?? 0, { [name]: 'debug' })
      assert.deepEqual(await finds({ [name]: 'debug' }), ['two'])
      assert.deepEqual(await finds({ [name]: 'bug', [`${name}_type`]: 'substring' }), ['two'])
    })

    it('numbers of bugs that are left out', async () => {
      const query = { bug_id: `${ids.one},${ids.three}` }
      assert.deepEqual(await finds({ ...query, bugidtype: 'exclude' }), ['two'])
      assert.deepEqual(await finds({ ...query, bug_id_type: 'nowords' }), ['two'])
      assert.deepEqual(await finds({ ...query, bugidtype: 'include' }), ['one', 'three'])
    })
  })

  describe('finds by', () => {
    const cases: [what: string, asked: () => SearchQuery, found: string[]][] = [
      ['a flag with its status', () => chart(['flagtypes.name', 'equals', `${flag}?`]), ['two']],
      ['who is asked', () => chart(['requestees.login_name', 'equals', cast.sven.login]), ['two']],
      ['nobody being asked', () => chart(['requestees.login_name', 'isempty', '']), ['one', 'three']],
      ['the name of a file', () => chart(['attachments.filename', 'substring', 'CORE']), ['one']],
      ['what a file says', () => chart(['attach_data.thedata', 'substring', 'the disco']), ['one']],
      ['hours worked', () => chart(['work_time', 'greaterthan', '0.5']), ['three']],
      ['how much is done', () => chart(['percentage_complete', 'equals', '100']), ['three']],
      ['a real name', () => chart(['assigned_to_realname', 'substring', 'edna']), ['one']],
      ['how long the assignee has been idle', () => chart(['owner_idle_time', 'lessthan', '1w']), ['one']],
      ['days since a change', () => chart(['days_elapsed', 'lessthan', '1']), ['one', 'two', 'three']],
    ]
    for (const [what, asked, found] of sampledOnPostgres(world.engine, cases, 2))
      it(what, async () => assert.deepEqual(await finds(asked()), found))

    it('when the caller has seen the bug last', async () => {
      await world.edna.post(`/rest/bug_user_last_visit/${ids.two}`)
      assert.deepEqual(await finds(chart(['last_visit_ts', 'greaterthan', '-1h'])), ['two'])
      assert.deepEqual(await finds(chart(['last_visit_ts', 'greaterthan', '-1h']), world.sven), [])
    })

    it('whether the bug was changed since the caller saw it', async () => {
      const id = await fileBug(world.edna, { product, component: 'Core', version: '1.0', summary: 'seen' })
      await world.edna.post(`/rest/bug_user_last_visit/${id}`)
      const isBehind = { ...chart(['last_visit_ts', 'lessthan', '%last_changed%']), summary: 'seen' }
      assert.deepEqual(await finds(isBehind), [])
      await world.db.query((q) =>
        q.updateTable('bugs').set({ changed_at: '2099-01-01T00:00:00Z' }).where('id', '=', id),
      )
      assert.deepEqual(await finds(isBehind), ['seen'])
      await world.db.query((q) => q.deleteFrom('bugs').where('id', '=', id))
    })

    it('addresses only as far as anonymous callers are shown them', async () => {
      const queryFor = (given: string) => [
        chart(['priority', 'equals', 'Low'], ['reporter', 'equals', given]),
        chart(['reporter', 'equals', 'edna'], ['assigned_to', 'substring', given]),
        chart(['cc', 'changedto', given]),
        { creator: given },
      ]
      await changeBug(world.edna, ids.one as number, { assigned_to: cast.ada.login })
      await changeBug(world.edna, ids.one as number, { assigned_to: cast.edna.login })
      await world.withParameters({ useqacontact: true }, async () => {
        await changeBug(world.edna, ids.one as number, { qa_contact: cast.ada.login })
        await changeBug(world.edna, ids.one as number, { qa_contact: '' })
      })
      const returned = chart(['assigned_to', 'changedto', cast.edna.login])
      const testedBefore = chart(['qa_contact', 'changedfrom', cast.ada.login])
      for (const it of [returned, testedBefore]) assert.deepEqual(await finds(it, world.nobody), ['one'])
      await world.withParameters({ webservice_email_filter: true }, async () => {
        for (const it of [...queryFor(cast.edna.login), ...queryFor('lacewing.test'), returned, testedBefore])
          assert.deepEqual(await finds(it, world.nobody), [], JSON.stringify(it))
        assert.deepEqual(await finds(chart(['qa_contact', 'changedfrom', 'ada']), world.nobody), ['one'])
        assert.deepEqual(await finds({ creator: 'edna' }, world.nobody), ['one', 'three'])
        assert.deepEqual(await finds(chart(['assigned_to', 'changedto', 'edna']), world.nobody), ['one'])
        assert.deepEqual(await finds(returned), ['one'])
      })
    })

    it('comments being private only for insiders', async () => {
      await withInsiders(world, async () => {
        await say(world.sven, ids.three as number, 'omega', { is_private: true })
        assert.deepEqual(await finds(chart(['longdescs.isprivate', 'equals', '1']), world.sven), ['three'])
        assert.deepEqual(await finds(chart(['longdesc', 'substring', 'omega']), world.sven), ['three'])
        assert.deepEqual(await finds(chart(['longdesc', 'substring', 'omega'])), [])
        assert.deepEqual(await finds({ content: 'omega' }), [])
        await refuses(chart(['longdescs.isprivate', 'equals', '1']), 401, 304)
      })
    })
  })

  describe('refuses', () => {
    itOnOneEngine(world, 'fields that there are not, or not for the caller', async () => {
      await refuses(chart(['nosuch', 'equals', 'x']), 400, 108)
      await refuses(chart(['nosuch', 'changedafter', '-1d']), 400, 108)
      await refuses(chart(['work_time', 'equals', '0']), 400, 108, world.rhea)
      await refuses({ chfield: 'remaining_time', chfieldfrom: '-1d' }, 400, 108, world.rhea)
    })
    itOnOneEngine(world, 'operators that there are not', () =>
      refuses(chart(['short_desc', 'resembles', 'x']), 400, 32000),
    )
    itOnOneEngine(world, 'operators that do not go with the field', async () => {
      await refuses(chart(['short_desc', 'matches', 'x']), 400, 32000)
      await refuses(chart(['content', 'equals', 'x']), 400, 32000)
      await refuses(chart(['owner_idle_time', 'equals', '1w']), 400, 32000)
    })
    itOnOneEngine(world, 'invalid numbers and dates', async () => {
      await refuses(chart(['bug_id', 'lessthan', 'x']), 400, 52)
      await refuses(chart(['creation_ts', 'greaterthan', 'soon']), 400, 56)
      await refuses(chart(['priority', 'changedafter', '1fortnight']), 400, 56)
    })
    itOnOneEngine(world, 'more criteria than can be planned', async () => {
      const rows = (count: number) =>
        chart(...Array.from({ length: count }, (): [string, string, string] => ['short_desc', 'notequals', 'x']))
      assert.deepEqual(await finds(rows(250)), ['one', 'two', 'three'])
      await refuses(rows(301), 400, 32000)
    })
    itOnOneEngine(world, 'invalid patterns, and patterns that take too long', async () => {
      await refuses(chart(['short_desc', 'regexp', '(']), 400, 53)
      await refuses(chart(['short_desc', 'regexp', '(a?){1000}'.repeat(9)]), 400, 53)
    })
  })
})
