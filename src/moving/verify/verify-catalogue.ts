import { isObject, type Json, listIn } from '../rest-client/rest-server.ts'
import { askBoth, type VerifyContext } from './ask-both.ts'

const CALLS: readonly (readonly [kind: string, call: string])[] = [
  ['product', 'product?type=accessible'],
  ['product names', 'product?type=enterable&include_fields=id,name'],
  ['product names', 'product?type=selectable&include_fields=id,name'],
  ['field', 'field/bug'],
  ['parameters', 'parameters'],
]

/** Products with all that is in them, fields with their values, groups, flag types and users, as each person. */
export async function verifyCatalogue(context: VerifyContext, largestSample: number | undefined) {
  for (const person of context.people) {
    const products = new Set<string>()
    const classifications = new Set<string>()
    for (const [kind, call] of CALLS) {
      const answers = await askBoth(context, kind, person, call)
      for (const body of [answers?.old.body, answers?.new.body])
        for (const product of kind === 'product' ? listIn(body, 'products') : []) {
          addName(products, product, 'name')
          addName(classifications, product, 'classification')
        }
    }
    for (const name of products) await askBoth(context, 'flag type', person, `flag_type/${encodeURIComponent(name)}`)
    for (const name of classifications)
      await askBoth(context, 'classification', person, `classification/${encodeURIComponent(name)}`)
    if (person.oldKey !== undefined) await askBoth(context, 'group', person, 'group?membership=1')
  }
  await verifyUsers(context, largestSample)
}

/** Bugzilla does not decode other names in a path, and web servers refuse a slash in one. */
function addName(names: Set<string>, object: Json, property: string) {
  const name = isObject(object) ? object[property] : undefined
  if (typeof name === 'string' && /^[ -.0-~]+$/.test(name)) names.add(name)
}

const USERS_AT_ONCE = 50
const LARGEST_ID = 2_147_483_647
const MOST_EMPTY = 4

/** Users by their numbers, as each person who has a key; by name as an anonymous caller, who may ask only so. */
async function verifyUsers(context: VerifyContext, largestSample: number | undefined) {
  const first = context.people.find(({ oldKey }) => oldKey !== undefined)
  if (first === undefined) return
  const listed = await askBoth(context, 'users', first, 'user?match=*&include_disabled=1&limit=1000')
  const users = [...listIn(listed?.old.body, 'users'), ...listIn(listed?.new.body, 'users')]
  const ids = users.map((user) => (isObject(user) && typeof user.id === 'number' ? user.id : 0))
  const largest = ids.reduce((most, id) => (id <= LARGEST_ID ? Math.max(most, id) : most), 0)
  const most = largestSample === undefined ? LARGEST_ID : largestSample
  let [empty, seen] = [0, 0]
  for (
    let from = 1;
    (from <= largest || empty < MOST_EMPTY) && from < LARGEST_ID && seen < most;
    from += USERS_AT_ONCE
  ) {
    const part = Array.from({ length: USERS_AT_ONCE }, (_, index) => `ids=${from + index}`)
    const names = await verifyPart(context, `user?${part.join('&')}`)
    seen += names.length
    empty = names.length === 0 ? empty + 1 : 0
    const anonymous = context.people.find(({ oldKey }) => oldKey === undefined)
    if (anonymous !== undefined && names.length > 0)
      await askBoth(
        context,
        'user',
        anonymous,
        `user?${names.map((name) => `names=${encodeURIComponent(name)}`).join('&')}`,
      )
  }
}

async function verifyPart(context: VerifyContext, call: string): Promise<string[]> {
  const names = new Set<string>()
  for (const person of context.people.filter(({ oldKey }) => oldKey !== undefined)) {
    const answers = await askBoth(context, 'user', person, call)
    for (const user of listIn(answers?.old.body, 'users'))
      if (isObject(user) && typeof user.name === 'string') names.add(user.name)
  }
  return [...names]
}
