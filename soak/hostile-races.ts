import { ADMIN } from '../bench/processes.ts'
import { many } from '../test/support/hostile-requests.ts'
import { type Account, arrange, attempt, type HostileContext } from './hostile-context.ts'

const MOVES = 'a group becomes mandatory while bugs move and are filed'
const DELETIONS = 'what a bug moves to is deleted meanwhile'
const SHED = 'a move would take a group away'
const LISTS = 'wrong list bits of a restricted bug'
const KEYED = 'keyed filings after a change of the catalogue'

const MANDATORY = { membercontrol: 'Mandatory', othercontrol: 'Mandatory' }
const BUGS = 12
const KEYED_REQUESTS = 30

/** Bugs move and are filed while the group of their product becomes mandatory: afterwards only its members read them. */
export async function raceGroupControls(context: HostileContext) {
  const { port, accounts, round } = context
  const [account] = accounts as [Account]
  const group = await newGroup(context, `race${round}`)
  const [from, to] = [await newProduct(context, `From${round}`), await newProduct(context, `To${round}`)]
  const ids = await newBugs(context, from, BUGS)
  const control = () =>
    arrange(port, 'PUT', `/product/${to}/group_control/${group}`, MANDATORY).catch((fault) =>
      context.tally.fail(MOVES, String(fault)),
    )
  const moved = ids.slice(0, BUGS / 2).map((id) => move(context, MOVES, id, to))
  const filing = many(BUGS / 2, () => attempt(context, fileIn(to), account.key))
  await Promise.all([...moved, ...filing, control(), ...ids.slice(BUGS / 2).map((id) => move(context, MOVES, id, to))])
  const filed = await Promise.all(filing)
  const all = [...ids, ...filed.flatMap(({ json }) => json.id ?? [])]
  await assertHidden(context, MOVES, all, to)
}

function fileIn(product: string) {
  const body = { product, component: 'Core', version: '1.0', summary: 'Filed in a race' }
  return { kind: MOVES, method: 'POST', path: '/bug', body } as const
}

/** A milestone, a version, a component and a product are deleted while bugs move to them. */
export async function raceDeletions(context: HostileContext) {
  const { port, round, tally } = context
  const paths = [
    (name: string) => `/product/${name}/milestone/M2`,
    (name: string) => `/product/${name}/version/2.0`,
    (name: string) => `/component/${name}/Core`,
    (name: string) => `/product/${name}`,
  ]
  const from = await newProduct(context, `Leaving${round}`)
  for (const [place, pathOf] of paths.entries()) {
    const to = await newProduct(context, `Going${round}x${place}`)
    const ids = await newBugs(context, from, 4)
    const moves = () => ids.slice(0, 2).map((id) => move(context, DELETIONS, id, to, { target_milestone: 'M2' }))
    const remove = () =>
      attempt(context, { kind: DELETIONS, method: 'DELETE', path: pathOf(to) }, ADMIN.LACEWING_ADMIN_API_KEY)
    await Promise.all([...moves(), remove(), ...ids.slice(2).map((id) => move(context, DELETIONS, id, to))])
    for (const id of ids) {
      const { bugs } = await arrange(port, 'GET', `/bug/${id}`)
      if (bugs?.length !== 1) tally.fail(DELETIONS, `bug ${id} cannot be read any more`)
    }
  }
}

/** A user on CC who is not in the group of a bug moves the bug to a product that does not use the group. */
export async function shedGroups(context: HostileContext) {
  const { port, round, accounts } = context
  const group = await newGroup(context, `shed${round}`)
  const [from, to] = [await newProduct(context, `Closed${round}`), await newProduct(context, `Open${round}`)]
  await arrange(port, 'PUT', `/product/${from}/group_control/${group}`, {
    membercontrol: 'Shown',
    othercontrol: 'Shown',
  })
  for (const account of accounts) {
    const bug = { ...bugIn(from), groups: [group], cc: [account.login] }
    const { id } = await arrange(port, 'POST', '/bug', bug)
    for (const more of [{}, { groups: { remove: [group] } }, { groups: { set: [] } }, { reset_assigned_to: true }])
      await move(context, SHED, id, to, more, account.key)
    await assertHidden(context, SHED, [id])
  }
}

