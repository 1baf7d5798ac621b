import assert from 'node:assert/strict'
import { toTime } from '../../src/platform/time/clock.ts'
import { attach, base64 } from './attach.ts'
import { cast } from './cast.ts'
import { changeBug } from './change-bug.ts'
import { say } from './discussion.ts'
import { fileBug } from './file-bug.ts'
import { newType } from './flags.ts'
import { setControl } from './new-member.ts'
import type { Client, World } from './world.ts'

/** How many bugs there are to search; every third word, person and day differs from its neighbours', so that each question parts them. */
const BUGS = 16
const DAY = 86_400_000

/** Fields of every type that an administrator can make. */
export const CUSTOM_FIELDS = [
  { name: 'cf_text', type: 1 },
  { name: 'cf_choice', type: 2, values: ['red', 'Green', 'blue sky'] },
  { name: 'cf_many', type: 3, values: ['north', 'South', 'east end'] },
  { name: 'cf_long', type: 4 },
  { name: 'cf_when', type: 5 },
  { name: 'cf_other', type: 6 },
  { name: 'cf_day', type: 9 },
  { name: 'cf_count', type: 10 },
] as const

/** Words that differ in case, accents and punctuation, that share a prefix, or that have a meaning in SQL or regular expressions. */
const SUMMARIES = [
  'Amber light is broken',
  'amber lights flicker',
  'The AMBER-birch case',
  'Birch and cobalt (both) fail',
  'Cobalt: 100% of it_is gone',
  "It's a quote's end",
  'Ämber is not amber',
  'back\\slash and "quotation"',
  'ambergris smells',
  'Straße nach Zürich',
  'birch, cobalt, dune',
  'x',
]
const WHITEBOARDS = ['', '[amber]', 'birch dune', '', 'AMBER=1, birch=2', 'needs-work']
const ADDRESSES = ['', 'https://amber.test/a?b=1', 'http://birch.test/', '', 'ftp://Amber.test/x_y']
const COMMENTS = [
  'Amber was seen here',
  'Nothing but birch',
  'cobalt and amber together',
  'A line\nand another with dune',
  '',
]
const PEOPLE = ['ada', 'edna', 'sven', 'rhea'] as const
const STATUSES = [
  {},
  { status: 'IN_PROGRESS' },
  { status: 'RESOLVED', resolution: 'FIXED' },
  { status: 'RESOLVED', resolution: 'INVALID' },
]

/** Creates bugs with values in every field, some of them hidden, with private comments and hours. */
export async function fillWithBugs(world: World): Promise<number[]> {
  await makeCatalogue(world)
  const ids: number[] = []
  for (let index = 0; index < BUGS; index++) ids.push(await makeBug(world, index, ids))
  for (const [index, id] of ids.entries()) await dateBack(world, index, id)
  return ids
}

async function makeCatalogue(world: World) {
  const made = async (path: string, body: object) => {
    const { status, text } = await world.ada.post(path, body)
    assert.equal(status, 201, `${path} ${text}`)
  }
  const { status, text } = await world.ada.put('/rest/parameters', {
    insidergroup: 'security',
    useclassification: true,
    comment_taggers_group: 'editbugs',
  })
  assert.equal(status, 200, text)
  await made('/rest/classification', { name: 'Shore works', description: 'On land.' })
  const products = { Harbour: ['Crane', 'Dock', 'amber lamp'], Lighthouse: ['Lamp', 'Dock'], Vault: ['Safe'] }
  for (const [name, components] of Object.entries(products)) {
    const classification = name === 'Harbour' ? 'Shore works' : 'Unclassified'
    await made('/rest/product', { name, description: 'For a test', version: '1.9', classification })
    await made(`/rest/product/${name}/version`, { name: '1.10' })
    await made(`/rest/product/${name}/milestone`, { name: 'Amber day', sort_key: 5 })
    for (const component of components)
      await made('/rest/component', {
        product: name,
        name: component,
        description: 'A part',
        default_assignee: cast.ada.login,
      })
    const control = name === 'Vault' ? 'Mandatory' : 'Shown'
    await setControl(world, name, 'security', {
      entry: name === 'Vault',
      membercontrol: control,
      othercontrol: name === 'Vault' ? control : 'NA',
    })
  }
  for (const name of ['amber', 'birch-2', 'Cobalt']) await made('/rest/keyword', { name, description: 'For a test' })
  for (const field of CUSTOM_FIELDS)
    await made('/rest/field/bug', { display_name: field.name, is_on_bug_entry: true, ...field })
  await newType(world, { name: 'review' })
  await newType(world, { name: 'needinfo' })
  await newType(world, { name: 'approval', target_type: 'attachment' })
}

