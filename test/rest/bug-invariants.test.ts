import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { WRONG_LISTS } from '../../src/platform/database/bug-lists.ts'
import type { BodyAt } from '../support/body-types.ts'
import { cast } from '../support/cast.ts'
import { fileBug } from '../support/file-bug.ts'
import { newProduct } from '../support/new-product.ts'
import { randomCases } from '../support/sample.ts'
import { sure } from '../support/sure.ts'
import { type Client, describeOnEachEngine, itOnOneEngine } from '../support/world.ts'

const COUNT = 4
const SEED = 20_261_115

/** Bugs are named by their place among those of the run, so that what was found wrong can be made again. */
const place = fc.nat({ max: COUNT - 1 })
const places = fc.array(place, { maxLength: 2 })
const listChange = fc.record({ add: places, remove: places }, { requiredKeys: [] })
const logins = fc.subarray([cast.stan.login, cast.uma.login, cast.rhea.login])
const oneOf = (...values: string[]) => fc.constantFrom(...values)

/** Whatever a user may want of a bug; much of it is refused. */
const change = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ status: oneOf('UNCONFIRMED', 'CONFIRMED', 'IN_PROGRESS', 'RESOLVED', 'VERIFIED') }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      status: oneOf('RESOLVED', 'VERIFIED', 'CONFIRMED'),
      resolution: oneOf('FIXED', 'INVALID', 'WONTFIX', 'DUPLICATE'),
    }),
  },
  fc.record({ resolution: oneOf('FIXED', 'INVALID', 'DUPLICATE', '') }),
  { weight: 4, arbitrary: fc.record({ dupe_of: place }) },
  fc.record({ dupe_of: place, status: oneOf('VERIFIED', 'RESOLVED'), resolution: oneOf('DUPLICATE', 'FIXED') }),
  { weight: 4, arbitrary: fc.record({ depends_on: listChange, blocks: listChange }, { requiredKeys: [] }) },
  fc.record({ depends_on: fc.record({ set: places }) }),
  fc.record({ product: oneOf('First', 'Second'), component: oneOf('Core', 'Edge') }, { requiredKeys: ['product'] }),
  fc.record({ target_milestone: oneOf('---', 'M1'), version: oneOf('1.0', '2.0') }, { requiredKeys: [] }),
  fc.record(
    {
      summary: oneOf('One', 'Two', 'Three'),
      priority: oneOf('High', 'Low', '---'),
      whiteboard: oneOf('', 'a, b', '[x]'),
      deadline: oneOf('', '2030-01-01'),
      is_cc_accessible: fc.boolean(),
      assigned_to: oneOf(cast.edna.login, cast.stan.login),
      qa_contact: oneOf('', cast.uma.login),
    },
    { requiredKeys: [] },
  ),
  fc.record({ cc: fc.record({ add: logins, remove: logins }, { requiredKeys: [] }) }),
  fc.record(
    {
      work_time: fc.integer({ min: -4, max: 8 }).map((quarters) => quarters / 4),
      remaining_time: fc.integer({ min: 0, max: 40 }).map((quarters) => quarters / 4),
      estimated_time: fc.integer({ min: 0, max: 40 }),
    },
    { requiredKeys: [] },
  ),
  fc.record({ see_also: fc.record({ add: places, remove: places }, { requiredKeys: [] }) }),
  fc.record({ alias: oneOf('a', 'b', '') }),
  fc.record({ comment: fc.record({ body: oneOf('', 'Words') }) }),
)

const command = fc.record({
  who: oneOf('edna', 'rhea', 'sven'),
  bugs: fc.array(place, { minLength: 1, maxLength: 2 }),
  change: fc.tuple(change, change).map(([one, two]): object => ({ ...one, ...two })),
})

/** What of a change names bugs by their places, or products and aliases by words that stand for them. */
interface Wanted {
  depends_on?: Record<string, number[]>
  blocks?: Record<string, number[]>
  see_also?: Record<string, number[]>
  dupe_of?: number
  product?: string
  alias?: string
}

type Bug = BodyAt<'GET', '/rest/bug/1'>['bugs'][number]
type Returned = BodyAt<'PUT', '/rest/bug/1'>['bugs'][number]

