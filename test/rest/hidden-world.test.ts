import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import { newFile } from '../support/attach.ts'
import type { AnyBody } from '../support/body-types.ts'
import { cast } from '../support/cast.ts'
import { changeBug } from '../support/change-bug.ts'
import { readComments } from '../support/discussion.ts'
import { fileBug, readBug } from '../support/file-bug.ts'
import { setControl } from '../support/new-member.ts'
import { newProduct } from '../support/new-product.ts'
import { isEveryCombination, randomCases } from '../support/sample.ts'
import { Twins } from '../support/twins.ts'
import { type Client, describeOnEachEngine, type Reply, World } from '../support/world.ts'

/*
 * Two servers: the full one has hidden bugs, private comments and private attachments, the bare one has the same data without them. A user
 * who may not see these gets the same responses from both, byte for byte, with these exceptions (also in docs/compat.md):
 *
 * - last_change_time, and the ETag and update_token that depend on it, changes with every change, also with one that the reader may not
 *   see. Otherwise two users could overwrite each other's changes.
 * - The numbers of comments have gaps where the reader may not see comments, so that “comment 7” is the same comment for every user.
 * - The reporter of a bug that becomes a duplicate is added to the CC list of the other bug, and the requestee of a flag on a private
 *   attachment to that of its bug, even if a reader of the list may not see why. These tests add both beforehand.
 * - Hours belong to the bug: those of a private comment count for every user who may see hours. These tests enter none.
 * - A bug that becomes a duplicate of a hidden bug is closed as a duplicate for every user, without the number. The last test shows this.
 * - A circle of dependencies or duplicates is refused, also one through hidden bugs. Here links lead only from newer to older bugs.
 * - If a user replaces a visible bug by a hidden one in a custom field, readers see that the visible one was removed. Here the field was
 *   empty before.
 */

const ENVIRONMENT = { LACEWING_BASE_URL: 'http://tracker.test/' }
const SECURITY = { groups: ['security'] }

/** Selects one of the existing bugs in a step. */
const pick = fc.nat({ max: 20 })
const word = fc.constantFrom('amber', 'birch', 'cobalt', 'dune')
const actor = fc.constantFrom('edna' as const, 'sven' as const)

/** What all users see. */
const openSteps = [
  fc.record({ does: fc.constant('file' as const), actor, on: pick, word }),
  fc.record({ does: fc.constant('say' as const), actor, bug: pick, word }),
  fc.record({ does: fc.constant('change' as const), actor, bug: pick, word }),
  fc.record({ does: fc.constant('link' as const), actor, bug: pick, on: pick }),
  fc.record({ does: fc.constant('unlink' as const), bug: pick }),
  fc.record({ does: fc.constant('duplicate' as const), actor, bug: pick, on: pick }),
  fc.record({ does: fc.constant('attach' as const), actor, bug: pick, word }),
  fc.record({ does: fc.constant('flag' as const), actor, bug: pick, word }),
] as const

/** What only insiders see. */
const hiddenSteps = [
  fc.record({ does: fc.constant('file hidden' as const), on: pick, word }),
  fc.record({ does: fc.constant('file to be hidden' as const), on: pick, word }),
  fc.record({ does: fc.constant('say privately' as const), bug: pick, word }),
  fc.record({ does: fc.constant('make private' as const), bug: pick, word }),
  fc.record({ does: fc.constant('attach privately' as const), bug: pick, word }),
  fc.record({ does: fc.constant('link hidden' as const), bug: pick, on: pick }),
  fc.record({ does: fc.constant('unlink hidden' as const), bug: pick, on: pick }),
  fc.record({ does: fc.constant('hidden duplicate' as const), bug: pick, on: pick }),
  fc.record({ does: fc.constant('change both' as const), bug: pick, on: pick, word }),
  fc.record({ does: fc.constant('flag hidden' as const), bug: pick, word }),
] as const

type ValueOf<Kind> = Kind extends fc.Arbitrary<infer Value> ? Value : never
type Step = ValueOf<(typeof openSteps)[number]> | ValueOf<(typeof hiddenSteps)[number]>

