import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { emptyAttachment } from '../../src/bugs/attachments/attachment-store.ts'
import { freeUnattachedContents, freeUnusedContents } from '../../src/changes/stored-contents.ts'
import type { BugTransaction } from '../../src/platform/database/db.ts'
import { attach, base64, newFile, readAttachment } from '../support/attach.ts'
import { contentsFreed, digestOf, isStored } from '../support/contents.ts'
import { readComments } from '../support/discussion.ts'
import { fileBug } from '../support/file-bug.ts'
import { newType } from '../support/flags.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { S3Server } from '../support/s3-server.ts'
import { randomCases } from '../support/sample.ts'
import {
  type Client,
  describeDeliveryOnOneEngine,
  describeWithDelivery,
  itOnOneEngine,
  type World,
} from '../support/world.ts'

const REASON = 'It held a password.'

function remove(who: Client, id: number, reason = REASON) {
  return who.delete(`/rest/bug/attachment/${id}?reason=${encodeURIComponent(reason)}`)
}

/** Runs `work` while contents may be deleted. */
function allowing(world: World, work: () => Promise<void>, more = {}) {
  return world.withParameters({ allow_attachment_deletion: true, ...more }, work)
}

async function commentsOf(who: Client, bug: number) {
  return readComments(who, bug)
}

describeDeliveryOnOneEngine('DELETE /rest/bug/attachment/(id)', (world) => {
  it('deletes the content, and keeps what was said about it', async () => {
    const text = world.unique('a secret ')
    const bug = await fileBug(world.rhea)
    const file = { data: base64(text), file_name: 'keys.diff', is_patch: true, summary: 'Keys' }
    const id = await attach(world.rhea, bug, file)
    await allowing(world, async () => {
      const { status, body } = await remove(world.ada, id)
      assert.deepEqual([status, body], [200, { id, name: 'keys.diff' }])
    })
    const left = await readAttachment(world.rhea, id)
    assert.deepEqual(
      [left.data, left.size, left.content_type, left.is_patch, left.is_obsolete, left.summary, left.file_name],
      ['', 0, 'text/plain', false, true, 'Keys', 'keys.diff'],
    )
    const raw = await world.rhea.get(`/rest/bug/attachment/${id}/data`)
    assert.deepEqual([raw.status, raw.text], [200, ''])
    await contentsFreed(world)
    assert.ok(!isStored(world, text))
  })

  it('says why in a comment, in the history and in the audit log', async () => {
    const bug = await fileBug(world.rhea)
    const id = await attach(world.rhea, bug, { is_patch: true })
    const before = (await world.rhea.get(`/rest/bug/${bug}`)).body.bugs[0].update_token
    await allowing(world, async () => void (await remove(world.ada, id, ` ${REASON}\n`)))
    const comment = (await commentsOf(world.rhea, bug)).at(-1)
    assert.equal(comment.attachment_id, id)
    assert.equal(
      comment.text,
      `About attachment ${id}\nA file\n\nThe content of this attachment was deleted: ${REASON}`,
    )
    const history = (await world.rhea.get(`/rest/bug/${bug}/history`)).body.bugs[0].history
    assert.deepEqual(
      history
        .at(-1)
        .changes.map(({ field_name, removed, added }) => [field_name, removed, added])
        .sort(),
      [
        ['attachments.isobsolete', '0', '1'],
        ['attachments.ispatch', '1', '0'],
      ],
    )
    const { audit } = (await world.ada.get(`/rest/audit?class=Tracker::Attachment&id=${id}`)).body
    assert.deepEqual([audit[0].field, audit[0].removed], ['__remove__', REASON])
    assert.notEqual((await world.rhea.get(`/rest/bug/${bug}`)).body.bugs[0].update_token, before)
  })

  it('removes all flags, whatever their status', async () => {
    const type = await newType(world, { target_type: 'attachment' })
    const bug = await fileBug(world.edna)
    const flags = [
      { type_id: type.id, status: '+', new: true },
      { type_id: type.id, status: '?', new: true },
    ]
    const id = await attach(world.edna, bug, { flags })
    await allowing(world, async () => void (await remove(world.ada, id)))
    assert.deepEqual((await readAttachment(world.ada, id)).flags, [])
    const history = (await world.ada.get(`/rest/bug/${bug}/history`)).body.bugs[0].history
    const line = history.at(-1).changes.find(({ field_name }) => field_name === 'flagtypes.name')
    assert.equal(line.removed, `${type.name}+, ${type.name}?`)
  })

  it('leaves nothing to be searched for', async () => {
    const word = world.unique('needle')
    const bug = await fileBug(world.rhea)
    const id = await attach(world.rhea, bug, { data: base64(`there is a ${word} here`) })
    const find = async () =>
      (await world.rhea.get(`/rest/bug?f1=attach_data.thedata&o1=substring&v1=${word}&include_fields=id`)).body.bugs
    assert.deepEqual(await find(), [{ id: bug }])
    await allowing(world, async () => void (await remove(world.ada, id)))
    assert.deepEqual(await find(), [])
  })

  it('is for administrators, while allow_attachment_deletion is on', async () => {
    const bug = await fileBug(world.rhea)
    const id = await attach(world.rhea, bug)
    assertRefused(await remove(world.ada, id), 400, 32000)
    await allowing(world, async () => {
      for (const who of ['rhea', 'edna', 'uma'] as const) assertRefused(await remove(world[who], id), 401, 304)
      assertRefused(await world.nobody.delete(`/rest/bug/attachment/${id}?reason=x`), 401, 410)
      const key = await world.ada.post('/rest/user/1/api_key', { scopes: ['read', 'write'] })
      assertRefused(await remove(world.as({ 'X-TRACKER-API-KEY': key.body.api_key }), id), 401, 304)
      assertRefused(await world.ada.delete(`/rest/bug/attachment/${id}`), 400, 50)
      assertRefused(await remove(world.ada, id, ' '), 400, 50)
      assertRefused(await remove(world.ada, id, 'x'.repeat(1001)), 400, 104)
      assertRefused(await remove(world.ada, 4711), 404, 51)
      assert.equal((await readAttachment(world.rhea, id)).size, 17)
      assert.equal((await remove(world.ada, id)).status, 200)
      assertRefused(await remove(world.ada, id), 400, 32000)
    })
  })

  it('says nothing of it to those who may not see the attachment', async () => {
    const { name } = await newHiddenProduct(world)
    const bug = await fileBug(world.sven, { product: name, component: 'Core', version: '1.0' })
    const id = await attach(world.sven, bug)
    await allowing(world, async () => {
      for (const ref of [id, 4711]) assertRefused(await remove(world.rhea, ref), 401, 304)
      assert.equal((await remove(world.ada, id)).status, 200)
    })
    assertRefused(await world.rhea.get(`/rest/bug/attachment/${id}/data`), 401, 102)
  })
})

