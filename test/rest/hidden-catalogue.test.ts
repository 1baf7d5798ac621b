import assert from 'node:assert/strict'
import { it } from 'node:test'
import { newAdministratorOf, newMember, setControl } from '../support/new-member.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { type Client, describeOnEachEngine, itOnOneEngine, type Reply, type World } from '../support/world.ts'

/** What a user is answered about one thing, and about another: the same but for their names. */
async function alike(ask: (ref: string) => Promise<Reply>, hidden: string | number, missing: string | number) {
  const [one, other] = [await ask(String(hidden)), await ask(String(missing))]
  const withoutName = ({ text }: Reply, name: string | number) =>
    text.replaceAll(`“${name}”`, '?').replaceAll(`"ref":"${name}"`, '"ref":"?"')
  assert.equal(withoutName(one, hidden), withoutName(other, missing))
  assert.equal(one.status, other.status)
  return one
}

const NO_ID = 987654
const NO_NAME = 'no-such-name'

async function newFlagType(world: World, inclusions: string[]) {
  const name = world.unique('flag')
  const { status, body, text } = await world.ada.post('/rest/flag_type', {
    name,
    description: 'For a test',
    inclusions,
  })
  assert.equal(status, 201, text)
  return { id: body.id as number, name }
}

describeOnEachEngine('a flag type of hidden products', (world) => {
  /** One who administers all products that they see, and one who administers some of them. */
  async function editors(): Promise<Client[]> {
    const own = await newProduct(world)
    return [(await newMember(world, 'editcomponents')).client, (await newAdministratorOf(world, own.name)).client]
  }

  it('looks everywhere like one that does not exist', async () => {
    const hidden = await newHiddenProduct(world)
    const type = await newFlagType(world, [hidden.name])
    for (const editor of await editors()) {
      for (const [ref, missing] of [
        [type.id, NO_ID],
        [type.name, NO_NAME],
      ] as const) {
        await alike((it) => editor.put(`/rest/flag_type/${it}`, { name: 'renamed' }), ref, missing)
        await alike((it) => editor.put(`/rest/flag_type/${it}`, { inclusions: ['TestProduct'] }), ref, missing)
        await alike((it) => editor.delete(`/rest/flag_type/${it}?remove_flags=1`), ref, missing)
      }
      for (const ids of [(it: string) => `ids=${it}`, (it: string) => `ids=${it}&ids=${NO_ID + 1}`])
        await alike((it) => editor.get(`/rest/flag_type?${ids(it)}`), type.id, NO_ID)
      await alike((it) => editor.get(`/rest/flag_type?names=${it}`), type.name, NO_NAME)
      const { body } = await editor.get('/rest/flag_type?target_type=bug')
      assert.ok(!body.flagtypes.some(({ id }: { id: number }) => id === type.id))
    }
    const { body } = await world.ada.get(`/rest/flag_type?ids=${type.id}`)
    assert.deepEqual([body.flagtypes[0].name, body.flagtypes[0].inclusions], [type.name, [hidden.name]])
  })

  itOnOneEngine(world, 'does not show which groups there are', async () => {
    const secret = (await world.ada.post('/rest/group', { name: world.unique('secret'), description: 'x' })).body
    const { name } = (await world.ada.get(`/rest/group/${secret.id}`)).body.groups[0]
    const open = await newProduct(world)
    const type = await newFlagType(world, [open.name])
    for (const member of [await newMember(world, 'editcomponents'), await newAdministratorOf(world, open.name)])
      for (const right of ['grant_group', 'request_group'])
        for (const [ref, missing] of [
          [secret.id, NO_ID],
          [name, NO_NAME],
        ] as const) {
          const editor = member.client
          const made = { name: 'probe', description: 'x', inclusions: [open.name] }
          const refused = await alike((it) => editor.post('/rest/flag_type', { ...made, [right]: it }), ref, missing)
          assert.deepEqual([refused.status, refused.body.code], [404, 51])
          await alike((it) => editor.put(`/rest/flag_type/${type.id}`, { [right]: it }), ref, missing)
        }
  })

  itOnOneEngine(world, 'keeps a hidden group that it has, and takes the groups of the editor', async () => {
    const secret = world.unique('secret')
    await world.ada.post('/rest/group', { name: secret, description: 'x' })
    const open = await newProduct(world)
    const type = await newFlagType(world, [open.name])
    await world.ada.put(`/rest/flag_type/${type.id}`, { grant_group: secret })
    const editor = (await newMember(world, 'editcomponents')).client
    const wanted = { grant_group: secret, request_group: 'editcomponents', sortkey: 7 }
    const { status, text } = await editor.put(`/rest/flag_type/${type.id}`, wanted)
    assert.equal(status, 200, text)
    const { grant_group, request_group } = (await world.ada.get(`/rest/flag_type?ids=${type.id}`)).body.flagtypes[0]
    assert.deepEqual([grant_group, request_group], [secret, 'editcomponents'])
  })

  itOnOneEngine(world, 'is left alone when all types of its name are changed together', async () => {
    const [hidden, open] = [await newHiddenProduct(world), await newProduct(world)]
    const [secret, other] = [await newFlagType(world, [hidden.name]), await newFlagType(world, [open.name])]
    assert.equal((await world.ada.put(`/rest/flag_type/${other.id}`, { name: secret.name })).status, 200)
    const [editor] = await editors()
    const { status, body } = await (editor as Client).put(`/rest/flag_type/${secret.name}`, { description: 'Changed' })
    assert.equal(status, 200)
    assert.deepEqual(
      body.flagtypes.map(({ id }: { id: number }) => id),
      [other.id],
    )
  })

  it('is known to those who see one of its products, who leave the others alone', async () => {
    const [hidden, open] = [await newHiddenProduct(world), await newProduct(world)]
    const type = await newFlagType(world, [hidden.name, open.name])
    const [editor] = await editors()
    const changed = await (editor as Client).put(`/rest/flag_type/${type.id}`, { inclusions: ['TestProduct'] })
    assert.equal(changed.status, 200, changed.text)
    const { body } = await world.ada.get(`/rest/flag_type?ids=${type.id}`)
    assert.deepEqual(body.flagtypes[0].inclusions.sort(), [hidden.name, 'TestProduct'].sort())
  })

  it('that has flags is not deleted, and does not say how many there are', async () => {
    const type = await newFlagType(world, ['TestProduct'])
    const bug = {
      product: 'TestProduct',
      component: 'TestComponent',
      summary: 'x',
      flags: [{ name: type.name, status: '+' }],
    }
    assert.equal((await world.edna.post('/rest/bug', bug)).status, 200)
    const { status, body } = await world.ada.delete(`/rest/flag_type/${type.id}`)
    assert.equal(status, 400)
    assert.doesNotMatch(body.message, /\d+ flags/)
  })
})

