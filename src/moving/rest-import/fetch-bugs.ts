import type { Progress } from '../../platform/progress.ts'
import { NoAnswer } from '../rest-client/rest-faults.ts'
import { isObject, type Json, listIn } from '../rest-client/rest-server.ts'
import type { FetchedBug, FetchStore } from './fetch-store.ts'
import { fetchVotes } from './fetch-votes.ts'
import { propertyOf, restNumber, restObjects, restText, restYes } from './rest-values.ts'
import { callSource, isError, type Source } from './source-calls.ts'

const BUGS_AT_ONCE = 20
const FIELDS = 'include_fields=_default,_custom,tags,votes'

/** Bugs with comments, history and attachments, some at a time, then the contents of their attachments. */
export async function fetchBugs(source: Source, store: FetchStore, progress: Progress) {
  for (let numbers = store.nextBugs(BUGS_AT_ONCE); numbers.length > 0; numbers = store.nextBugs(BUGS_AT_ONCE)) {
    const fetched = await fetchPart(source, numbers)
    for (const bug of fetched.values()) if (typeof bug !== 'string') await fetchContents(source, store, bug.attachments)
    store.saveBugs(fetched)
    progress.advance(store.bugCount().read)
  }
}

async function fetchPart(source: Source, numbers: readonly number[]): Promise<Map<number, FetchedBug | string>> {
  const bugs = await bugsByNumber(source, numbers)
  const seen = numbers.filter((number) => bugs.get(number)?.body !== undefined)
  const comments = await listsByNumber(source, seen, 'comment', '')
  const histories = await listsByNumber(source, seen, 'history', '')
  const attachments = await listsByNumber(source, seen, 'attachment', 'exclude_fields=data')
  const votes = await fetchVotes(source, new Map(seen.map((number) => [number, bugs.get(number)?.body ?? null])))
  return new Map(
    numbers.map((number): [number, FetchedBug | string] => {
      const { body, why } = bugs.get(number) ?? { body: undefined, why: 'the source does not return it' }
      if (body === undefined) return [number, why]
      const listOf = (lists: ReadonlyMap<number, Json>) => lists.get(number) ?? null
      return [
        number,
        {
          bug: body,
          comments: listOf(comments),
          history: listOf(histories),
          attachments: listOf(attachments),
          ...(votes.has(number) && { votes: listOf(votes) }),
        },
      ]
    }),
  )
}

type BugOrReason = { body: Json | undefined; why: string }

async function bugsByNumber(source: Source, numbers: readonly number[]): Promise<Map<number, BugOrReason>> {
  const found = new Map<number, BugOrReason>()
  const add = (body: Json) => {
    for (const bug of listIn(body, 'bugs')) {
      const id = restNumber(propertyOf(bug, 'id'))
      if (id !== undefined && numbers.includes(id)) found.set(id, { body: bug, why: '' })
    }
  }
  add(
    (await callSource(source, `bug?${numbers.map((id) => `id=${id}`).join('&')}&${FIELDS}&limit=${numbers.length}`))
      .body,
  )
  for (const number of numbers) {
    if (found.has(number)) continue
    const { body, status } = await callSource(source, `bug/${number}?${FIELDS}`)
    add(body)
    if (!found.has(number))
      found.set(number, {
        body: undefined,
        why: restText(propertyOf(body, 'message')).slice(0, 200) || `status ${status}`,
      })
  }
  return found
}

/** Comments, history or attachments of several bugs in one call; alone for those that the answer lacks. */
async function listsByNumber(source: Source, numbers: readonly number[], what: string, more: string) {
  const lists = new Map<number, Json>()
  const [first] = numbers
  if (first === undefined) return lists
  const read = async (path: number, query: string) => {
    const { body } = await callSource(
      source,
      `bug/${path}/${what}?${[query, more].filter((it) => it !== '').join('&')}`,
    )
    if (isError(body)) return
    const byNumber = propertyOf(body, 'bugs')
    for (const number of numbers) {
      const list = Array.isArray(byNumber)
        ? restObjects(byNumber).find(({ id }) => restNumber(id) === number)
        : isObject(byNumber)
          ? byNumber[String(number)]
          : undefined
      if (list !== undefined) lists.set(number, list)
    }
  }
  await read(first, numbers.map((id) => `ids=${id}`).join('&'))
  for (const number of numbers) if (!lists.has(number)) await read(number, '')
  return lists
}

async function fetchContents(source: Source, store: FetchStore, attachments: Json) {
  for (const attachment of restObjects(attachments)) {
    const id = restNumber(attachment.id)
    const isDeleted = restYes(attachment.is_obsolete) === 1 && (restNumber(attachment.size) ?? 0) === 0
    if (id === undefined || id <= 0 || isDeleted || store.hasContent(id)) continue
    try {
      const { body } = await source.server.get(`bug/attachment/${id}?include_fields=id,data`, source.key)
      const data = propertyOf(propertyOf(propertyOf(body, 'attachments'), String(id)), 'data')
      if (typeof data === 'string') store.saveContent(id, Buffer.from(data, 'base64'), null)
      else store.saveContent(id, undefined, 'the source does not return its content')
    } catch (fault) {
      if (!(fault instanceof NoAnswer)) throw fault
      // A source that is gone ends the reading; a content that cannot be read is a line in the report.
      if (fault.isPassing) await callSource(source, `bug/attachment/${id}?include_fields=id`)
      store.saveContent(id, undefined, fault.message.slice(0, 200))
    }
  }
}
