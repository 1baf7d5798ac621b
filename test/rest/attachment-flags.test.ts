import assert from 'node:assert/strict'
import { readAttachment } from '../support/attach.ts'
import { cast } from '../support/cast.ts'
import { file, flagsOf, inWords, newPlace, newType, wordsOf } from '../support/flags.ts'
import { newMember } from '../support/new-member.ts'
import { assertRefused } from '../support/refusal.ts'
import { itOnPostgres } from '../support/sample.ts'
import { type Client, describeOnEachEngine, itOnOneEngine, type World } from '../support/world.ts'

async function newBug(world: World) {
  return file(world.edna, await newPlace(world))
}

function content(more: Record<string, unknown> = {}) {
  return { data: 'aGVsbG8=', file_name: 'hello.txt', summary: 'A greeting', content_type: 'text/plain', ...more }
}

async function attach(client: Client, bug: number, more: Record<string, unknown> = {}): Promise<number> {
  const { status, body, text } = await client.post(`/rest/bug/${bug}/attachment`, content(more))
  assert.equal(status, 201, text)
  return body.ids[0]
}

async function change(client: Client, attachment: number, changes: Record<string, unknown>) {
  const { status, body, text } = await client.put(`/rest/bug/attachment/${attachment}`, changes)
  assert.equal(status, 200, text)
  return body.attachments[0].changes
}

async function flagsOn(world: World, attachment: number) {
  return (await readAttachment(world.ada, attachment, '?include_fields=flags')).flags
}

async function wordsOn(world: World, attachment: number): Promise<string[]> {
  return (await flagsOn(world, attachment)).map(inWords)
}

/** What the history of the bug says of flags. */
async function flagLines(world: World, bug: number) {
  const { body } = await world.ada.get(`/rest/bug/${bug}/history`)
  const changes = body.bugs[0].history.flatMap((it) => it.changes)
  return changes.filter((it) => it.field_name === 'flagtypes.name')
}