/** Visibility does not depend on the bits that say which lists of a bug have items. */
export async function breakListBits(context: HostileContext) {
  const { port, round, place } = context
  const group = await newGroup(context, `bits${round}`)
  const product = await newProduct(context, `Bits${round}`)
  await arrange(port, 'PUT', `/product/${product}/group_control/${group}`, MANDATORY)
  const { id } = await arrange(port, 'POST', '/bug', bugIn(product))
  await place.rows(`update bugs set lists = 0 where id = ${id}`)
  await assertHidden(context, LISTS, [id])
}

/** Many keyed requests at once, just after a change of what all of them must read again. */
export async function fileWithKeys(context: HostileContext) {
  const { port, round, accounts, tally } = context
  const product = await newProduct(context, `Keyed${round}`)
  await arrange(port, 'PUT', `/product/${product}`, { description: `Changed ${Math.random()}` })
  const outcomes = await Promise.all(
    many(KEYED_REQUESTS, (number) =>
      attempt(
        context,
        {
          kind: KEYED,
          method: 'POST',
          path: '/bug',
          body: bugIn(product),
          headers: { 'Idempotency-Key': `soak-${round}-${number}` },
        },
        accounts[number % accounts.length]?.key,
      ),
    ),
  )
  const filed = outcomes.filter(({ status }) => status === 200).length
  const busy = outcomes.filter(({ status }) => status === 503).length
  if (filed + busy !== KEYED_REQUESTS) tally.fail(KEYED, `${filed} of ${KEYED_REQUESTS} were filed`)
}

function move(
  context: HostileContext,
  kind: string,
  id: number,
  product: string,
  more: object = {},
  key = context.accounts[0]?.key,
) {
  const body = { product, component: 'Core', version: '1.0', ...more }
  return attempt(context, { kind, method: 'PUT', path: `/bug/${id}`, body }, key)
}

/** Neither anonymous callers nor accounts outside of the group read the bugs; those that stayed in another product do not count. */
async function assertHidden(context: HostileContext, kind: string, ids: readonly number[], product?: string) {
  for (const id of ids) {
    const { bugs } = await arrange(context.port, 'GET', `/bug/${id}?include_fields=product`)
    if (product !== undefined && bugs[0].product !== product) continue
    for (const path of [`/bug/${id}`, `/bug/${id}/comment`, `/bug/${id}/history`, `/bug?id=${id}`] as const) {
      const { status, json } = await attempt(context, { kind, method: 'GET', path })
      if (status === 200 && JSON.stringify(json.bugs) !== '[]')
        context.tally.fail(kind, `anonymous callers read ${path}`)
    }
  }
}

async function newProduct({ port, accounts }: HostileContext, name: string): Promise<string> {
  await arrange(port, 'POST', '/product', { name, description: 'For an attack', version: '1.0' })
  await arrange(port, 'POST', `/product/${name}/version`, { name: '2.0' })
  await arrange(port, 'POST', `/product/${name}/milestone`, { name: 'M2' })
  const component = { product: name, name: 'Core', description: 'A part', default_assignee: accounts[0]?.login }
  await arrange(port, 'POST', '/component', component)
  return name
}

async function newGroup({ port }: HostileContext, name: string): Promise<string> {
  await arrange(port, 'POST', '/group', { name, description: 'For an attack' })
  return name
}

async function newBugs({ port }: HostileContext, product: string, count: number): Promise<number[]> {
  const ids: number[] = []
  for (let number = 0; number < count; number++) ids.push((await arrange(port, 'POST', '/bug', bugIn(product))).id)
  return ids
}

function bugIn(product: string) {
  return { product, component: 'Core', version: '1.0', summary: 'A bug that moves' }
}