describeWithDelivery('A content that several attachments have', (world) => {
  itOnOneEngine(world, 'stays until the last of them is deleted, and can be attached again', async () => {
    const text = world.unique('shared ')
    const bug = await fileBug(world.rhea)
    const [one, two] = [
      await attach(world.rhea, bug, { data: base64(text) }),
      await attach(world.rhea, await fileBug(world.rhea), { data: base64(text) }),
    ]
    await allowing(world, async () => {
      await remove(world.ada, one)
      await contentsFreed(world)
      assert.ok(isStored(world, text))
      assert.equal((await world.rhea.get(`/rest/bug/attachment/${two}/data`)).text, text)
      await remove(world.ada, two)
      await contentsFreed(world)
      assert.ok(!isStored(world, text))
      const again = await attach(world.rhea, bug, { data: base64(text) })
      assert.ok(!isStored(world, text) && isStored(world, text, 1))
      assert.equal((await world.rhea.get(`/rest/bug/attachment/${again}/data`)).text, text)
      await remove(world.ada, again)
      await contentsFreed(world)
      assert.ok(!isStored(world, text, 1))
    })
  })

  it('is gone when the last two are deleted at once', async () => {
    const text = world.unique('twice ')
    const [one, two] = [
      await attach(world.rhea, await fileBug(world.rhea), { data: base64(text) }),
      await attach(world.rhea, await fileBug(world.rhea), { data: base64(text) }),
    ]
    await allowing(world, async () => {
      const { removing } = await world.db.transaction(async (tx) => {
        await emptyAttachment(tx as BugTransaction, one)
        await freeUnusedContents(tx, [digestOf(text)])
        const removing = remove(world.ada, two)
        await wait(150)
        return { removing }
      }, 'bugs')
      assert.equal((await removing).status, 200)
    })
    await contentsFreed(world)
    assert.ok(!isStored(world, text))
  })

  it('is whole in whatever is attached while the last one is deleted', async () => {
    await allowing(world, async () => {
      for (let round = 0; round < randomCases(2); round++) {
        const text = world.unique('again ')
        const [old, bug] = [
          await attach(world.rhea, await fileBug(world.rhea), { data: base64(text) }),
          await fileBug(world.rhea),
        ]
        const [removed, attached] = await Promise.all([
          remove(world.ada, old),
          world.rhea.post(`/rest/bug/${bug}/attachment`, newFile({ data: base64(text) })),
        ])
        assert.equal(removed.status, 200)
        assert.ok([201, 503].includes(attached.status), attached.text)
        await contentsFreed(world)
        if (attached.status === 201)
          assert.equal((await world.rhea.get(`/rest/bug/attachment/${attached.body.ids[0]}/data`)).text, text)
      }
    })
  })

  itOnOneEngine(world, 'goes with the bugs of a product that is deleted', async () => {
    const [own, shared] = [world.unique('own '), world.unique('shared ')]
    const { name } = await newProduct(world)
    const bug = await fileBug(world.rhea, { product: name, component: 'Core', version: '1.0' })
    const elsewhere = await fileBug(world.rhea)
    for (const text of [own, shared]) await attach(world.rhea, bug, { data: base64(text) })
    const kept = await attach(world.rhea, elsewhere, { data: base64(shared) })
    await world.withParameters({ allowbugdeletion: true }, async () => {
      assert.equal((await world.ada.delete(`/rest/product/${name}`)).status, 200)
    })
    await contentsFreed(world)
    assert.ok(!isStored(world, own))
    assert.equal((await world.rhea.get(`/rest/bug/attachment/${kept}/data`)).text, shared)
  })

  itOnOneEngine(world, 'that was stored for an attachment which was refused goes after a day', async () => {
    const text = world.unique('refused ')
    const bug = await fileBug(world.rhea)
    const flags = [{ name: 'nosuchflag', status: '?' }]
    const reply = await world.rhea.post(`/rest/bug/${bug}/attachment`, newFile({ data: base64(text), flags }))
    assert.ok(reply.status >= 400)
    assert.ok(isStored(world, text))
    const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().replace(/\..*/, 'Z')
    await freeUnattachedContents(world.db, at(1))
    await contentsFreed(world)
    assert.ok(isStored(world, text))
    const used = world.unique('used ')
    await attach(world.rhea, bug, { data: base64(used) })
    await world.db.query((q) => q.updateTable('stored_contents').set({ stored_at: at(2) }))
    await freeUnattachedContents(world.db, at(1))
    await contentsFreed(world)
    assert.ok(!isStored(world, text))
    assert.ok(isStored(world, used))
  })
})