describeOnEachEngine('flags on attachments', (world) => {
  itOnOneEngine(world, 'are set with the attachment, and do not belong to the bug', async () => {
    const { name, id } = await newType(world, { target_type: 'attachment' })
    const bug = await newBug(world)
    const attachment = await attach(world.edna, bug, { flags: [{ name, status: '?', requestee: cast.sven.login }] })
    const [flag] = await flagsOn(world, attachment)
    assert.deepEqual(
      { name: flag.name, type_id: flag.type_id, status: flag.status, setter: flag.setter, requestee: flag.requestee },
      { name, type_id: id, status: '?', setter: cast.edna.login, requestee: cast.sven.login },
    )
    assert.deepEqual(await flagsOf(world, bug), [])
    assert.deepEqual((await world.ada.get(`/rest/bug/${bug}?include_fields=cc`)).body.bugs[0].cc, [cast.sven.login])
    assert.deepEqual(await flagLines(world, bug), [
      { field_name: 'flagtypes.name', removed: '', added: `${name}?(${cast.sven.login})`, attachment_id: attachment },
    ])
  })

  itOnOneEngine(
    world,
    'are changed and cleared with it, which the response and the history of the bug show',
    async () => {
      const { name } = await newType(world, { target_type: 'attachment' })
      const bug = await newBug(world)
      const attachment = await attach(world.edna, bug, { flags: [{ name, status: '?' }] })
      assert.deepEqual(await change(world.sven, attachment, { flags: [{ name, status: '+' }] }), {
        'flagtypes.name': { removed: `${name}?`, added: `${name}+` },
      })
      assert.equal((await flagsOn(world, attachment))[0].setter, cast.sven.login)
      assert.deepEqual(await change(world.edna, attachment, { flags: [{ name, status: 'X' }] }), {
        'flagtypes.name': { removed: `${name}+`, added: '' },
      })
      assert.deepEqual(await flagsOn(world, attachment), [])
      const lines = await flagLines(world, bug)
      assert.deepEqual(
        lines.map(({ removed, added, attachment_id }) => [removed, added, attachment_id]),
        [
          ['', `${name}?`, attachment],
          [`${name}?`, `${name}+`, attachment],
          [`${name}+`, '', attachment],
        ],
      )
    },
  )

  itOnOneEngine(world, 'are of types for attachments; each attachment has its own', async () => {
    const forBugs = await newType(world)
    const once = await newType(world, { target_type: 'attachment', is_multiplicable: false })
    const bug = await newBug(world)
    const refused = content({ flags: [{ name: forBugs.name, status: '?' }] })
    assertRefused(await world.edna.post(`/rest/bug/${bug}/attachment`, refused), 404, 51)
    const flags = [{ name: once.name, status: '?' }]
    const [first, second] = [await attach(world.edna, bug, { flags }), await attach(world.edna, bug, { flags })]
    const [{ id }] = await flagsOn(world, first)
    const foreign = await world.edna.put(`/rest/bug/attachment/${second}`, { flags: [{ id, status: 'X' }] })
    assertRefused(foreign, 404, 51)
    const more = { flags: [{ name: once.name, status: '+', new: true }] }
    assertRefused(await world.edna.put(`/rest/bug/attachment/${first}`, more), 400, 32000)
    assert.deepEqual(await wordsOn(world, first), [`${once.name}?`])
  })

  itOnPostgres(
    world,
    'of a type that is not multiplicable are made once, however many ask for it at once',
    async () => {
      const { name } = await newType(world, { target_type: 'attachment', is_multiplicable: false })
      const attachment = await attach(world.edna, await newBug(world))
      const asking = { flags: [{ name, status: '?' }] }
      const clients = [world.edna, world.sven, world.edna, world.sven, world.edna, world.sven]
      await Promise.all(clients.map((client) => change(client, attachment, asking)))
      assert.deepEqual(await wordsOn(world, attachment), [`${name}?`])
    },
  )

  itOnOneEngine(world, 'can be requested only of insiders if the attachment is private', async () => {
    const { name } = await newType(world, { target_type: 'attachment' })
    const group = await world.newGroup()
    const insider = await newMember(world, group.name, 'editbugs')
    const bug = await newBug(world)
    const asking = (requestee: string) => ({ flags: [{ name, status: '?', requestee }] })
    await world.withParameters({ insidergroup: group.name }, async () => {
      const refused = content({ is_private: true, ...asking(cast.stan.login) })
      assertRefused(await insider.client.post(`/rest/bug/${bug}/attachment`, refused), 400, 32000)
      const attachment = await attach(insider.client, bug, { is_private: true, ...asking(insider.login) })
      const toStan = await insider.client.put(`/rest/bug/attachment/${attachment}`, asking(cast.stan.login))
      assertRefused(toStan, 400, 32000)
      await change(insider.client, attachment, { is_private: false, ...asking(cast.stan.login) })
      const open = await attach(insider.client, bug)
      const hiding = { is_private: true, ...asking(cast.stan.login) }
      assertRefused(await insider.client.put(`/rest/bug/attachment/${open}`, hiding), 400, 32000)
      assert.deepEqual(await flagsOn(world, open), [])
    })
  })

  itOnOneEngine(
    world,
    'can be granted by the requestee and withdrawn by the setter, without the right to edit',
    async () => {
      const { name } = await newType(world, { target_type: 'attachment' })
      const bug = await newBug(world)
      const attachment = await attach(world.edna, bug, { flags: [{ name, status: '?', requestee: cast.stan.login }] })
      const answer = { flags: [{ name, status: '+' }] }
      assertRefused(await world.rhea.put(`/rest/bug/attachment/${attachment}`, answer), 400, 32000)
      const withMore = { ...answer, summary: 'Mine now' }
      assertRefused(await world.stan.put(`/rest/bug/attachment/${attachment}`, withMore), 400, 32000)
      const newOne = { flags: [{ name, status: '+', new: true }] }
      assertRefused(await world.stan.put(`/rest/bug/attachment/${attachment}`, newOne), 400, 32000)
      assert.deepEqual(await wordsOn(world, attachment), [`${name}?(${cast.stan.login})`])
      await change(world.stan, attachment, answer)
      assert.deepEqual(await wordsOn(world, attachment), [`${name}+`])
      await change(world.stan, attachment, { flags: [{ name, status: 'X' }] })
      assert.deepEqual(await flagsOn(world, attachment), [])
    },
  )

  itOnOneEngine(world, 'are cancelled when the attachment becomes obsolete, if they are pending', async () => {
    const { name } = await newType(world, { target_type: 'attachment' })
    const bug = await newBug(world)
    const attachment = await attach(world.edna, bug, {
      flags: [
        { name, status: '?', requestee: cast.sven.login },
        { name, status: '+' },
        { name, status: '?' },
      ],
    })
    assert.deepEqual(await change(world.edna, attachment, { is_obsolete: true }), {
      is_obsolete: { removed: '0', added: '1' },
      'flagtypes.name': { removed: `${name}?(${cast.sven.login}), ${name}?`, added: '' },
    })
    assert.deepEqual(await wordsOn(world, attachment), [`${name}+`])
    assert.deepEqual((await flagLines(world, bug)).at(-1), {
      field_name: 'flagtypes.name',
      removed: `${name}?(${cast.sven.login}), ${name}?`,
      added: '',
      attachment_id: attachment,
    })
  })

  itOnOneEngine(world, 'follow their bug into another component, or are removed, which its history shows', async () => {
    const place = await newPlace(world)
    const name = world.unique('flag')
    const target_type = 'attachment'
    await newType(world, { name, target_type, inclusions: [{ [place.product]: ['Core'] }] })
    const there = await newType(world, { name, target_type, inclusions: [{ [place.product]: ['UI'] }] })
    await newType(world, { name, target_type: 'bug', inclusions: [{ [place.product]: ['UI'] }] })
    const only = await newType(world, { target_type, inclusions: [{ [place.product]: ['Core'] }] })
    const bug = await file(world.edna, place)
    const flags = [
      { name, status: '?' },
      { name: only.name, status: '+' },
    ]
    const attachment = await attach(world.edna, bug, { flags })
    assert.equal((await world.edna.put(`/rest/bug/${bug}`, { component: 'UI' })).status, 200)
    const left = await flagsOn(world, attachment)
    assert.deepEqual(
      left.map((flag) => flag.type_id),
      [there.id],
    )
    assert.deepEqual(await wordsOf(world, bug), [])
    assert.deepEqual((await flagLines(world, bug)).at(-1), {
      field_name: 'flagtypes.name',
      removed: `${only.name}+`,
      added: '',
      attachment_id: attachment,
    })
  })
})
