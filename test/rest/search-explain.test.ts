import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { cast } from '../support/cast.ts'
import { fileBug } from '../support/file-bug.ts'
import { assertRefused } from '../support/refusal.ts'
import { type Client, describeOnEachEngine } from '../support/world.ts'

const STRATEGIES = [
  'by_columns',
  'by_texts',
  'scan_texts',
  'id_ranges',
  'first_bugs',
  'first_candidates',
  'all_matches',
]

describeOnEachEngine('GET /rest/bug with explain', (world) => {
  before(async () => {
    await fileBug(world.rhea, { summary: 'A marmot has its burrow', description: 'Marmots whistle' })
    await fileBug(world.rhea, { summary: 'A marmot sleeps' })
  })

  async function explain(query: string, client: Client = world.ada) {
    const { status, body, text } = await client.get(`/rest/bug?explain=1&${query}`)
    assert.equal(status, 200, text)
    return body.explanation
  }

  it('returns the plans in the order in which they were carried out, and no bugs', async () => {
    const { status, body } = await world.ada.get('/rest/bug?explain=1&summary=marmot&limit=20')
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['explanation'])
    const { engine, plans, statements } = body.explanation
    assert.equal(engine, world.db.dialect.engine)
    assert.ok(plans.length > 0 && plans.every(({ strategy }) => STRATEGIES.includes(strategy)))
    assert.ok(statements.length > 0)
  })

  it('has the estimate of each text, and the candidates that were found with it', async () => {
    const { plans } = await explain('summary=marmot&limit=200')
    const [plan] = plans
    // PostgreSQL estimates from its statistics, SQLite counts.
    const estimate = world.engine === 'sqlite' ? 2 : plan.texts[0].estimate
    assert.deepEqual(plan.texts, [{ text: 'summary marmot', estimate, is_common: false }])
    assert.deepEqual(plan.candidates, { estimate, lists: 1, intersected: [], used: true })
  })

  it('has the size of the page, compared with the threshold for it', async () => {
    const few = await explain('summary=marmot&limit=200&offset=5')
    assert.deepEqual(few.plans[0].decisions[0], { threshold: 'LONGEST_PAGE', limit: 1000, actual: 205 })
    const many = await explain('summary=marmot&limit=2000')
    assert.deepEqual(many.plans, [
      {
        ...many.plans[0],
        strategy: 'all_matches',
        decisions: [{ threshold: 'LONGEST_PAGE', limit: 1000, actual: 2000 }],
      },
    ])
  })

  it('has a plan for each attempt to fill a page by relevance', async () => {
    const { plans } = await explain('f1=content&o1=matches&v1=marmot&order=relevance%20DESC&limit=20')
    assert.deepEqual(
      plans.map(({ strategy }) => strategy),
      ['most_relevant', 'all_matches'],
    )
    const estimate = world.engine === 'sqlite' ? 3 : plans[1].texts[0].estimate
    assert.deepEqual(plans[1].texts, [{ text: 'content marmot', estimate, is_common: false }])
  })

  it('explains how bugs are counted', async () => {
    const { plans, statements } = await explain('status=__open__&count_only=1')
    assert.deepEqual(
      plans.map(({ strategy }) => strategy),
      ['count_matches'],
    )
    assert.ok(statements.some(({ sql }) => /count\(\*\)/.test(sql)))
  })

  it('has each statement once, with placeholders instead of values, and with the plan of the engine', async () => {
    for (const query of ['summary=marmot', 'f1=longdesc&o1=substring&v1=whistle', `assigned_to=${cast.edna.login}`]) {
      const { statements } = await explain(`${query}&limit=20`)
      assert.equal(new Set(statements.map(({ sql }) => sql)).size, statements.length)
      for (const { sql, runs, milliseconds, plan } of statements) {
        assert.doesNotMatch(sql, /marmot|whistle|edna/)
        assert.ok(runs >= 1 && milliseconds >= 0)
        assert.match(plan.join('\n'), /scan|search/i, sql)
      }
    }
  })

  it('finds the same faults as the search itself', async () => {
    assertRefused(await world.ada.get('/rest/bug?explain=1&colour=red'), 400, 1000)
    assertRefused(await world.ada.get('/rest/bug?explain=1&summary=marmot&limit=-1'), 400, 52)
    assert.deepEqual((await world.ada.get('/rest/bug?explain=1&summary=marmot&colour=red')).body.ignored, ['colour'])
  })

  it('is not wanted with 0', async () => {
    const { body } = await world.stan.get('/rest/bug?explain=0&summary=marmot&include_fields=summary')
    assert.equal(body.bugs.length, 2)
  })

  describe('is only for administrators', () => {
    it('and refused to others before the search is read', async () => {
      for (const query of ['summary=marmot', 'savedsearch=none', 'f1=no_such_field&o1=equals&v1=1']) {
        assertRefused(await world.nobody.get(`/rest/bug?explain=1&${query}`), 401, 410)
        const { status, body } = await world.edna.get(`/rest/bug?explain=1&${query}`)
        assert.deepEqual([status, body.code], [401, 304])
        assert.match(body.message, /needs membership in admin/)
      }
    })

    it('and refused to a key of theirs without the scope admin', async () => {
      const { body } = await world.ada.post(`/rest/user/${cast.ada.login}/api_key`, {
        description: 'reads',
        scopes: ['read'],
      })
      const reader = world.as({ 'X-TRACKER-API-KEY': body.api_key })
      assert.equal((await reader.get('/rest/bug?summary=marmot')).status, 200)
      const refused = await reader.get('/rest/bug?explain=1&summary=marmot')
      assertRefused(refused, 401, 304)
      assert.match(refused.body.message, /lacks the scope admin/)
    })
  })
})
