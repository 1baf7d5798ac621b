import assert from 'node:assert/strict'
import { it } from 'node:test'
import { discussionSteps } from '../../src/bugs/reading/discussion-steps.ts'
import { selectionOf } from '../../src/platform/wire/field-selection.ts'
import { readComments } from '../support/discussion.ts'
import { sure } from '../support/sure.ts'
import { describeOnOneEngine } from '../support/world.ts'

const COMMENTS = 25
const LONG = 'x'.repeat(60_000)

describeOnOneEngine('a bug with a discussion of more than a megabyte', (world) => {
  const bug = { product: 'TestProduct', component: 'TestComponent', version: 'unspecified' }
  const file = async (summary: string): Promise<number> =>
    (await world.ada.post('/rest/bug', { ...bug, summary, description: `About ${summary}` })).body.id

  async function fileLong() {
    const ids = [await file('long short one'), await file('long long'), await file('long short two')]
    for (let number = 1; number <= COMMENTS; number++)
      await world.ada.post(`/rest/bug/${ids[1]}/comment`, { comment: `${number} ${LONG}` })
    return ids
  }

  it('is read as a whole, and in steps of which each takes little memory', async () => {
    const ids = await fileLong()
    const expected = await Promise.all(ids.map((id) => readComments(world.ada, id)))
    assert.equal(expected[1]?.length, COMMENTS + 1)
    const include_fields = 'id,description,comments,comment_count'
    for (const path of [
      '/rest/bug?short_desc=long&order=bug_id&',
      `/rest/bug?id=${ids}&`,
      `/rest/bug/${ids[1]}?`,
    ] as const) {
      const { body } = await world.ada.get(`${path}include_fields=${include_fields}`)
      for (const { id, comments, description, comment_count } of body.bugs) {
        const wanted = sure(expected[ids.indexOf(id)])
        assert.deepEqual(comments, wanted, path)
        assert.deepEqual([description, comment_count], [wanted[0].text, wanted.length], path)
      }
      assert.equal(body.bugs.length, path.includes(`/${ids[1]}`) ? 1 : 3)
    }
    const steps = await stepsOf(ids, { include_fields })
    assert.deepEqual(steps, [{ ids: [ids[0]] }, { ids: [ids[1]], commentsAtOnce: 17 }, { ids: [ids[2]] }])
    assert.deepEqual(await stepsOf(ids, {}), [{ ids }])
  })

  async function stepsOf(ids: readonly number[], selection: Record<string, string>) {
    const steps = []
    for await (const step of discussionSteps({ db: world.db, select: selectionOf(selection) }, ids, 50))
      steps.push(step)
    return steps
  }
})