/** There is something to happen to. */
const BEGINNING: Step[] = [
  { does: 'file', actor: 'edna', on: 0, word: 'amber' },
  { does: 'file hidden', on: 0, word: 'birch' },
  { does: 'file', actor: 'sven', on: 0, word: 'cobalt' },
  { does: 'file to be hidden', on: 1, word: 'dune' },
]

interface OpenBug {
  id: number
  /** It has changes that not all users see. */
  isStirred: boolean
  /** It has comments that not all users can read. */
  hasGaps: boolean
  isDuplicate: boolean
  twin?: 'open' | 'hidden'
}

interface HiddenBug {
  id: number
  willBeHidden: boolean
}

/** Makes steps on both servers, and records what each user sees. */
class Story {
  readonly twins: Twins
  readonly product: string
  readonly open: OpenBug[] = []
  readonly hidden: HiddenBug[] = []

  constructor(twins: Twins, product: string) {
    this.twins = twins
    this.product = product
  }

  async make(step: Step): Promise<void> {
    const { twins, open, hidden } = this
    const bug = 'bug' in step ? open[step.bug % Math.max(open.length, 1)] : undefined
    const secret = 'on' in step ? hidden[step.on % Math.max(hidden.length, 1)] : undefined
    switch (step.does) {
      case 'file': {
        const older = olderThan(open, step.on)
        return this.file(step.actor, {
          summary: step.word,
          ...(older && { depends_on: [older.id], see_also: [String(older.id)] }),
        })
      }
      case 'say':
        return bug && this.both(step.actor, 'POST', `/rest/bug/${bug.id}/comment`, { comment: step.word })
      case 'change': {
        const change = { whiteboard: step.word, priority: 'High', comment: { body: `Now ${step.word}` } }
        return bug && this.both(step.actor, 'PUT', `/rest/bug/${bug.id}`, change)
      }
      case 'link': {
        const older = bug && olderThan(olderOnes(open, bug), step.on)
        if (!older) return
        const twin = bug.twin === 'open' ? {} : { cf_twin: older.id }
        bug.twin = 'open'
        const change = { depends_on: { add: [older.id] }, see_also: { add: [String(older.id)] }, ...twin }
        return this.both(step.actor, 'PUT', `/rest/bug/${bug.id}`, change)
      }
      // The hidden link stays, so that the field can be set again but not to another hidden bug.
      case 'unlink':
        if (bug?.twin === 'open') bug.twin = 'hidden'
        return bug && this.both('edna', 'PUT', `/rest/bug/${bug.id}`, { cf_twin: null })
      case 'duplicate': {
        const older = bug && !bug.isDuplicate && olderThan(olderOnes(open, bug), step.on)
        if (!older) return
        bug.isDuplicate = true
        return this.both(step.actor, 'PUT', `/rest/bug/${bug.id}`, { dupe_of: older.id })
      }
      case 'attach': {
        const file = newFile({ summary: step.word, comment: step.word, flags: [{ name: 'look', status: '+' }] })
        return bug && this.both(step.actor, 'POST', `/rest/bug/${bug.id}/attachment`, file)
      }
      case 'flag': {
        const flags = [{ name: 'ask', status: '?', requestee: cast.sven.login, new: true }]
        return bug && this.both(step.actor, 'PUT', `/rest/bug/${bug.id}`, { flags })
      }
      case 'file hidden':
      case 'file to be hidden': {
        const others = [...open, ...hidden].map(({ id }) => id)
        const on = others.slice(step.on % Math.max(others.length, 1)).slice(0, 2)
        const links = { depends_on: on, see_also: on.map(String), ...(on.length > 0 && { cf_twin: on[0] }) }
        const willBeHidden = step.does === 'file to be hidden'
        for (const it of open) it.isStirred ||= on.includes(it.id)
        await twins.happen(async ({ sven }) => {
          const about = { product: this.product, component: 'Core', summary: step.word }
          const id = await fileBug(sven, { ...about, ...links, ...(willBeHidden ? {} : SECURITY) })
          hidden.push({ id, willBeHidden })
        })
        return
      }
      case 'say privately':
        if (bug) this.stir(bug, true)
        return bug && this.hide('POST', `/rest/bug/${bug.id}/comment`, { comment: step.word, is_private: true })
      case 'make private':
        if (!bug) return
        this.stir(bug, true)
        return twins.happen(async ({ sven }) => {
          const { body } = await sven.post(`/rest/bug/${bug.id}/comment`, { comment: step.word })
          await changeBug(sven, bug.id, { comment_is_private: { [body.id]: true } })
          assert.equal((await sven.put(`/rest/bug/comment/${body.id}/tags`, { add: ['secret'] })).status, 200)
        })
      case 'attach privately':
        if (!bug) return
        this.stir(bug, true)
        return twins.happen(async ({ sven }) => {
          const flags = [{ name: 'look', status: '?', requestee: cast.sven.login }]
          const made = await sven.post(`/rest/bug/${bug.id}/attachment`, newFile({ is_private: true, flags }))
          assert.equal(made.status, 201, made.text)
          const change = { summary: step.word, comment: step.word, is_obsolete: true }
          const changed = await sven.put(`/rest/bug/attachment/${made.body.ids[0]}`, change)
          assert.equal(changed.status, 200, changed.text)
        })
      case 'link hidden': {
        if (!bug || !secret) return
        this.stir(bug)
        const isFree = bug.twin === undefined && secret.id < bug.id
        if (isFree) bug.twin = 'hidden'
        const twin = isFree ? { cf_twin: secret.id } : {}
        return this.hide('PUT', `/rest/bug/${bug.id}`, { ...linking(bug, secret, 'add'), ...twin })
      }
      case 'unlink hidden':
        if (bug && secret) this.stir(bug)
        return bug && secret && this.hide('PUT', `/rest/bug/${bug.id}`, linking(bug, secret, 'remove'))
      case 'hidden duplicate':
        if (!bug || !secret) return
        this.stir(bug, true)
        return this.hide('PUT', `/rest/bug/${secret.id}`, { dupe_of: bug.id })
      case 'change both': {
        if (!bug) return
        this.stir(bug, true)
        const change = { url: `http://${step.word}.test/`, cc: { add: [cast.rhea.login] } }
        const returned = { comment: { body: step.word, is_private: true }, ...(secret && linking(bug, secret, 'add')) }
        return twins.happen(
          ({ sven }) => changeBug(sven, bug.id, { ...change, ...returned }),
          ({ sven }) => changeBug(sven, bug.id, change),
        )
      }
      case 'flag hidden': {
        const flags = [{ name: 'ask', status: '?', requestee: cast.sven.login, new: true }]
        const it = hidden[step.bug % Math.max(hidden.length, 1)]
        return it && this.hide('PUT', `/rest/bug/${it.id}`, { flags, comment: { body: step.word } })
      }
    }
  }