describeOnEachEngine('Whatever is done to bugs', (world) => {
  const people: Record<string, Client> = { edna: world.edna, rhea: world.rhea, sven: world.sven }
  const products = new Map<string, string>()

  async function prepare() {
    if (products.size > 0) return
    for (const name of ['First', 'Second']) {
      const product = await newProduct(world, ['Core', 'Edge'])
      await world.ada.post(`/rest/product/${product.name}/version`, { name: '2.0' })
      await world.ada.post(`/rest/product/${product.name}/milestone`, { name: 'M1' })
      products.set(name, product.name)
    }
  }

  /** Places as numbers of bugs, and names as those of this world. */
  function meant(wanted: Wanted, ids: readonly number[]) {
    const idAt = (it: number) => ids[it]
    const list = (it: Record<string, number[]>) =>
      Object.fromEntries(Object.entries(it).map(([key, v]) => [key, v.map(idAt)]))
    const texts = (it: Record<string, number[]>) =>
      Object.fromEntries(Object.entries(it).map(([key, v]) => [key, v.map((at) => String(idAt(at)))]))
    return {
      ...wanted,
      ...(wanted.depends_on && { depends_on: list(wanted.depends_on) }),
      ...(wanted.blocks && { blocks: list(wanted.blocks) }),
      ...(wanted.see_also && { see_also: texts(wanted.see_also) }),
      ...(wanted.dupe_of !== undefined && { dupe_of: idAt(wanted.dupe_of) }),
      ...(wanted.product && { product: products.get(wanted.product) }),
      ...(wanted.alias && { alias: `${wanted.alias}-${ids[0]}` }),
    }
  }

  async function statesOf(ids: readonly number[]) {
    const { status, body, text } = await world.edna.get(
      `/rest/bug/?${ids.map((id) => `ids=${id}`).join('&')}&exclude_fields=update_token`,
    )
    assert.equal(status, 200, text)
    return body.bugs
  }

  it('it stays valid, and its history explains its state', async () => {
    await prepare()
    const property = fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 25 }), async (commands) => {
      const ids: number[] = []
      for (let at = 0; at < COUNT; at++)
        ids.push(
          await fileBug(at % 2 === 0 ? world.edna : world.rhea, {
            product: products.get('First'),
            component: 'Core',
            version: '1.0',
          }),
        )
      const first = await statesOf(ids)
      let before = first
      for (const { who, bugs, change } of commands) {
        const targets = [...new Set(bugs.map((at) => ids[at]))]
        const reply = await (people[who] as Client).put('/rest/bug/update', {
          ids: targets,
          ...meant(change as Wanted, ids),
        })
        const after = await statesOf(ids)
        if (reply.status === 200) for (const returned of reply.body.bugs) requireTold(returned, before, after)
        else {
          assert.ok([400, 401, 404].includes(reply.status), reply.text)
          assert.deepEqual(after, before, `${reply.text} changed something`)
        }
        for (const bug of after) requireSound(bug, after)
        before = after
      }
      await requireReplayable(ids, first, before)
    })
    await fc.assert(property, {
      numRuns: randomCases(world.engine === 'postgres' ? 2 : 4),
      seed: SEED,
      endOnFailure: true,
    })
  })

  /** What an update answers is what has changed, no more and no less, but for what only history tells. */
  function requireTold(returned: Returned, before: readonly Bug[], after: readonly Bug[]) {
    const fieldsIn = (bugs: readonly Bug[]): Record<string, unknown> => ({
      ...bugs.find(({ id }) => id === returned.id),
    })
    const [old, now] = [fieldsIn(before), fieldsIn(after)]
    const FOLLOWING = ['last_change_time', 'is_open', 'actual_time']
    const changed = Object.keys(now).filter(
      (field) =>
        !field.endsWith('_detail') &&
        !FOLLOWING.includes(field) &&
        JSON.stringify(old[field]) !== JSON.stringify(now[field]),
    )
    const answered = Object.keys(returned.changes).filter(
      (field) => !(field === 'component' && returned.changes.component?.removed === returned.changes.component?.added),
    )
    if (changed.includes('estimated_time') && !answered.includes('estimated_time')) return
    const visible = changed.filter((field) => !field.endsWith('_time') || answered.includes(field))
    assert.deepEqual(answered.sort(), visible.sort(), `${returned.id}: ${JSON.stringify(returned.changes)}`)
  }

  function requireSound(bug: Bug, all: readonly Bug[]) {
    const says = JSON.stringify(bug)
    assert.equal(bug.is_open, bug.resolution === '', says)
    assert.equal(bug.dupe_of !== null, bug.resolution === 'DUPLICATE', says)
    if (bug.is_open) assert.equal(bug.is_confirmed, bug.status !== 'UNCONFIRMED', says)
    assert.ok(bug.remaining_time >= 0, says)
    const byId = new Map(all.map((it) => [it.id, it]))
    for (const other of bug.depends_on) assert.ok(byId.get(other)?.blocks.includes(bug.id), says)
    for (const other of bug.blocks) assert.ok(byId.get(other)?.depends_on.includes(bug.id), says)
    assert.ok(!reached(byId, bug.depends_on, (it) => it.depends_on).has(bug.id), `a circle: ${says}`)
    const duplicates = (it: Bug) => (it.dupe_of === null ? [] : [it.dupe_of])
    assert.ok(!reached(byId, duplicates(bug), duplicates).has(bug.id), `a circle: ${says}`)
  }

  function reached(byId: ReadonlyMap<number, Bug>, start: readonly number[], next: (bug: Bug) => number[]) {
    const seen = new Set(start)
    for (const id of seen) for (const further of next(sure(byId.get(id)))) seen.add(further)
    return seen
  }

  /** Takes every line of history back, the newest first, and comes to what was filed. */
  async function requireReplayable(ids: readonly number[], first: readonly Bug[], last: readonly Bug[]) {
    for (const [at, id] of ids.entries()) {
      const bug: Record<string, unknown> = { ...structuredClone(last[at]) }
      const lines = await world.db.query((q) =>
        q.selectFrom('bug_changes').selectAll().where('bug_id', '=', id).orderBy('id', 'desc'),
      )
      for (const { field, removed, added } of lines) takeBack(bug, field, removed, added)
      // Not in the history: what follows from it, and what a comment contains.
      for (const field of ['last_change_time', 'is_open', 'dupe_of', 'actual_time']) delete bug[field]
      const filed: Record<string, unknown> = { ...structuredClone(first[at]) }
      for (const field of Object.keys(filed)) if (!(field in bug) || field.endsWith('_detail')) delete filed[field]
      for (const field of Object.keys(bug)) if (field.endsWith('_detail')) delete bug[field]
      for (const list of [bug, filed]) for (const value of Object.values(list)) if (Array.isArray(value)) value.sort()
      assert.deepEqual(bug, filed)
    }
  }

  const LISTS = ['cc', 'depends_on', 'blocks', 'see_also', 'alias', 'keywords', 'groups']

  function takeBack(bug: Record<string, unknown>, field: string, removed: string, added: string) {
    if (field === 'work_time') return
    if (LISTS.includes(field)) {
      const items = (returned: string) => returned.split(', ').filter((it) => it !== '')
      const form = (it: string) => (field === 'depends_on' || field === 'blocks' ? Number(it) : it)
      let left = bug[field] as (string | number)[]
      for (const item of items(added).map(form)) {
        assert.ok(left.includes(item), `${field} has no ${item} to take back`)
        left = left.filter((it) => it !== item)
      }
      bug[field] = [...left, ...items(removed).map(form)]
      return
    }
    const now = bug[field]
    const form = (returned: string) =>
      typeof now === 'boolean'
        ? returned === '1'
        : typeof now === 'number'
          ? Number(returned)
          : field === 'deadline'
            ? returned || null
            : returned
    assert.equal(now, form(added), `${field} is ${now}, and history says ${added}`)
    bug[field] = form(removed)
  }

  it('it belongs together with its component, version and milestone', async () => {
    const strays = await world.db.query((q) =>
      q
        .selectFrom('bugs')
        .innerJoin('components', 'components.id', 'bugs.component_id')
        .innerJoin('versions', 'versions.id', 'bugs.version_id')
        .innerJoin('milestones', 'milestones.id', 'bugs.milestone_id')
        .select('bugs.id')
        .where((bug) =>
          bug.or([
            bug('components.product_id', '<>', bug.ref('bugs.product_id')),
            bug('versions.product_id', '<>', bug.ref('bugs.product_id')),
            bug('milestones.product_id', '<>', bug.ref('bugs.product_id')),
          ]),
        ),
    )
    assert.deepEqual(strays, [])
  })

  itOnOneEngine(world, 'it says which lists it has something in', async () => {
    assert.deepEqual(await world.db.query((q) => ({ compile: () => sql.raw(WRONG_LISTS).compile(q) })), [])
  })
})
