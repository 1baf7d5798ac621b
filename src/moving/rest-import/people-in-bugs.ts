import type { Json } from '../rest-client/rest-server.ts'
import { listIn } from '../rest-client/rest-server.ts'
import type { FetchedBug, FetchStore } from './fetch-store.ts'
import { type JsonObject, propertyOf, restObjects, restText, restTexts } from './rest-values.ts'

/** The login names that bugs and components name, in the order in which they are found. */
export function namesIn(store: FetchStore): Set<string> {
  const names = new Set<string>()
  const add = (value: Json | undefined) => {
    const name = restText(value).trim()
    if (name !== '') names.add(name)
  }
  for (const component of componentsIn(store)) {
    add(component.default_assigned_to)
    add(component.default_qa_contact)
  }
  for (const { bug } of store.bugs()) if (bug !== undefined) for (const name of namesOfBug(bug)) add(name)
  return names
}

export function componentsIn(store: FetchStore): JsonObject[] {
  const products = [...store.answersTo('product?')].flatMap((body) => restObjects(listIn(body, 'products')))
  return products.flatMap((product) => restObjects(product.components))
}

function namesOfBug({ bug, comments, history, attachments, votes = null }: FetchedBug): Json[] {
  const one = (object: Json | undefined, ...names: string[]) => names.map((name) => propertyOf(object, name) ?? null)
  const flags = (object: Json | undefined) =>
    restObjects(propertyOf(object, 'flags')).flatMap((flag) => one(flag, 'setter', 'requestee'))
  return [
    ...one(bug, 'creator', 'assigned_to', 'qa_contact'),
    ...restTexts(propertyOf(bug, 'cc')),
    ...flags(bug),
    ...restObjects(propertyOf(comments, 'comments')).flatMap((comment) => one(comment, 'creator')),
    ...restObjects(propertyOf(history, 'history')).flatMap((entry) => one(entry, 'who')),
    ...restObjects(votes).flatMap((voter) => one(voter, 'name')),
    ...restObjects(attachments).flatMap((attachment) => [...one(attachment, 'creator'), ...flags(attachment)]),
  ]
}

/** Users with their numbers, as bugs show them. */
export function detailsIn({ bug }: FetchedBug): JsonObject[] {
  const details = ['creator_detail', 'assigned_to_detail', 'qa_contact_detail'].map((name) => propertyOf(bug, name))
  return restObjects([...details.map((it) => it ?? null), ...restObjects(propertyOf(bug, 'cc_detail'))])
}
