import * as organisation from './organisation.ts'
import * as staff from './people.ts'
import { loginOf } from './people.ts'
import { type Component, type Product, products } from './products.ts'
import type { Tracker } from './tracker.ts'

/** A user whose credentials the demo prints. */
export interface Person {
  login: string
  apiKey: string
  name: string
  about: string
}

/**
 * Creates the whole organisation on a fresh tracker, only through the API. Returns all users except the administrator. They have no passwords.
 */
export async function setUp(tracker: Tracker, administrator: string): Promise<Person[]> {
  await tracker.put('/user/:ref', { ref: administrator, full_name: staff.administrator.name })
  await tracker.put('/parameters', { useclassification: true })
  await makeGroups(tracker)
  const people = await makePeople(tracker)
  await tracker.put('/parameters', organisation.parameters)
  for (const classification of organisation.classifications) await tracker.post('/classification', classification)
  for (const product of products) await makeProduct(tracker, product)
  for (const { product, group, ...rights } of organisation.groupControls)
    await tracker.put('/product/:product/group_control/:group', { product, group, ...rights })
  await tracker.delete('/product/:ref', { ref: 'TestProduct' })
  for (const keyword of organisation.keywords) await tracker.post('/keyword', keyword)
  for (const field of organisation.fields) await tracker.post('/field/bug', field)
  await changeWorkflow(tracker)
  for (const flagType of organisation.flagTypes) await tracker.post('/flag_type', flagType)
  return people
}

/** All groups first, then their members, because a group may name one that comes later. */
async function makeGroups(tracker: Tracker) {
  for (const { member_groups: _, ...group } of organisation.groups) await tracker.post('/group', group)
  for (const { name, member_groups } of organisation.groups)
    if (member_groups) await tracker.put('/group/:ref', { ref: name, member_groups: { add: member_groups } })
  for (const [name, user_regexp] of Object.entries(organisation.regexps))
    await tracker.put('/group/:ref', { ref: name, user_regexp })
}

async function makePeople(tracker: Tracker): Promise<Person[]> {
  const made: Person[] = []
  for (const { login, name, about, groups } of staff.people) {
    await tracker.post('/user', { email: login, full_name: name })
    if (groups.length > 0) await tracker.put('/user/:ref', { ref: login, groups: { add: groups } })
    const { api_key } = await tracker.post('/user/:user/api_key', { user: login, description: 'For the demo' })
    made.push({ login, apiKey: api_key, name, about })
  }
  return made
}

async function makeProduct(tracker: Tracker, product: Product) {
  // One of the products is closed later: see year.ts.
  const { versions, milestones, components, is_open: _, ...attributes } = product
  const [version, ...laterVersions] = versions
  await tracker.post('/product', { ...attributes, version })
  for (const name of laterVersions) await tracker.post('/product/:product/version', { product: product.name, name })
  for (const [place, name] of milestones.entries())
    await tracker.post('/product/:product/milestone', { product: product.name, name, sort_key: 10 * (place + 1) })
  for (const component of components) await makeComponent(tracker, product.name, component)
}

async function makeComponent(tracker: Tracker, product: string, component: Component) {
  const { default_assignee, default_qa_contact, default_cc, ...attributes } = component
  await tracker.post('/component', {
    ...attributes,
    product,
    default_assignee: loginOf(default_assignee),
    ...(default_qa_contact && { default_qa_contact: loginOf(default_qa_contact) }),
    ...(default_cc && { default_cc: default_cc.map(loginOf) }),
  })
}

async function changeWorkflow(tracker: Tracker) {
  const { status, transitions } = organisation.waiting
  await tracker.post('/field/bug/:field/values', { field: 'bug_status', ...status })
  const { transitions: shipped } = await tracker.get('/workflow')
  const others = shipped.filter(({ from, to }) => !transitions.some((own) => own.from === from && own.to === to))
  await tracker.put('/workflow', { transitions: [...others, ...transitions] })
}
