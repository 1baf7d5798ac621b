import { setTimeout as sleep } from 'node:timers/promises'
import { ADMIN } from '../bench/processes.ts'
import { calls } from '../src/routes.ts'
import { type Account, arrange, attempt, type HostileContext } from './hostile-context.ts'

const VALUES = 'values and links that are hidden'
const KEYS = 'keys that would give more than they have'
const CATALOGUE = 'flag types and classifications that are hidden'
const LOGINS = 'login names that are hidden'
const WEBHOOKS = 'webhooks to names of an internal network'
const ECHO = 'a key in another parameter'
const ANONYMOUS = 'writes without a login'

const MANDATORY = { entry: true, membercontrol: 'Mandatory', othercontrol: 'Mandatory' }
const NO_NAME = 'no-such-name'
const NO_ID = 987_654

/** A value that is shown only with a hidden product, and a field that names a hidden bug. */
export async function lookForHiddenValues(context: HostileContext) {
  const { port, round, accounts, tally, bugs } = context
  const product = await newHiddenProduct(context, `Hidden${round}`)
  const secret = `hushed${round}`
  const [values, link] = [`cf_values${round}`, `cf_link${round}`] as const
  const field = { is_on_bug_entry: true, display_name: 'A field' }
  const shown = ['plain', { name: secret, visibility_values: [product] }]
  await arrange(port, 'POST', '/field/bug', { ...field, name: values, type: 2, value_field: 'product', values: shown })
  await arrange(port, 'POST', '/field/bug', { ...field, name: link, type: 6 })
  const { id: hidden } = await arrange(port, 'POST', '/bug', { ...bugIn(product), summary: 'Hidden' })
  await arrange(port, 'PUT', `/bug/${bugs.first + 5}`, { [link]: hidden })
  for (const account of [undefined, ...accounts]) {
    const key = account?.key
    for (const path of [
      `/field/bug/${values}`,
      `/field/bug/${values}/values`,
      `/field/bug/${values}/1/values`,
      '/field/bug',
    ]) {
      const { text } = await attempt(context, { kind: VALUES, method: 'GET', path }, key)
      if (text.includes(secret)) tally.fail(VALUES, `${path} lists the hidden value`)
    }
    await alike(context, VALUES, secret, NO_NAME, key, (value) => ({
      method: 'POST',
      path: '/bug',
      body: { product: 'TestProduct', component: 'TestComponent', summary: 'x', [values]: value },
    }))
    await attempt(context, { kind: VALUES, method: 'PUT', path: `/bug/${bugs.first + 5}`, body: { [link]: null } }, key)
  }
  const kept = await arrange(port, 'GET', `/bug/${bugs.first + 5}?include_fields=${link}`)
  if (kept.bugs[0][link] !== hidden) tally.fail(VALUES, 'the link to a hidden bug was deleted')
}

/** Keys that may only read, that may not administer, or that expire. */
export async function widenKeys(context: HostileContext) {
  const { port, tally } = context
  const account = context.accounts[0] as Account
  const keys = `/user/${account.id}/api_key` as const
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  for (const limits of [{ scopes: ['read'] }, { scopes: ['read', 'write'] }, { expires_at: tomorrow }]) {
    const limited = await arrange(port, 'POST', keys, { description: 'limited', ...limits })
    const attempts = [
      { method: 'POST', path: keys, body: { description: 'wider', scopes: ['admin'], expires_at: '2100-01-01' } },
      {
        method: 'PUT',
        path: `${keys}/${limited.id}`,
        body: { scopes: ['read', 'write', 'admin'], expires_at: '2100-01-01' },
      },
      { method: 'PUT', path: `${keys}/${limited.id}`, body: { expires_at: '2100-01-01' } },
      { method: 'PUT', path: `/user/${account.id}`, body: { password: 'another-plainwords1' } },
      { method: 'GET', path: `/user/${encodeURIComponent(account.login)}/mail_address?renewed=1` },
    ] as const
    for (const it of attempts) {
      const { status } = await attempt(context, { kind: KEYS, ...it }, limited.api_key)
      const mayPass = it.method === 'GET' && 'scopes' in limits && limits.scopes?.includes('write') === true
      if (status < 300 && !mayPass)
        tally.fail(KEYS, `${it.method} ${it.path} of ${JSON.stringify(limits)} got ${status}`)
    }
  }
}

