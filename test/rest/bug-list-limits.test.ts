import assert from 'node:assert/strict'
import { it } from 'node:test'
import { LIST_LIMITS } from '../../src/access/list-limits.ts'
import type { Refusal } from '../support/body-types.ts'
import { readComments, say } from '../support/discussion.ts'
import { fileBug } from '../support/file-bug.ts'
import { newType } from '../support/flags.ts'
import { beforeCommit } from '../support/interleave.ts'
import { assertRefused } from '../support/refusal.ts'
import { itOnPostgres } from '../support/sample.ts'
import { describeOnEachEngine, type Reply } from '../support/world.ts'

/** That of canned replies is in the test of them. */
type ListName = Exclude<keyof typeof LIST_LIMITS, 'cannedReplies'>

/** A list of one bug, to which a user adds an item. */
interface LimitedList {
  add(number: number): Promise<Reply>
  removeOne(): Promise<Reply>
  count(): Promise<number>
}

const AT_ONCE = 6
const TABLES = [
  ['aliases', 'bug_aliases'],
  ['seeAlso', 'bug_see_also'],
  ['commentTags', 'comment_tags'],
  ['flags', 'flags'],
] as const

describeOnEachEngine('a list of a bug', (world) => {
  const put = (bug: number, body: object) => world.edna.put(`/rest/bug/${bug}`, body)
  const read = async (bug: number) =>
    (await world.edna.get(`/rest/bug/${bug}?include_fields=_default,flags`)).body.bugs[0]

  const lists: Readonly<Record<ListName, () => Promise<LimitedList>>> = {
    aliases: async () => {
      const bug = await fileBug(world.edna)
      return {
        add: (number) => put(bug, { alias: { add: [`b${bug}-${number}`] } }),
        removeOne: async () => put(bug, { alias: { remove: [(await read(bug)).alias[0]] } }),
        count: async () => (await read(bug)).alias.length,
      }
    },
    seeAlso: async () => {
      const bug = await fileBug(world.edna)
      return {
        add: (number) => put(bug, { see_also: { add: [`https://bugs.example.org/show_bug.cgi?id=${number + 1}`] } }),
        removeOne: async () => put(bug, { see_also: { remove: [(await read(bug)).see_also[0]] } }),
        count: async () => (await read(bug)).see_also.length,
      }
    },
    answers: async () => {
      const bug = await fileBug(world.edna)
      const comments: number[] = []
      while (comments.length <= AT_ONCE) comments.push(await say(world.edna, bug, 'This way'))
      const mark = (number: number, isAnswer: boolean) =>
        world.edna.put(`/rest/bug/comment/${comments[number]}/answer`, { is_answer: isAnswer })
      const marked = async () => {
        const all = (await readComments(world.edna, bug)).slice(1)
        return all.flatMap((it, number) => (it.is_answer ? [number] : []))
      }
      return {
        add: (number) => mark(number, true),
        removeOne: async () => mark((await marked())[0] ?? 0, false),
        count: async () => (await marked()).length,
      }
    },
    commentTags: async () => {
      const bug = await fileBug(world.edna)
      const { body } = await world.edna.post(`/rest/bug/${bug}/comment`, { comment: 'Buy now!' })
      const path = `/rest/bug/comment/${body.id}/tags` as const
      const tags = async () => (await world.edna.put(path, {})).body
      return {
        add: (number) => world.edna.put(path, { add: [`tag-${number}`] }),
        removeOne: async () => world.edna.put(path, { remove: (await tags()).slice(0, 1) }),
        count: async () => (await tags()).length,
      }
    },
    flags: async () => {
      const bug = await fileBug(world.edna)
      const { id: typeId, name } = await newType(world)
      const flags = async () =>
        ((await read(bug)).flags as { id: number; name: string }[]).filter((it) => it.name === name)
      return {
        add: () => put(bug, { flags: [{ type_id: typeId, status: '?', new: true }] }),
        removeOne: async () => put(bug, { flags: [{ id: (await flags())[0]?.id, status: 'X' }] }),
        count: async () => (await flags()).length,
      }
    },
  }

  for (const [name, open] of Object.entries(lists) as [ListName, () => Promise<LimitedList>][])
    it(`has a limit, also for several calls at once: ${LIST_LIMITS[name].subject}`, async () => {
      const list = await open()
      await withLimit(name, 3, async () => {
        const numbers = Array.from({ length: AT_ONCE }, (_, number) => number)
        const replies = await Promise.all(numbers.map((number) => list.add(number)))
        const refused = replies.filter(({ status }) => status !== 200)
        assert.equal(await list.count(), 3, refused[0]?.text)
        assert.equal(refused.length, AT_ONCE - 3)
        for (const reply of refused) {
          assertRefused(reply, 400, 32000)
          assert.deepEqual([reply.body.reason, (reply.body as Refusal).values.most], ['list_full', 3])
        }
      })
      // As after an import: what is more than the limit may shrink.
      await withLimit(name, 1, async () => {
        const { status, text } = await list.removeOne()
        assert.equal(status, 200, text)
        assertRefused(await list.add(AT_ONCE), 400, 32000)
        assert.equal(await list.count(), 2)
      })
    })

  for (const [name, table] of TABLES)
    itOnPostgres(world, `counts what another transaction is adding: ${LIST_LIMITS[name].subject}`, async () => {
      const list = await lists[name]()
      await withLimit(name, 1, async () => {
        const add = (number: number) => () => list.add(number)
        const replies = await beforeCommit(world, table, add(0), add(1))
        assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400])
        assert.equal(await list.count(), 1)
      })
    })

  it('gets no link in the other direction when See Also of that bug is full', async () => {
    const [full, other] = [await fileBug(world.edna), await fileBug(world.edna)]
    await withLimit('seeAlso', 1, async () => {
      assert.equal((await put(full, { see_also: { add: ['https://bugs.example.org/show_bug.cgi?id=1'] } })).status, 200)
      const { status, text } = await put(other, { see_also: { add: [`${full}`] } })
      assert.equal(status, 200, text)
      assert.deepEqual((await read(full)).see_also, ['https://bugs.example.org/show_bug.cgi?id=1'])
      assert.equal((await read(other)).see_also.length, 1)
    })
  })
})

/** The limits are data, which is read when something is added: a lower one is the same code. */
async function withLimit<Result>(name: ListName, most: number, work: () => Promise<Result>): Promise<Result> {
  const limit = LIST_LIMITS[name] as { most: number }
  const before = limit.most
  limit.most = most
  try {
    return await work()
  } finally {
    limit.most = before
  }
}
