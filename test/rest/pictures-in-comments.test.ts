import assert from 'node:assert/strict'
import { it } from 'node:test'
import { newFile } from '../support/attach.ts'
import { readComments } from '../support/discussion.ts'
import { fileBug } from '../support/file-bug.ts'
import { inOneWorld } from '../support/one-world.ts'
import { assertRefused } from '../support/refusal.ts'
import type { Client, World } from '../support/world.ts'

const describeTogether = inOneWorld()

const NAME = 'picture-00aa.png'

function picture(who: Client, bug: number, more: object = {}) {
  const file = newFile({ file_name: NAME, summary: 'Picture', content_type: 'image/png', in_comment: true, ...more })
  return who.post(`/rest/bug/${bug}/attachment`, file)
}

async function withComment(world: World, text: string, more: object = {}) {
  const bug = await fileBug(world.rhea)
  const { status } = await world.sven.post(`/rest/bug/${bug}/comment`, { comment: text, is_markdown: true, ...more })
  assert.equal(status, 201)
  return bug
}

describeTogether('pictures in a comment', (world) => {
  it('are attached without a comment of their own, in one hour, each once', async () => {
    await world.withParameters({ use_markdown: true, insidergroup: 'security' }, async () => {
      const bug = await withComment(world, `The lamp:\n![dark](attachment:${NAME})\n![](attachment:two.png)`)
      assert.equal((await picture(world.sven, bug)).status, 201)
      assert.equal((await picture(world.sven, bug, { file_name: 'two.png' })).status, 201)
      assert.equal((await readComments(world.rhea, bug)).length, 2)
      assertRefused(await picture(world.sven, bug), 400, 53)
      const late = await withComment(world, `![](attachment:${NAME})`)
      await world.db.transaction(
        (tx) =>
          tx.query((q) => q.updateTable('comments').set({ at: '2020-01-01T00:00:00Z' }).where('bug_id', '=', late)),
        'configuration',
      )
      assertRefused(await picture(world.sven, late), 400, 53)
    })
  })

  it('are refused unless the comment of the caller shows them, and with anything else', async () => {
    await world.withParameters({ use_markdown: true, insidergroup: 'security' }, async () => {
      const bug = await withComment(world, `![](attachment:${NAME})`)
      assertRefused(await picture(world.rhea, bug), 400, 53)
      assertRefused(await picture(world.nobody, bug), 401, 410)
      for (const more of [{ file_name: 'other.png' }, { comment: 'Look' }, { ids: [bug, await fileBug(world.rhea)] }])
        assertRefused(await picture(world.sven, bug, more), 400, 53)
      const plain = await fileBug(world.rhea, { description: `![](attachment:${NAME})` })
      assertRefused(await picture(world.rhea, plain), 400, 53)
      const many = Array.from({ length: 20 }, (_, index) => `![](attachment:p${index}.png)`).join('\n')
      assertRefused(await picture(world.sven, await withComment(world, `${many}\n![](attachment:${NAME})`)), 400, 53)
      const hidden = await withComment(world, `![](attachment:${NAME})`, { is_private: true })
      assertRefused(await picture(world.sven, hidden), 400, 53)
      assert.equal((await picture(world.sven, hidden, { is_private: true })).status, 201)
      const { body } = await world.rhea.get(`/rest/bug/${hidden}/attachment?exclude_fields=data`)
      assert.deepEqual(body.bugs[hidden], [])
    })
  })
})
