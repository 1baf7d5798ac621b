import { LARGEST_ID } from '../../platform/wire/reference.ts'
import { isObject, type Json, listIn } from '../rest-client/rest-server.ts'
import { askBoth, type VerifyContext } from './ask-both.ts'

const USERS_AT_ONCE = 50

/** Users by their numbers, as each person who has a key; by name as an anonymous caller, who may ask only so. */
export async function verifyUsers(context: VerifyContext, largestSample = LARGEST_ID) {
  const first = context.people.find(({ oldKey }) => oldKey !== undefined)
  if (first === undefined) return
  const listed = await askBoth(context, 'users', first, 'user?match=*&include_disabled=1&limit=1000')
  const numbers = new UserNumbers([...idsIn(listed?.old.body), ...idsIn(listed?.new.body)])
  let seen = 0
  for (let page = numbers.next(); page.length > 0 && seen < largestSample; page = numbers.next()) {
    const found = await verifyPage(context, `user?${page.map((id) => `ids=${id}`).join('&')}`)
    numbers.expectAfter(found.ids)
    seen += found.names.size
    const anonymous = context.people.find(({ oldKey }) => oldKey === undefined)
    if (anonymous !== undefined && found.names.size > 0)
      await askBoth(
        context,
        'user',
        anonymous,
        `user?${[...found.names].map((name) => `names=${encodeURIComponent(name)}`).join('&')}`,
      )
  }
}

/**
 * Pages of numbers that users can have: those that a server has listed, and some after each user, because a server lists only so
 * many. The numbers between users that are far from each other are left out.
 */
export class UserNumbers {
  private readonly known: readonly number[]
  private at = 0
  private from = 1
  private upTo = USERS_AT_ONCE

  constructor(known: readonly number[]) {
    this.known = [...new Set(known)].sort((one, other) => one - other)
  }

  /** The next page, ascending; empty after the last one. */
  next(): number[] {
    const page: number[] = []
    while (page.length < USERS_AT_ONCE && this.from <= LARGEST_ID) {
      while (this.at < this.known.length && (this.known[this.at] ?? 0) < this.from) this.at++
      const nextKnown = this.known[this.at]
      if (this.from > this.upTo) {
        if (nextKnown === undefined) break
        this.from = nextKnown
      }
      if (this.from === nextKnown) this.expectAfter([nextKnown])
      page.push(this.from++)
    }
    return page
  }

  /** After each user there can be others that no server has listed. */
  expectAfter(ids: readonly number[]) {
    for (const id of ids) this.upTo = Math.max(this.upTo, Math.min(id + USERS_AT_ONCE, LARGEST_ID))
  }
}

async function verifyPage(context: VerifyContext, call: string): Promise<{ names: Set<string>; ids: number[] }> {
  const names = new Set<string>()
  const ids: number[] = []
  for (const person of context.people.filter(({ oldKey }) => oldKey !== undefined)) {
    const answers = await askBoth(context, 'user', person, call)
    ids.push(...idsIn(answers?.old.body), ...idsIn(answers?.new.body))
    for (const user of listIn(answers?.old.body, 'users'))
      if (isObject(user) && typeof user.name === 'string') names.add(user.name)
  }
  return { names, ids }
}

function idsIn(body: Json | undefined): number[] {
  return listIn(body, 'users').flatMap((user) => {
    const id = isObject(user) ? user.id : undefined
    return typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= LARGEST_ID ? [id] : []
  })
}
