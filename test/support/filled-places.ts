import assert from 'node:assert/strict'
import { cast } from './cast.ts'
import type { Client, Reply, World } from './world.ts'

/** Markup, a direction character that is never closed, and a word that breaks nowhere. */
const HOSTILE = '<b onclick=alert(1)>“\u202e&amp;'

function hostile(word: string, length: number) {
  return `${word} ${HOSTILE}${'Wordwithoutend'.repeat(20)}`.slice(0, length)
}

/** What takes no space or no markup. */
function longWord(word: string, length: number) {
  return `${word}${'wordwithoutend'.repeat(20)}`.slice(0, length)
}

/** A page for people who run a tracker, decide what reaches them, or see how a team stands. */
export interface Place {
  address: string
  /** What other users and anonymous readers are told there instead; absent if it is for them, too. */
  refusals?: { other?: string; anonymous: string }
}

const NAMES = {
  product: hostile('Kettle', 64),
  component: hostile('Lid', 64),
  group: longWord('boilers', 60),
  keyword: longWord('steam', 60),
  flagType: longWord('review', 50),
  classification: hostile('Kitchen', 64),
}

/** Fills an installation with one thing of each kind that administrators and readers name, and returns the places that show them. */
export async function fillPlaces(world: World): Promise<Place[]> {
  const { ada } = world
  const made: Reply[] = []
  const post = async (by: Client, path: string, body: object) => {
    const reply = (await by.post(path, body)) as Reply
    made.push(reply)
    return reply.body as unknown as { id: number }
  }
  const put = async (by: Client, path: string, body: object) => void made.push((await by.put(path, body)) as Reply)
  const { product, component, group, keyword, flagType, classification } = NAMES
  const at = (name: string) => encodeURIComponent(name)

  await put(ada, '/rest/parameters', {
    useclassification: true,
    webhook_networks: '127.0.0.1/32',
    incoming_address: 'bugs@lacewing.test',
    site_name: hostile('Tracker', 60),
    announcehtml: hostile('Notice', 200),
  })
  await post(ada, '/rest/classification', { name: classification, description: hostile('Where it stands', 200) })
  await post(ada, '/rest/product', {
    ...{ name: product, description: hostile('Boils', 240), version: hostile('1.0', 60) },
    classification,
  })
  for (const name of [component, 'Spout'])
    await post(ada, '/rest/component', {
      ...{ product, name, description: hostile('Closes', 240), default_assignee: cast.edna.login },
      default_cc: [cast.pam.login],
    })
  for (const name of ['2.0', '3.0']) await post(ada, `/rest/product/${at(product)}/version`, { name })
  for (const name of [hostile('M1', 60), 'M2']) await post(ada, `/rest/product/${at(product)}/milestone`, { name })
  await post(ada, '/rest/group', { name: group, description: hostile('Who boils', 200), user_regexp: '^rhea@' })
  await post(ada, '/rest/group', { name: 'helpers', description: 'Who help' })
  await put(ada, `/rest/group/${group}`, { member_groups: { add: ['helpers'] } })
  await put(ada, `/rest/user/${cast.edna.login}`, { groups: { add: [group] } })
  await put(ada, `/rest/product/${at(product)}/group_control/${group}`, { membercontrol: 'Shown', editbugs: true })
  await post(ada, '/rest/keyword', { name: keyword, description: hostile('Hot', 200) })
  await post(ada, '/rest/keyword', { name: 'noise', description: 'Loud' })
  await post(ada, '/rest/flag_type', { name: flagType, description: hostile('Look at it', 200) })
  await post(ada, '/rest/field/bug', {
    ...{ name: 'colour', display_name: hostile('Colour', 60), type: 'drop down', is_on_bug_entry: true },
    ...{ values: [hostile('red', 60), 'blue'] },
  })
  await post(ada, '/rest/field/bug', {
    name: 'serial',
    display_name: 'Serial',
    type: 'free text',
    is_on_bug_entry: true,
  })
  await put(ada, '/rest/field/bug/cf_serial', { visibility_field: 'cf_colour', visibility_values: ['blue'] })
  const bug = await post(world.edna, '/rest/bug', {
    ...{ product, component, version: '2.0', summary: hostile('It leaks', 240), keywords: [keyword] },
    ...{ cf_colour: 'blue', description: hostile('Drip', 400) },
    flags: [{ name: flagType, status: '?', requestee: cast.ada.login }],
  })
  await post(ada, '/rest/bug', {
    product,
    component: 'Spout',
    version: '3.0',
    summary: 'It drips',
    keywords: ['noise'],
  })
  await put(world.edna, `/rest/bug/${bug.id}`, { status: 'IN_PROGRESS' })

  await put(ada, '/rest/parameters', {
    sign_in_providers: [
      { name: 'corp', title: hostile('Corp', 60), issuer: 'https://login.example.org', client_id: 'bugs' },
    ],
  })
  for (const by of [ada, world.edna]) {
    const url = `http://127.0.0.1:9/${longWord('hook', 100)}`
    const hook = await post(by, '/rest/webhook', { url, events: ['bug.create'] })
    await post(by, `/rest/webhook/${hook.id}/test`, {})
  }
  const newcomer = await world.newUser({
    full_name: hostile('Newcomer', 200),
    email: `${longWord('new', 60)}@lacewing.test`,
  })
  await post(newcomer.client, `/rest/bug/${bug.id}/comment`, { comment: hostile('Cheap', 300) })
  await world.db.query((q) =>
    q.insertInto('refused_messages').values({ user_id: null, reason: hostile('No bug', 200), at: NOW }),
  )

  for (const name of [longWord('Kettles', 60), 'Leaks'])
    await post(ada, '/rest/saved_search', { name, query: 'summary=leak', shared_with: group })
  await post(ada, '/rest/saved_report', { name: longWord('By colour', 60), query: 'y_axis_field=cf_colour' })
  await post(ada, `/rest/user/${cast.ada.login}/api_key`, { description: hostile('Nightly', 200), scopes: ['read'] })
  await post(ada, '/rest/scheduled_mail', {
    ...{ subject: hostile('What is left', 100), searches: [{ search: 'Leaks' }] },
    schedules: [{ day: 'All', time: '8' }],
  })
  await put(ada, `/rest/user/${cast.ada.login}/mail`, {
    watched_users: { add: [cast.edna.login, newcomer.login] },
    ignored_bugs: { add: [bug.id] },
  })
  const tiles = [
    { title: hostile('Load', 60), kind: 'load', query: `product=${at(product)}` },
    { title: 'Colours', kind: 'table', query: 'quicksearch=ALL&y_axis_field=cf_colour&x_axis_field=product' },
    { title: 'How many', kind: 'count', query: 'quicksearch=ALL' },
    { title: 'Over time', kind: 'over_time', query: 'quicksearch=ALL' },
  ]
  const rotation = hostile('Turns', 60)
  await post(ada, '/rest/rotation', { name: rotation, users: [cast.edna.login, cast.ada.login] })
  const queue = hostile('Queue', 60)
  const search = `product=${at(product)}&resolution=---`
  await post(ada, '/rest/triage', { name: queue, query: search, group, rotation, aim_days: 1 })
  const board = await post(ada, '/rest/dashboard', { name: hostile('Team', 60), tiles, shared_with: [group] })
  assert.deepEqual(
    made.filter(({ status }) => status >= 400).map(({ body }) => body),
    [],
  )
  const administration = [
    ...[
      '',
      '/products',
      `/products/${at(product)}`,
      '/classifications',
      '/people',
      `/people?who=${newcomer.id}`,
      '/groups',
    ],
    ...[`/groups/${group}`, '/groups/admin', '/fields', '/fields/cf_colour', '/fields/cf_serial', '/fields/priority'],
    ...['/workflow', '/flag-types', '/flag-types/1', '/keywords', '/parameters', '/mail', '/webhooks', '/providers'],
    ...['/audit', '/misuse', `/misuse?who=${newcomer.id}`],
  ]
  const settings = ['', '/mail', '/searches', '/scheduled-mail', '/factors', '/keys', '/webhooks', '/access']
  const reports = [
    '/reports?y_axis_field=cf_colour&x_axis_field=product',
    ...['over_time', 'flow', 'burn_up', 'age', 'time_to_close', 'load'].map((it) => `/reports?kind=${it}`),
    '/dashboards',
  ]
  const forAdministrators = { other: 'This is for administrators', anonymous: 'Log in to administer the tracker' }
  const forUsers = { anonymous: 'Log in to change your account' }
  return [
    ...administration.map((it) => ({ address: `/admin${it}`, refusals: forAdministrators })),
    ...settings.map((it) => ({ address: `/settings${it}`, refusals: forUsers })),
    ...reports.map((address) => ({ address })),
    { address: '/triage', refusals: { anonymous: 'Log in to triage' } },
    { address: `/triage/${at(queue)}`, refusals: { other: 'This cannot be shown', anonymous: 'Log in to triage' } },
    { address: `/dashboard/${board.id}`, refusals: { other: 'This cannot be shown', anonymous: 'Log in to see this' } },
  ]
}

const NOW = '2026-11-18T12:00:00Z'
