import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { Criterion } from '../../src/search/parsing/query.ts'
import { readFacts } from '../support/bug-facts.ts'
import { cast } from '../support/cast.ts'
import { sampled, sampledOn } from '../support/sample.ts'
import { type Asker, answersTo, refusalOf, SEARCHED_FIELDS } from '../support/search-evaluator.ts'
import { ALL_OPERATORS, chartOf, criteriaFor } from '../support/search-questions.ts'
import { fillWithBugs } from '../support/searched-bugs.ts'
import { type Client, describeOnEachEngine, type Json } from '../support/world.ts'

describeOnEachEngine('every operator of a search', (world) => {
  /** The callers: an insider who tracks time, a user who only tracks time, and an anonymous caller. */
  const askers: Searcher[] = []
  let ids: number[] = []
  before(async () => {
    ids = await fillWithBugs(world)
    for (const name of ['sven', 'edna', 'stan', 'nobody'] as const) {
      const client = world[name]
      const login = name === 'nobody' ? null : cast[name].login
      const rights = { isInsider: name === 'sven', isTimeTracker: name === 'sven' || name === 'edna' }
      askers.push({ client, asker: { login, ...rights, facts: await readFacts(world, client, ids), now: Date.now() } })
    }
  })

  for (const [place, field] of [...Object.keys(SEARCHED_FIELDS), 'content'].entries())
    it(`finds by ${field} what can be read there, and refuses what makes no sense`, async () => {
      const [insider, ...others] = askers as [Searcher, ...Searcher[]]
      const wrong: string[] = []
      for (const [index, operator] of sampledOn(world.engine, [...ALL_OPERATORS.entries()], 14, place)) {
        const criteria = criteriaFor(field, operator, insider.asker.facts)
        // Every user asks something, and the user who sees most asks more; which values they ask for differs from field to field.
        const pick = (turn: number) => criteria[(place + turn) % criteria.length] as Criterion
        const other = others[(place + index + Math.floor(index / 3)) % others.length] as Searcher
        wrong.push(...(await differences(insider, pick(0))))
        if ((place + index) % 2 === 0) wrong.push(...(await differences(other, pick(1))))
      }
      assert.deepEqual(wrong, [])
    })

  it('finds people by no more of their addresses than anonymous callers are shown', async () => {
    const fields = [
      'assigned_to',
      'reporter',
      'qa_contact',
      'cc',
      'commenter',
      'setters.login_name',
      'requestees.login_name',
      'attachments.submitter',
    ]
    await world.withParameters({ webservice_email_filter: true }, async () => {
      const facts = await readFacts(world, world.nobody, ids)
      const stranger = {
        client: world.nobody,
        asker: { login: null, isInsider: false, isTimeTracker: false, facts, now: Date.now() },
      }
      const wrong: string[] = []
      const operators = ALL_OPERATORS.filter((it) => !/matches|changed(by|before|after)|everchanged/.test(it))
      for (const [place, field] of fields.entries())
        for (const [index, operator] of operators.entries())
          for (const value of sampled(['lacewing', cast.stan.login, 'stan', 'edna'], 4, place + index))
            wrong.push(...(await differences(stranger, { field, operator, value })))
      assert.deepEqual(wrong, [])
    })
  })
})

interface Searcher {
  client: Client
  asker: Asker
}

async function differences({ client, asker }: Searcher, criterion: Criterion): Promise<string[]> {
  const { status, body, text } = await client.get(`/rest/bug?${chartOf(criterion)}`)
  const answered = status === 200 ? `${body.bugs.map(({ id }: Json) => id)}` : `${body.code ?? text}`
  const refusal = refusalOf(criterion, asker)
  const expected = refusal === undefined ? `${answersTo(criterion, asker)}` : `${refusal}`
  if (answered === expected) return []
  return [`${criterion.field} ${criterion.operator} ${criterion.value} by ${asker.login}: ${answered}, not ${expected}`]
}