describeDeliveryOnOneEngine('An S3-compatible store', (world) => {
  const store = new S3Server()
  before(() => store.open())
  after(() => store.close())

  const servedFor = (text: string) =>
    store.served
      .filter((line) => line.includes(digestOf(text)))
      .map((line) => line.replace(/\/.*\/attachments\/\w+/, ''))

  it('deletes contents that no attachment has any more', async () => {
    const text = world.unique('remote ')
    await allowing(
      world,
      async () => {
        const id = await attach(world.rhea, await fileBug(world.rhea), { data: base64(text) })
        await remove(world.ada, id)
        await contentsFreed(world)
        assert.equal(servedFor(text).at(-1), 'DELETE  204')
        assert.equal((await readAttachment(world.rhea, id)).data, '')
      },
      store.parameters(),
    )
  })

  it('loses nothing that is attached again while it is slow', async () => {
    const text = world.unique('slow ')
    await allowing(
      world,
      async () => {
        const bug = await fileBug(world.rhea)
        const old = await attach(world.rhea, bug, { data: base64(text) })
        const isAsked = store.hold()
        const attaching = world.rhea.post(`/rest/bug/${bug}/attachment`, newFile({ data: base64(text) }))
        await isAsked
        assert.equal((await remove(world.ada, old)).status, 200)
        store.goOn()
        // Its content was found in the store, and was freed before it was attached.
        assertRefused(await attaching, 503, 32000)
        await contentsFreed(world)
        const again = await attach(world.rhea, bug, { data: base64(text) })
        assert.equal((await world.rhea.get(`/rest/bug/attachment/${again}/data`)).text, text)
        assert.ok(servedFor(text).includes('PUT .1 200'), servedFor(text).join())
      },
      store.parameters(),
    )
  })
})
