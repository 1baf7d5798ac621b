import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../support/any-text.ts'
import { fileBug } from '../support/file-bug.ts'
import { randomCases } from '../support/sample.ts'
import { type Client, describeOnEachEngine, itOnOneEngine } from '../support/world.ts'

/** Text that has meant something to some database, index, spreadsheet or parser. */
const ODD = [
  "' or 1=1 --",
  '"; drop table bugs; --',
  '" OR "a"* NEAR(b c)',
  'a:* & !b <-> c',
  'summary:*',
  '§engin',
  '%',
  '_',
  '\\',
  '__proto__',
  'constructor',
  '%user%',
  '=1+1',
  '\u202e',
  '😀',
  '漢字',
  'x'.repeat(3000),
  '-1',
  '99999999999999999999',
]

describeOnEachEngine('what is made of a search, asked anything', (world) => {
  before(async () => {
    for (const summary of ODD) await fileBug(world.rhea, { summary: summary.slice(0, 200) })
  })

  const text = fc.oneof(
    fc.constantFrom(...ODD),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    anyText({ maxLength: 20 }).filter((it) => it.isWellFormed()),
  )
  const ask = async (who: Client, path: string, parameters: Record<string, string>) => {
    const { status, text } = await who.get(`/rest/${path}?${new URLSearchParams(parameters)}`)
    assert.ok(status < 500, `${path} ${JSON.stringify(parameters)} answers ${status} ${text}`)
    return status
  }

  it('finds possible duplicates of any text', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (summary) => {
        const status = await ask(world.stan, 'bug/possible_duplicates', { summary })
        assert.ok(status === 200 || summary.trim() === '' || summary.includes('\0'))
        await ask(world.nobody, 'bug/possible_duplicates', { id: summary, product: summary, limit: summary })
      }),
      { numRuns: randomCases(8) },
    )
  })

  it('refuses or reports any axis', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (axis, value) => {
        await ask(world.stan, 'report', { x_axis_field: axis, y_axis_field: 'product', summary: value })
        await ask(world.stan, 'report', { x_axis_field: 'keywords', z_axis_field: 'assigned_to', [axis]: value })
      }),
      { numRuns: randomCases(8) },
    )
  })

  it('lists bugs in any form, with any columns', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (columns, ctype) => {
        for (const form of ['csv', 'atom', 'ics', ctype])
          await ask(world.stan, 'bug', { ctype: form, columnlist: columns, summary: columns, limit: '3' })
        await ask(world.stan, 'bug', { ctype: 'csv', include_fields: columns, limit: '3' })
      }),
      { numRuns: randomCases(6) },
    )
  })

  itOnOneEngine(world, 'saves any search, and uses it or says why not', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (name, query) => {
        const { status, body } = await world.stan.post('/rest/saved_search', { name, query })
        assert.ok(status < 500, JSON.stringify([name, query, body]))
        await ask(world.stan, 'bug', { savedsearch: name, sharer_id: query, limit: '1' })
        await ask(world.stan, 'bug', { savedsearch: name, limit: '1' })
        if (status === 201) await world.stan.delete(`/rest/saved_search/${body.id}`)
      }),
      { numRuns: randomCases(8) },
    )
  })

  itOnOneEngine(world, 'creates a series of any search, or says why not', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (name, query) => {
        const series = { category: name, subcategory: name, name, query: `${query}&summary=x` }
        const { status, body } = await world.edna.post('/rest/series', series)
        assert.ok(status < 500, JSON.stringify([series, body]))
        if (status === 201) await world.edna.delete(`/rest/series/${body.id}`)
      }),
      { numRuns: randomCases(6) },
    )
  })
})
