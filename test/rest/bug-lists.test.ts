import assert from 'node:assert/strict'
import { it } from 'node:test'
import { LIST_BITS } from '../../src/platform/database/bug-lists.ts'
import { NOTE_ALL_LISTS } from '../../src/platform/database/migrations/0013-bug-lists.ts'
import { fileBug } from '../support/file-bug.ts'
import { newType } from '../support/flags.ts'
import { newHiddenProduct } from '../support/new-product.ts'
import { describeToldElsewhere } from '../support/world.ts'

describeToldElsewhere('which lists of a bug have anything in them', (world) => {
  const bitsOf = async (id: number) => {
    const rows = await world.db.query((q) => q.selectFrom('bugs').select('lists').where('id', '=', id))
    return rows[0]?.lists
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

    await world.db.script('update bugs set lists = 0')
    await world.db.script(NOTE_ALL_LISTS)
    assert.deepEqual(await noted(), expected)
  })
})
