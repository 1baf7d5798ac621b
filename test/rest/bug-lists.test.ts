import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { LIST_BITS, SET_ALL_LISTS, WRONG_LISTS } from '../../src/platform/database/bug-lists.ts'
import { attach } from '../support/attach.ts'
import { fileBug, readBug } from '../support/file-bug.ts'
import { newType } from '../support/flags.ts'
import { newHiddenProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { describeOnEachEngine, itOnOneEngine } from '../support/world.ts'

describeOnEachEngine('which lists of a bug have anything in them', (world) => {
  const bitsOf = async (id: number) => {
    const rows = await world.db.query((q) => q.selectFrom('bugs').select('lists').where('id', '=', id))
    return rows[0]?.lists
  }

  const wrongLists = async () => {
    const rows = await world.db.query((q) => ({ compile: () => sql.raw<{ id: number }>(WRONG_LISTS).compile(q) }))
    return rows.map(({ id }) => id)
  }

  it('is noted with the first row of each, and can be found out again for all that is there', async () => {
    const flag = world.unique('flag')
    await newType(world, { name: flag, target_type: 'bug', inclusions: ['TestProduct'] })
    const field = await world.ada.post('/rest/field/bug', { name: 'cf_noted', display_name: 'Noted', type: 1 })
    assert.equal(field.status, 201, field.text)
    const keyword = world.unique('keyword')
    await world.ada.post('/rest/keyword', { name: keyword, description: 'A word' })
    const { name: hidden } = await newHiddenProduct(world)
    const other = await fileBug(world.ada)

    const plain = await fileBug(world.ada)
    const one = {
      aliases: await fileBug(world.ada, { alias: world.unique('alias') }),
      keywords: await fileBug(world.ada, { keywords: [keyword] }),
      groups: await fileBug(world.ada, { product: hidden, component: 'Core' }),
      dependsOn: await fileBug(world.ada, { depends_on: [other] }),
      blocks: await fileBug(world.ada, { blocks: [other] }),
      seeAlso: await fileBug(world.ada),
      flags: await fileBug(world.ada, { flags: [{ name: flag, status: '?' }] }),
      custom: await fileBug(world.ada, { cf_noted: 'something' }),
    } satisfies Record<keyof typeof LIST_BITS, number>
    const elsewhere = { see_also: { add: ['https://github.com/lacewing/lacewing/issues/1'] } }
    const linked = await world.ada.put(`/rest/bug/${one.seeAlso}`, elsewhere)
    assert.equal(linked.status, 200, linked.text)

    const noted = async () => ({
      plain: await bitsOf(plain),
      ...Object.fromEntries(await Promise.all(Object.entries(one).map(async ([list, id]) => [list, await bitsOf(id)]))),
      other: await bitsOf(other),
    })
    const expected = { plain: 0, ...LIST_BITS, other: LIST_BITS.dependsOn | LIST_BITS.blocks }
    assert.deepEqual(await noted(), expected)

    assert.deepEqual(await wrongLists(), [])
    await world.db.script('update bugs set lists = 0')
    assert.deepEqual(
      await wrongLists(),
      [other, ...Object.values(one)].sort((a, b) => a - b),
    )
    await world.db.script(SET_ALL_LISTS)
    assert.deepEqual(await noted(), expected)
  })

  itOnOneEngine(world, 'has no part in who sees the bug', async () => {
    const { name: product } = await newHiddenProduct(world)
    const alias = world.unique('alias')
    const id = await fileBug(world.ada, { product, component: 'Core', summary: 'Ultramarine', alias })
    const other = await fileBug(world.ada, { depends_on: [id] })
    const attachment = await attach(world.ada, id)
    await world.db.script(`update bugs set lists = 0 where id = ${id}`)
    for (const or_groups of [false, true])
      await world.withParameters({ or_groups }, async () => {
        for (const outsider of [world.nobody, world.stan, world.edna]) {
          for (const path of [`${id}`, alias, `${id}/comment`, `${id}/history`, `${id}/attachment`, `${id}/graph`])
            assertRefused(await outsider.get(`/rest/bug/${path}`), 401, 102)
          assert.equal((await outsider.get(`/rest/bug/attachment/${attachment}`)).status, 401)
          for (const query of [`id=${id}`, 'summary=ultramarine', 'quicksearch=ultramarine', `alias=${alias}`]) {
            assert.deepEqual((await outsider.get(`/rest/bug?${query}`)).body.bugs, [])
            assert.equal((await outsider.get(`/rest/bug?${query}&count_only=1`)).body.bug_count, 0)
          }
          assert.deepEqual((await readBug(outsider, other)).depends_on, [])
        }
        assert.equal((await world.sven.get(`/rest/bug/${id}`)).status, 200)
      })
  })
})