  /** What was filed to be hidden is hidden. */
  async end() {
    for (const { id } of this.hidden.filter(({ willBeHidden }) => willBeHidden))
      await this.hide('PUT', `/rest/bug/${id}`, { groups: { add: SECURITY.groups } })
  }

  private stir(bug: OpenBug, hasGaps = false) {
    bug.isStirred = true
    bug.hasGaps ||= hasGaps
  }

  private async file(who: 'edna' | 'sven', more: object) {
    const about = { product: this.product, component: 'Core', cc: [cast.sven.login, cast.edna.login], ...more }
    const ids: number[] = []
    const file = async (world: World) => void ids.push(await fileBug(world[who], about))
    await this.twins.happen(file, file)
    const [id = 0, same] = ids
    assert.equal(id, same, 'the numbers of both servers agree')
    this.open.push({ id, isStirred: false, hasGaps: false, isDuplicate: false })
  }

  /** The same on both servers, which answer the same. */
  private async both(who: 'edna' | 'sven', method: string, path: string, body: object) {
    const replies: Reply[] = []
    const act = async (world: World) => void replies.push(await world[who].send(method, path, body))
    await this.twins.happen(act, act)
    const [full, bare] = replies.map((reply) => ({ status: reply.status, body: withoutChangeTime(reply.body) }))
    assert.ok(full && full.status < 300, JSON.stringify(full))
    // The user who makes the step on the full server may see more, so the response may have more changes.
    if (who === 'edna') assert.deepEqual(full, bare)
    else assert.equal(full.status, bare?.status)
  }