/** To somebody who administers only what they see, hidden flag types and classifications do not exist. */
export async function lookForHiddenCatalogue(context: HostileContext) {
  const { port, round } = context
  const editor = context.accounts[1] as Account
  await arrange(port, 'PUT', `/user/${editor.id}`, { groups: { add: ['editcomponents'] } })
  const product = await newHiddenProduct(context, `Vault${round}`)
  const classification = `Vaults${round}`
  await arrange(port, 'POST', '/classification', { name: classification })
  await arrange(port, 'PUT', `/product/${product}`, { classification })
  const name = `hiddenflag${round}`
  const type = { name, description: 'x', target_type: 'bug', inclusions: [product] }
  const { id } = await arrange(port, 'POST', '/flag_type', type)
  for (const [ref, missing] of [
    [id, NO_ID],
    [name, NO_NAME],
  ] as const) {
    const same = (request: (ref: string) => Probe) =>
      alike(context, CATALOGUE, String(ref), String(missing), editor.key, request)
    await same((it) => ({ method: 'PUT', path: `/flag_type/${it}`, body: { name: 'renamed' } }))
    await same((it) => ({ method: 'DELETE', path: `/flag_type/${it}?remove_flags=1` }))
  }
  for (const key of [undefined, editor.key]) {
    await alike(context, CATALOGUE, classification, NO_NAME, key, (it) => ({
      method: 'GET',
      path: `/classification/${it}`,
    }))
    await alike(context, CATALOGUE, product, NO_NAME, key, (it) => ({ method: 'GET', path: `/product/${it}` }))
    await alike(context, CATALOGUE, product, NO_NAME, key, (it) => ({
      method: 'GET',
      path: `/bug?product=${it}&limit=1`,
    }))
  }
}

/** Anonymous callers do not learn from searches, or where users are hidden, who has an account. */
export async function lookForLogins(context: HostileContext) {
  const { port, accounts } = context
  const { login } = accounts[2] as Account
  const missing = 'nobody-has-this@example.org'
  const same = (pathOf: (login: string) => string) =>
    alike(context, LOGINS, login, missing, undefined, (it) => ({ method: 'GET', path: pathOf(encodeURIComponent(it)) }))
  await same((it) => `/bug?f1=priority&o1=changedby&v1=${it}`)
  await same((it) => `/report?x_axis_field=status&f1=priority&o1=changedby&v1=${it}`)
  await arrange(port, 'PUT', '/parameters', { usevisibilitygroups: true })
  await same((it) => `/user?names=${it}`)
  await same((it) => `/user/${it}`)
  await arrange(port, 'PUT', '/parameters', { usevisibilitygroups: false })
}

/** The log of deliveries does not say whether a host name of the internal network exists. */
export async function lookForHostNames(context: HostileContext) {
  const { accounts, bugs, tally } = context
  const { key } = accounts[0] as Account
  const ids: number[] = []
  for (const host of ['localhost', 'no-such-host.invalid']) {
    const body = { name: host, url: `http://${host}:9/`, events: ['bug.update'] }
    const { json } = await attempt(context, { kind: WEBHOOKS, method: 'POST', path: '/webhook', body }, key)
    if (typeof json.id === 'number') ids.push(json.id)
  }
  const body = { whiteboard: `webhook ${Math.random()}` }
  await attempt(context, { kind: WEBHOOKS, method: 'PUT', path: `/bug/${bugs.first + 6}`, body }, key)
  const faults = await Promise.all(ids.map((id) => faultOf(context, id, key)))
  if (new Set(faults).size > 1) tally.fail(WEBHOOKS, `the faults differ: ${faults.join(' / ')}`)
  for (const id of ids) await attempt(context, { kind: WEBHOOKS, method: 'DELETE', path: `/webhook/${id}` }, key)
}

