import assert from 'node:assert/strict'
import { it } from 'node:test'
import { fileBug } from '../support/file-bug.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { type Client, describeOnEachEngine, itOnOneEngine } from '../support/world.ts'

describeOnEachEngine('possible duplicates', (world) => {
  async function found(who: Client, query: Record<string, string> | string): Promise<number[]> {
    const queryText = typeof query === 'string' ? query : new URLSearchParams(query).toString()
    const { status, body, text } = await who.get(`/rest/bug/possible_duplicates?${queryText}&include_fields=id`)
    assert.equal(status, 200, text)
    return body.bugs.map(({ id }: { id: number }) => id)
  }

  /** A word that no other test has. */
  const word = () => world.unique('zebra')

  it('are the bugs with words in common, the likeliest first, then the newest', async () => {
    const [stripe, hoof] = [word(), word()]
    const half = await fileBug(world.rhea, { summary: `${stripe} lamp` })
    const newer = await fileBug(world.rhea, { summary: `${stripe} lamp` })
    const whole = await fileBug(world.rhea, { summary: `The ${hoof} is on the ${stripe}` })
    await fileBug(world.rhea, { summary: 'Nothing of the kind' })
    assert.deepEqual(await found(world.nobody, { summary: `${stripe} ${hoof.toUpperCase()}` }), [whole, newer, half])
  })

  itOnOneEngine(world, 'are answered as Get Bug answers bugs, without the token for an update', async () => {
    const stripe = word()
    const id = await fileBug(world.rhea, { summary: `${stripe} lamp` })
    const { body } = await world.rhea.get(`/rest/bug/possible_duplicates?summary=${stripe}`)
    const [bug] = (await world.rhea.get(`/rest/bug/${id}?exclude_fields=update_token`)).body.bugs
    assert.deepEqual(body, { bugs: [bug], faults: [] })
  })

  it('are found in whatever form of a word', async () => {
    const id = await fileBug(world.rhea, { summary: 'Xylophones crashed' })
    assert.deepEqual(await found(world.nobody, { summary: 'xylophone crashes' }), [id])
  })

  itOnOneEngine(world, 'are none for words that no bug has, for small words, and for no words at all', async () => {
    await fileBug(world.rhea, { summary: 'The lamp and the light' })
    assert.deepEqual(await found(world.nobody, { summary: word() }), [])
    assert.deepEqual(await found(world.nobody, { summary: `the ${word()}` }), [])
    assert.deepEqual(await found(world.nobody, { summary: '?!' }), [])
  })

  itOnOneEngine(world, 'of a bug are those of its summary, without the bug itself', async () => {
    const stripe = word()
    const one = await fileBug(world.rhea, { summary: `${stripe} one`, alias: [`${stripe}-alias`] })
    const two = await fileBug(world.rhea, { summary: `${stripe} two` })
    assert.deepEqual(await found(world.nobody, { id: String(one) }), [two])
    assert.deepEqual(await found(world.nobody, { id: `${stripe}-alias` }), [two])
    assert.deepEqual(await found(world.nobody, { id: String(one), summary: `${stripe} two` }), [two])
  })

  itOnOneEngine(world, 'are those of some products, when products are named', async () => {
    const stripe = word()
    const [first, second] = [await newProduct(world), await newProduct(world)]
    const place = (product: { name: string }) => ({ product: product.name, component: 'Core', version: '1.0' })
    const one = await fileBug(world.rhea, { ...place(first), summary: `${stripe} lamp` })
    const two = await fileBug(world.rhea, { ...place(second), summary: `${stripe} lamp` })
    assert.deepEqual(await found(world.nobody, { summary: stripe, product: first.name.toUpperCase() }), [one])
    assert.deepEqual(await found(world.nobody, `summary=${stripe}&product=${first.name}&product=${second.name}`), [
      two,
      one,
    ])
    assert.deepEqual(await found(world.nobody, { summary: stripe, product: 'No such product' }), [])
  })

  itOnOneEngine(world, 'are replaced by the bug at the end of the chain, once', async () => {
    const stripe = word()
    const last = await fileBug(world.rhea, { summary: 'Quite another summary' })
    const middle = await fileBug(world.rhea, { summary: `${stripe} middle` })
    const first = await fileBug(world.rhea, { summary: `${stripe} first` })
    assert.equal((await world.edna.put(`/rest/bug/${first}`, { dupe_of: middle })).status, 200)
    assert.equal((await world.edna.put(`/rest/bug/${middle}`, { dupe_of: last })).status, 200)
    assert.deepEqual(await found(world.nobody, { summary: stripe }), [last])
    assert.deepEqual(await found(world.nobody, { id: String(last), summary: stripe }), [])
  })

  itOnOneEngine(world, 'are not replaced if the caller may not see the bug that they duplicate', async () => {
    const stripe = word()
    const { name } = await newHiddenProduct(world)
    const hidden = await fileBug(world.ada, { product: name, component: 'Core', version: '1.0', summary: 'Secret' })
    const open = await fileBug(world.rhea, { summary: `${stripe} lamp` })
    assert.equal((await world.ada.put(`/rest/bug/${open}`, { dupe_of: hidden })).status, 200)
    assert.deepEqual(await found(world.nobody, { summary: stripe }), [open])
    assert.deepEqual(await found(world.sven, { summary: stripe }), [hidden])
  })

  it('do not include bugs that the caller may not see', async () => {
    const stripe = word()
    const { name } = await newHiddenProduct(world)
    const open = await fileBug(world.rhea, { summary: `${stripe} lamp` })
    const place = { product: name, component: 'Core', version: '1.0' }
    const hidden = await fileBug(world.ada, { ...place, summary: `${stripe} lamp` })
    assert.deepEqual(await found(world.stan, { summary: `${stripe} lamp`, limit: '1' }), [open])
    assert.deepEqual(await found(world.sven, { summary: `${stripe} lamp`, limit: '2' }), [hidden, open])
    assertRefused(await world.stan.get(`/rest/bug/possible_duplicates?id=${hidden}`), 401, 102)
  })

  itOnOneEngine(world, 'are at most as many as were asked for, and at most 25', async () => {
    const stripe = word()
    for (let count = 0; count < 27; count++) await fileBug(world.rhea, { summary: `${stripe} lamp` })
    assert.equal((await found(world.nobody, { summary: stripe })).length, 25)
    assert.equal((await found(world.nobody, { summary: stripe, limit: '1000' })).length, 25)
    assert.equal((await found(world.nobody, { summary: stripe, limit: '2' })).length, 2)
  })

  for (const [query, status, code] of [
    ['', 400, 50],
    ['summary=', 400, 50],
    ['product=TestProduct', 400, 50],
    ['summary=lamp&limit=many', 400, 52],
    ['summary=lamp&limit=0', 400, 55],
    ['summary=lamp&limit=-1', 400, 55],
    ['id=999999', 404, 101],
    ['id=nothing', 400, 100],
  ] as const)
    itOnOneEngine(world, `are refused with ${code} for ?${query}`, async () => {
      assertRefused(await world.nobody.get(`/rest/bug/possible_duplicates?${query}`), status, code)
    })
})