  private async hide(method: string, path: string, body: object) {
    await this.twins.happen(async ({ sven }) => {
      const { status, text } = await sven.send(method, path, body)
      assert.ok(status < 300, `${method} ${path} ${JSON.stringify(body)}: ${text}`)
    })
  }
}

/** A dependency leads from the newer bug to the older one, so that no step is refused for the sake of bugs that are hidden. */
function olderThan(bugs: readonly OpenBug[], which: number): OpenBug | undefined {
  return bugs[which % Math.max(bugs.length, 1)]
}

function olderOnes(bugs: readonly OpenBug[], bug: OpenBug): OpenBug[] {
  return bugs.filter(({ id }) => id < bug.id)
}

function linking(bug: OpenBug, secret: HiddenBug, what: 'add' | 'remove') {
  const way = bug.id > secret.id ? 'depends_on' : 'blocks'
  return { [way]: { [what]: [secret.id] }, see_also: { [what]: [String(secret.id)] } }
}

/** The response of a write without the time of the change. */
function withoutChangeTime(body: AnyBody): unknown {
  return JSON.parse(JSON.stringify(body, (key, value) => (key === 'last_change_time' ? undefined : value)))
}

const EXTRA = 'description,comments,history,attachments,duplicates,comment_count,tags'

/** All reads that return something about a bug. */
function questionsAbout(id: number, times: readonly string[]): string[] {
  return [
    `/rest/bug/${id}?include_fields=_all,${EXTRA}&exclude_fields=update_token`,
    ...times.map((at) => `/rest/bug/${id}?include_fields=_all,${EXTRA}&as_of=${at}`),
    `/rest/bug/${id}/comment`,
    `/rest/bug/${id}/history`,
    `/rest/bug/${id}/attachment`,
    `/rest/bug/${id}/graph?depth=9`,
    `/rest/bug/${id}/graph?relationship=duplicates`,
    `/rest/bug/${id}/access`,
  ]
}

const OTHER_QUESTIONS = [
  '/rest/field/bug',
  '/rest/flag_type/TestProduct',
  `/rest/user?names=${cast.sven.login}&names=${cast.edna.login}`,
  '/rest/bug/comment/tags/secret',
  '/rest/bug_user_last_visit',
]

/** An answer without what has to differ. */
function neutral({ status, body, headers }: Reply, bug: OpenBug | undefined): object {
  const shown = JSON.parse(JSON.stringify(body), (key, value) => {
    if (bug?.isStirred && key === 'last_change_time') return undefined
    if (bug?.hasGaps && key === 'comments' && Array.isArray(value)) return renumbered(value)
    return value
  })
  return { status, shown, ...(!bug?.isStirred && { etag: headers.get('etag') }) }
}

/** The numbers of comments grow, and that is all that is left of them. */
function renumbered<Comment extends { count: number }>(comments: readonly Comment[]): Comment[] {
  const counts = comments.map(({ count }) => count)
  assert.deepEqual(
    counts,
    [...new Set(counts)].sort((one, other) => one - other),
  )
  return comments.map((comment, place) => ({ ...comment, count: place }))
}