async function makeBug(world: World, index: number, before: readonly number[]): Promise<number> {
  const reporter = index % 5 === 4 ? world.sven : index % 5 === 2 ? world.rhea : world.edna
  const isInVault = index % 8 === 7
  const filer = isInVault ? world.sven : reporter
  const id = await fileBug(filer, {
    product: isInVault ? 'Vault' : index % 3 === 0 ? 'Harbour' : 'Lighthouse',
    component: isInVault
      ? 'Safe'
      : index % 6 === 0
        ? 'Crane'
        : index % 6 === 3
          ? 'amber lamp'
          : pick(['Lamp', 'Dock'], index),
    version: pick(['1.9', '1.10'], index),
    summary: pick(SUMMARIES, index),
    description: pick(COMMENTS, index),
    url: pick(ADDRESSES, index),
    whiteboard: pick(WHITEBOARDS, index),
    op_sys: pick(['All', 'Linux', 'Windows'], index),
    platform: pick(['All', 'PC'], index),
    priority: pick(['---', 'High', 'Low'], index),
    severity: pick(['normal', 'major', 'trivial', 'blocker'], index),
    target_milestone: pick(['---', 'Amber day'], index),
    assigned_to: cast[isInVault ? 'sven' : pick(PEOPLE, index)].login,
    ...(index % 4 === 1 && { qa_contact: cast[isInVault ? 'sven' : pick(PEOPLE, index + 1)].login }),
    cc: isInVault ? [] : PEOPLE.filter((_, person) => (index + person) % 3 === 0).map((name) => cast[name].login),
    ...(index % 3 === 1 && { alias: [`amber-${index}`, ...(index % 2 === 0 ? [`Other_${index}`] : [])] }),
    keywords: ['amber', 'birch-2', 'Cobalt'].filter((_, word) => (index + word) % 4 === 0),
    ...(index % 3 !== 0 && { cf_text: pick(['amber', 'Birch tree', 'a,b'], index) }),
    cf_choice: pick(['---', 'red', 'Green', 'blue sky'], index),
    cf_many: ['north', 'South', 'east end'].filter((_, place) => (index >> place) % 2 === 1),
    ...(index % 4 === 2 && { cf_long: pick(COMMENTS, index + 1) }),
    ...(index % 3 === 0 && { cf_when: toTime(Date.now() - index * 2 * DAY) }),
    ...(index % 4 === 0 && { cf_day: toTime(Date.now() - index * 3 * DAY).slice(0, 10) }),
    cf_count: (index * 7) % 5,
  })
  await fillBug(world, index, id, before)
  return id
}

