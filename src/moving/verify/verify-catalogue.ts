import { isObject, type Json, listIn } from '../rest-client/rest-server.ts'
import { askBoth, type VerifyContext } from './ask-both.ts'
import { verifyUsers } from './verify-users.ts'

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