describeOnEachEngine(
  'a server with hidden things in it',
  (world) => {
    const twins = new Twins(world, new World(world.engine, ENVIRONMENT))
    const worlds = [twins.full, twins.bare]
    let product = ''
    before(async () => {
      await twins.bare.open()
      for (const it of worlds) {
        product = (await newProduct(it)).name
        await setControl(it, product, 'security', { membercontrol: 'Shown', othercontrol: 'NA' })
        await it.ada.put('/rest/parameters', { insidergroup: 'security' })
        const field = { name: 'cf_twin', type: 6, display_name: 'Twin', is_on_bug_entry: true }
        assert.equal((await it.ada.post('/rest/field/bug', field)).status, 201)
        for (const [name, target_type] of [
          ['ask', 'bug'],
          ['look', 'attachment'],
        ]) {
          const type = { name, target_type, description: 'A flag', is_multiplicable: true }
          const made = await it.ada.post('/rest/flag_type', type)
          assert.equal(made.status, 201, made.text)
        }
      }
    })
    after(() => twins.bare.close())

    async function compare(story: Story, times: readonly string[]) {
      const readers = [
        [twins.full.edna, twins.bare.edna],
        [twins.full.stan, twins.bare.stan],
      ] as const
      const all = `/rest/bug/?${story.open.map(({ id }) => `ids=${id}`).join('&')}&include_fields=_all,${EXTRA}`
      const stirred = { isStirred: true, hasGaps: true } as OpenBug
      for (const bug of story.open)
        for (const question of questionsAbout(bug.id, times))
          for (const pair of readers) await compareOne(pair, question, bug)
      const anonymousCallers = [twins.full.nobody, twins.bare.nobody] as const
      if (story.open.length > 0) await compareOne(anonymousCallers, all, stirred)
      for (const question of [...OTHER_QUESTIONS, `/rest/product/${product}`])
        for (const pair of readers) await compareOne(pair, question, undefined)
    }

    async function compareOne([full, bare]: readonly [Client, Client], question: string, bug: OpenBug | undefined) {
      const [one, other] = [await full.get(question), await bare.get(question)]
      assert.deepEqual(neutral(one, bug), neutral(other, bug), `${question} ${JSON.stringify(bug)}`)
    }

    it('gives users who may not see them the same responses as if they did not exist', async () => {
      const kinds = [...openSteps, ...hiddenSteps]
      const anySteps = fc.array(fc.oneof(...kinds), { minLength: 10, maxLength: 22 })
      const oneOfEach = fc
        .tuple(...kinds)
        .chain((all) => fc.shuffledSubarray<Step>(all, { minLength: all.length, maxLength: all.length }))
      const steps: fc.Arbitrary<Step[]> = isEveryCombination ? anySteps : oneOfEach
      const property = fc.asyncProperty(steps, async (returned) => {
        const story = new Story(twins, product)
        for (const step of BEGINNING) await story.make(step)
        const times: string[] = []
        for (const [place, step] of returned.entries()) {
          await story.make(step)
          if (place === Math.floor(returned.length / 2)) times.push(twins.now)
        }
        await story.end()
        await compare(story, times)
      })
      // Each engine goes through another story.
      const seed = world.engine === 'postgres' ? 20260411 : 20260410
      await fc.assert(property, { seed, numRuns: randomCases(1), endOnFailure: true })
    })
  },
  ENVIRONMENT,
)

describeOnEachEngine('a bug that is a duplicate of a hidden one', (world) => {
  it('is closed as a duplicate for every user, and does not say of what', async () => {
    await setControl(world, 'TestProduct', 'security', { membercontrol: 'Shown', othercontrol: 'NA' })
    const hidden = await fileBug(world.sven, SECURITY)
    const bug = await fileBug(world.edna)
    await changeBug(world.sven, bug, { dupe_of: hidden })
    for (const reader of [world.nobody, world.stan, world.edna]) {
      const { status, resolution, dupe_of } = await readBug(reader, bug)
      assert.deepEqual({ status, resolution, dupe_of }, { status: 'RESOLVED', resolution: 'DUPLICATE', dupe_of: null })
      assert.equal((await readComments(reader, bug)).at(-1).text, 'Duplicate of another bug.')
      const { text } = await reader.get(`/rest/bug/${bug}/history`)
      assert.doesNotMatch(text, new RegExp(`"${hidden}"`))
    }
    assert.equal((await readBug(world.sven, bug)).dupe_of, hidden)
  })
})