async function fillBug(world: World, index: number, id: number, before: readonly number[]) {
  const older = before[index - 3]
  const evenOlder = before[index - 7]
  const { sven, ada, edna, rhea } = world
  await changeBug(sven, id, {
    ...(older !== undefined && index % 3 === 0 && { depends_on: { add: [older] } }),
    ...(older !== undefined &&
      index % 4 === 1 && { see_also: { add: [String(older), 'https://github.com/a/b/issues/7'] } }),
    ...(evenOlder !== undefined && index % 4 === 2 && { blocks: { add: [evenOlder] } }),
    ...(older !== undefined && index % 5 === 3 && { cf_other: older }),
    ...(index % 3 === 1 && { deadline: toTime(Date.now() + (index - 12) * DAY).slice(0, 10) }),
    ...(index % 2 === 0 && { estimated_time: index / 4, remaining_time: index / 8 }),
    is_cc_accessible: index % 4 !== 3,
    is_creator_accessible: index % 5 !== 4,
  })
  if (index % 2 === 0) await changeBug(sven, id, { whiteboard: 'amber now', severity: 'minor' })
  if (index % 2 === 0) await changeBug(ada, id, { whiteboard: pick(WHITEBOARDS, index), priority: 'Highest' })
  if (index % 4 === 3) await changeBug(ada, id, { cc: { add: [cast.stan.login] } })
  await talk(world, index, id)
  await askFor(world, index, id)
  await changeBug(ada, id, { ...pick(STATUSES, index) })
  if (index % 6 === 5 && index % 8 !== 7) await changeBug(ada, id, { groups: { add: ['security'] } })
  const readers: Client[] = index % 8 === 7 ? [sven] : [sven, edna, rhea, world.stan]
  for (const [number, reader] of readers.entries()) {
    if (index % 6 === 5) continue
    if ((index + number) % 3 === 0) await reader.put(`/rest/bug/${id}/tags`, { add: ['amber', `mine ${index % 2}`] })
    if ((index + number) % 4 === 0) await reader.post(`/rest/bug_user_last_visit/${id}`)
  }
}

async function talk({ sven, ada, edna, rhea }: World, index: number, id: number) {
  const speaker = index % 8 === 7 ? sven : pick([edna, ada, rhea], index)
  const said = await say(speaker, id, `${pick(COMMENTS, index + 2)} by somebody`)
  if (index % 3 === 0) await sven.put(`/rest/bug/comment/${said}/tags`, { add: ['amber', 'obsolete'] })
  if (index % 4 === 0) await say(sven, id, 'worked on cobalt', { work_time: 1.5 + index })
  if (index % 5 === 1) await say(sven, id, 'amber secret marzipan', { is_private: true })
}

async function askFor({ sven, ada }: World, index: number, id: number) {
  const isHidden = index % 8 === 7
  const file = (more: object) => attach(sven, id, { ...more, comment: 'see this' })
  if (index % 4 === 0) {
    const data = base64(`${pick(COMMENTS, index + 1)} in the file`)
    const patch = await file({
      data,
      summary: pick(SUMMARIES, index + 3),
      file_name: `amber${index}.txt`,
      is_patch: index % 8 === 0,
    })
    const flags = [{ name: 'approval', status: pick(['?', '+', '-'], index / 4) }]
    assert.equal((await sven.put(`/rest/bug/attachment/${patch}`, { flags, is_obsolete: index % 3 === 0 })).status, 200)
  }
  if (index % 5 === 2)
    await file({
      data: base64('amber marzipan'),
      summary: 'A private birch',
      content_type: 'image/png',
      is_private: true,
    })
  if (index % 3 === 2) await changeBug(ada, id, { flags: [{ name: 'review', status: pick(['+', '-', '?'], index) }] })
  if (index % 3 === 1) {
    const requestee = cast[isHidden ? 'sven' : pick(['edna', 'rhea'] as const, index)].login
    await changeBug(sven, id, { flags: [{ name: 'needinfo', status: '?', requestee }] })
  }
}

/** Spreads the changes over the last weeks, in the same order. */
async function dateBack({ db }: World, index: number, id: number) {
  // Not whole days ago, so that no bug lies on the border of a relative date.
  const start = Date.now() - (BUGS - index) * 3 * DAY - 5_000_000
  const at = (step: number) => toTime(Math.min(start + step * 0.7 * DAY, Date.now() - 3_600_000))
  await db.query((q) =>
    q
      .updateTable('bugs')
      .set({ created_at: toTime(start), changed_at: at(9) })
      .where('id', '=', id),
  )
  for (const table of ['comments', 'bug_changes'] as const) {
    const rows = await db.query((q) => q.selectFrom(table).select('id').where('bug_id', '=', id).orderBy('id'))
    for (const [step, row] of rows.entries())
      await db.query((q) =>
        q
          .updateTable(table)
          .set({ at: at(step) })
          .where('id', '=', row.id),
      )
  }
}

function pick<Value>(values: readonly Value[], index: number): Value {
  return values[Math.floor(index) % values.length] as Value
}
