import type { Progress } from '../../platform/progress.ts'
import { Refusal } from '../../platform/refusal.ts'
import { NoAnswer } from '../rest-client/rest-faults.ts'
import { type Json, listIn } from '../rest-client/rest-server.ts'
import { fetchBugs } from './fetch-bugs.ts'
import type { FetchStore } from './fetch-store.ts'
import { namesIn } from './people-in-bugs.ts'
import { type JsonObject, propertyOf, restObjects, restText, restTexts } from './rest-values.ts'
import { callSource, fetchOptional, fetchRequired, isError, type Source, successfulAnswerTo } from './source-calls.ts'

/** Reads everything that is not in the store yet. */
export async function fetchSource(source: Source, store: FetchStore, progress: Progress) {
  progress.begin('Reading products and fields')
  await fetchCatalogue(source, store)
  progress.begin('Listing bugs', undefined, 'bugs')
  await listBugs(source, store, progress)
  const { all, read } = store.bugCount()
  progress.begin('Reading bugs', all, 'bugs', read)
  await fetchBugs(source, store, progress)
  progress.begin('Reading users')
  await fetchUsers(source, store)
  progress.end()
  store.setFact('complete', 'yes')
}

/** The call whose answer has the products. */
export function productCall(products: readonly string[]) {
  if (products.length === 0) return 'product?type=accessible'
  return `product?${products.map((name) => `names=${encodeURIComponent(name)}`).join('&')}`
}

/** How many votes users have in each product: Lacewing returns it only by name, and Bugzilla ignores the names. */
export function votingCall(products: readonly string[]) {
  return `${productCall(products)}&include_fields=id,votesperuser,maxvotesperbug,votestoconfirm`
}

async function fetchCatalogue(source: Source, store: FetchStore) {
  const products = listIn(await fetchRequired(source, store, productCall(source.products)), 'products')
  const names = new Set(products.map((product) => restText(propertyOf(product, 'name'))))
  const missing = source.products.filter((name) => !names.has(name))
  if (missing.length > 0)
    throw new Refusal(`The source has no product ${missing.join(', ')}, or does not show it to this key.`)
  if (products.length === 0)
    throw new Refusal('The source shows no product. Give an API key with BUGZILLA_API_KEY or --key-file.')
  const fields = restObjects(listIn(await fetchRequired(source, store, 'field/bug'), 'fields'))
  const classifications = new Set(products.map((product) => restText(propertyOf(product, 'classification'))))
  if (source.products.length === 0) for (const name of classificationsIn(fields)) classifications.add(name)
  for (const name of classifications) await fetchClassification(source, store, name)
  await fetchOptional(source, store, votingCall(source.products))
  await fetchOptional(source, store, 'parameters')
  if (source.key === undefined) return
  await fetchOptional(source, store, 'group?membership=1')
  await fetchOptional(source, store, 'whoami')
  // As an anonymous caller: products that are missing here are restricted.
  await fetchOptional({ ...source, key: undefined }, store, PUBLIC_PRODUCTS)
}

/** The names of classifications that the field lists, also of those without products. */
export function classificationsIn(fields: readonly JsonObject[]): string[] {
  return restObjects(fields.find(({ name }) => name === 'classification')?.values).map(({ name }) => restText(name))
}

/** The call has the name in its path, where a source may understand only ASCII: then the name is all that is known. */
async function fetchClassification(source: Source, store: FetchStore, name: string) {
  if (name === '' || name.includes('/')) return
  const call = `classification/${encodeURIComponent(name)}`
  if (/^[ -~]+$/.test(name)) return fetchOptional(source, store, call)
  if (store.answer(call) !== undefined) return
  const answer = await source.server.get(call, source.key).catch((fault) => {
    if (fault instanceof NoAnswer) return undefined
    throw fault
  })
  store.saveAnswer(call, answer?.body ?? null)
}

export const PUBLIC_PRODUCTS = 'product?type=accessible&include_fields=id,name'

const AT_ONCE = 1000
const LARGEST_ID = 2_147_483_647
const MOST_BUGS = 20_000_000

/** The numbers of all bugs, in ranges, so that their order in an answer does not matter. */
async function listBugs(source: Source, store: FetchStore, progress: Progress) {
  const products = source.products.map((name) => `product=${encodeURIComponent(name)}&`).join('')
  for (let after = Number(store.fact('listed') ?? 0); after < LARGEST_ID; ) {
    const last = after + AT_ONCE
    const range = `f1=bug_id&o1=greaterthan&v1=${after}&f2=bug_id&o2=lessthaneq&v2=${last}`
    const found = await numbersFrom(source, `bug?${products}${range}&include_fields=id&order=bug_id&limit=${AT_ONCE}`)
    const numbers = found.filter((number) => number > after && number <= last)
    let next = last
    if (numbers.length === 0) {
      const rest = `bug?${products}f1=bug_id&o1=greaterthan&v1=${last}&include_fields=id&order=bug_id&limit=1`
      const first = (await numbersFrom(source, rest)).filter((number) => number > last)
      next = first.length === 0 ? LARGEST_ID : Math.min(...first) - 1
    }
    store.addBugs(numbers, next)
    after = next
    const { all } = store.bugCount()
    if (all > MOST_BUGS) throw new Refusal(`The source lists more than ${MOST_BUGS.toLocaleString('en')} bugs.`)
    progress.advance(all)
  }
}

async function numbersFrom(source: Source, call: string): Promise<number[]> {
  const { body } = await successfulAnswerTo(source, call)
  return listIn(body, 'bugs').flatMap((bug) => {
    const id = propertyOf(bug, 'id')
    return typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= LARGEST_ID ? id : []
  })
}

const NAMES_AT_ONCE = 20

/** The users that bugs and components name; with a key, and if all products are read, all that the source lists. */
async function fetchUsers(source: Source, store: FetchStore) {
  if (source.key !== undefined && source.products.length === 0)
    await fetchOptional(source, store, 'user?match=*&include_disabled=1&limit=1000')
  const known = new Set<string>()
  for (const body of store.answersTo('user?'))
    for (const user of listIn(body, 'users')) known.add(restText(propertyOf(user, 'name')))
  const asked = new Set(restTexts(JSON.parse(store.fact('asked names') ?? '[]') as Json))
  const names = [...namesIn(store)].filter((name) => !known.has(name) && !asked.has(name))
  for (let at = 0; at < names.length; at += NAMES_AT_ONCE) {
    const part = names.slice(at, at + NAMES_AT_ONCE)
    await fetchNames(source, store, part)
    for (const name of part) asked.add(name)
    store.setFact('asked names', JSON.stringify([...asked]))
  }
}

/** One unknown name makes an error of the whole call, so the names are then asked for in smaller parts. */
async function fetchNames(source: Source, store: FetchStore, names: readonly string[]): Promise<void> {
  const call = `user?${names.map((name) => `names=${encodeURIComponent(name)}`).join('&')}`
  const { body } = await callSource(source, call)
  if (!isError(body)) return store.saveAnswer(call, body)
  if (names.length === 1) return
  const middle = names.length >> 1
  await fetchNames(source, store, names.slice(0, middle))
  await fetchNames(source, store, names.slice(middle))
}
