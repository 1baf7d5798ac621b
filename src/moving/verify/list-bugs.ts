import { isObject, type Json, listIn } from '../rest-client/rest-server.ts'
import { askBoth, type VerifyContext } from './ask-both.ts'

const AT_ONCE = 1000
const LARGEST_ID = 2_147_483_647

/** The numbers of all bugs that anyone sees on either server. What each person sees is compared on the way. */
export async function listBugs(context: VerifyContext, onPart: (bugs: number) => void): Promise<number[]> {
  const numbers: number[] = []
  for (let after = 0; after < LARGEST_ID; ) {
    const last = after + AT_ONCE
    const found = new Set<number>()
    for (const person of context.people) {
      const call = `bug?f1=bug_id&o1=greaterthan&v1=${after}&f2=bug_id&o2=lessthaneq&v2=${last}&include_fields=id&order=bug_id&limit=${AT_ONCE}`
      const answers = await askBoth(context, 'list of bugs', person, call)
      for (const body of [answers?.old.body, answers?.new.body])
        for (const id of idsIn(body)) if (id > after && id <= last) found.add(id)
      context.visible.add(person.name, idsIn(answers?.new.body))
    }
    numbers.push(...[...found].sort((one, other) => one - other))
    onPart(numbers.length)
    const next = found.size > 0 ? last : await nextNumber(context, last)
    if (next === undefined) break
    after = next
  }
  return numbers
}

/** The number before the next bug; undefined if there is none. */
async function nextNumber({ old, new: own, people }: VerifyContext, after: number): Promise<number | undefined> {
  const call = `bug?f1=bug_id&o1=greaterthan&v1=${after}&include_fields=id&order=bug_id&limit=1`
  const firsts: number[] = []
  for (const { oldKey, newKey } of people) {
    const answers = await Promise.all([old.get(call, oldKey), own.get(call, newKey)])
    firsts.push(...answers.flatMap(({ body }) => idsIn(body)).filter((id) => id > after))
  }
  return firsts.length === 0 ? undefined : Math.min(...firsts) - 1
}

function idsIn(body: Json | undefined): number[] {
  return listIn(body, 'bugs').flatMap((bug) =>
    isObject(bug) && typeof bug.id === 'number' && Number.isInteger(bug.id) && bug.id > 0 && bug.id <= LARGEST_ID
      ? bug.id
      : [],
  )
}

/** As many of the numbers, spread evenly, so that old and new bugs are among them. */
export function sampleOf(numbers: readonly number[], size: number | undefined): readonly number[] {
  if (size === undefined || size >= numbers.length) return numbers
  return Array.from({ length: size }, (_, index) => numbers[Math.floor((index * numbers.length) / size)] as number)
}