describeOnEachEngine('a classification that holds hidden products only', (world) => {
  itOnOneEngine(world, 'is to those who administer products like one that does not exist', async () => {
    await world.withParameters({ useclassification: true }, async () => {
      const hidden = await newHiddenProduct(world)
      const name = world.unique('Class')
      assert.equal((await world.ada.post('/rest/classification', { name })).status, 201)
      assert.equal((await world.ada.put(`/rest/product/${hidden.name}`, { classification: name })).status, 200)
      const editor = (await newMember(world, 'editcomponents')).client
      const own = await newProduct(world)
      const product = { name: world.unique('Fresh'), description: 'For a test', version: '1' }
      const answers = [
        await alike((it) => editor.put(`/rest/product/${own.name}`, { classification: it }), name, NO_NAME),
        await alike((it) => editor.post('/rest/product', { ...product, classification: it }), name, NO_NAME),
        await alike((it) => editor.get(`/rest/classification/${it}`), name, NO_NAME),
      ]
      for (const { status, body } of answers) assert.deepEqual([status, body.code], [404, 51])

      await setControl(world, hidden.name, 'security', { entry: false, membercontrol: 'Shown', othercontrol: 'NA' })
      assert.equal((await editor.put(`/rest/product/${own.name}`, { classification: name })).status, 200)
      assert.equal((await editor.post('/rest/product', { ...product, classification: name })).status, 201)
    })
  })
})