async function faultOf(context: HostileContext, id: number, key: string): Promise<string | undefined> {
  for (let tries = 0; tries < 60; tries++) {
    const { json } = await attempt(context, { kind: WEBHOOKS, method: 'GET', path: `/webhook/${id}` }, key)
    const fault = json.webhooks?.[0]?.last_fault
    if (typeof fault === 'string') return fault
    await sleep(500)
  }
  context.tally.fail(WEBHOOKS, 'nothing was sent within 30 s')
  return undefined
}

/** A key that a client has put into another parameter is not in the message. */
export async function echoKeys(context: HostileContext) {
  const { accounts, tally, bugs } = context
  const { key } = accounts[0] as Account
  const paths = [
    `/bug?limit=1&order=bug_id?api_key=${key}`,
    `/bug/${bugs.first}?include_fields=id&as_of=${key}`,
    `/bug?f1=${key}&o1=equals&v1=x`,
    `/bug?limit=${key}`,
    `/user/${key}`,
    `/product/x?api_key%3D${key}=1&ids=${key}`,
  ]
  for (const path of paths) {
    const { text } = await attempt(context, { kind: ECHO, method: 'GET', path })
    if (text.includes(key)) tally.fail(ECHO, `${path.replace(key, '(key)')} returns the key`)
  }
}

/** Every call that writes refuses anonymous callers with 410, whatever it is sent. */
export async function writeAnonymously(context: HostileContext) {
  for (const { method, path, scope, isOpen } of calls) {
    if (scope === 'read' || isOpen || method === 'GET') continue
    for (const body of [{}, { ids: ['x'], constructor: 1, summary: ['y'] }]) {
      const hasBody = method !== 'DELETE'
      const { status, json } = await attempt(context, {
        kind: ANONYMOUS,
        method,
        path: path.replace(/:\w+/g, '1'),
        ...(hasBody && { body }),
      })
      if (json.code !== 410 && status !== 503)
        context.tally.fail(ANONYMOUS, `${method} ${path} got ${status} ${json.code}`)
    }
  }
}

interface Probe {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  body?: object
}

/** What is hidden gets the same response as what does not exist, except for the name. */
async function alike(
  context: HostileContext,
  kind: string,
  hidden: string,
  missing: string,
  key: string | undefined,
  request: (ref: string) => Probe,
) {
  const one = await attempt(context, { kind, ...request(hidden) }, key)
  const other = await attempt(context, { kind, ...request(missing) }, key)
  if (one.status === 503 || other.status === 503) return
  const { method, path } = request('…')
  if (one.status !== other.status || without(one.text, hidden) !== without(other.text, missing))
    context.tally.fail(kind, `${method} ${path} differs: ${one.text.slice(0, 200)} / ${other.text.slice(0, 200)}`)
}

/** A number may also be a part of something else. */
function without(text: string, ref: string): string {
  if (!/^\d+$/.test(ref)) return text.replaceAll(ref, '…')
  return text.replaceAll(`“${ref}”`, '…').replaceAll(`"ref":"${ref}"`, '"ref":"…"')
}

async function newHiddenProduct({ port, round }: HostileContext, name: string): Promise<string> {
  const group = `members-of-${name.toLowerCase()}-${round}`
  await arrange(port, 'POST', '/group', { name: group, description: 'For an attack' })
  await arrange(port, 'POST', '/product', { name, description: 'Hidden', version: '1.0' })
  await arrange(port, 'POST', '/component', {
    product: name,
    name: 'Core',
    description: 'x',
    default_assignee: ADMIN.LACEWING_ADMIN_LOGIN,
  })
  await arrange(port, 'PUT', `/product/${name}/group_control/${group}`, MANDATORY)
  return name
}

function bugIn(product: string) {
  return { product, component: 'Core', version: '1.0', summary: 'x' }
}
