import { bugCalls, FRAME_CALLS, LATEST_CALL, listCall } from '../shared/first-calls.ts'
import { wordNumber } from './texts.ts'

/** Who asks, and for what: the classes of requests that an overloaded server tells apart, and the pages themselves. */
export type MixedClass = 'anonymous search' | 'anonymous read' | 'search' | 'read' | 'write'

export interface MixedRequest {
  kind: MixedClass
  /** As it is sent. */
  text: string
}

export interface MixedCallers {
  port: number
  /** API keys of users, who make the changes and most of the reads. */
  keys: readonly string[]
  /** The bugs are numbered from 1. */
  bugs: number
}

const READS = 0.85
const SEARCHES = 0.1
const ANONYMOUS = 0.35
const ADDRESSES = 200
/** Of the reads, those that pages make when a bug is opened; the others are those of programs. */
const FROM_PAGES = 0.6

let count = 0

/** A request of a load as trackers see it: 85 % reads, with the calls that pages begin with among them, 10 % searches, 5 % writes. */
export function mixedRequest(callers: MixedCallers): MixedRequest {
  const choice = Math.random()
  if (choice < READS) return get(callers, 'read', readOf(someBug(callers)))
  if (choice < READS + SEARCHES) return get(callers, 'search', searched())
  return write(callers)
}

function readOf(bug: number): string {
  if (Math.random() < FROM_PAGES) return oneOf([...Object.values(bugCalls(String(bug))), ...FRAME_CALLS])
  return oneOf([`/rest/bug/${bug}`, `/rest/bug/${bug}/comment`, `/rest/bug/${bug}/history`])
}

function searched(): string {
  const product = `Product ${Math.floor(Math.random() * 10)}`
  const few = 'include_fields=id,summary,status&limit=20'
  return oneOf([
    listCall(new URLSearchParams({ product, bug_status: '__open__' }), 0, 50),
    LATEST_CALL,
    `/rest/bug?product=${encodeURIComponent(product)}&${few}&order=bug_id%20DESC`,
    `/rest/bug?quicksearch=${wordNumber(1000 + Math.floor(Math.random() * 500))}&${few}`,
  ])
}

/** Anonymous readers come from many addresses, through a proxy. */
function get({ port, keys }: MixedCallers, kind: 'read' | 'search', path: string): MixedRequest {
  const needsLogin = path.includes('last_visit') || path.includes('whoami')
  const isAnonymous = !needsLogin && Math.random() < ANONYMOUS
  const who = isAnonymous
    ? `X-Forwarded-For: 203.0.113.${1 + Math.floor(Math.random() * ADDRESSES)}`
    : `X-TRACKER-API-KEY: ${oneOf(keys)}`
  return { kind: isAnonymous ? `anonymous ${kind}` : kind, text: `GET ${path} HTTP/1.1\r\n${headers(port, who)}\r\n` }
}

function write(callers: MixedCallers): MixedRequest {
  const body = JSON.stringify({ whiteboard: `written by ${++count}`, comment: { body: `Said with ${count}` } })
  const who = `X-TRACKER-API-KEY: ${oneOf(callers.keys)}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`
  const text = `PUT /rest/bug/${someBug(callers)} HTTP/1.1\r\n${headers(callers.port, who)}\r\n${body}`
  return { kind: 'write', text }
}

function headers(port: number, who: string) {
  return `Host: 127.0.0.1:${port}\r\nAccept: application/json\r\n${who}\r\n`
}

/** Bugs that everybody may see: makeBugs restricts every fiftieth, beginning with the seventh. */
function someBug({ bugs }: MixedCallers) {
  const bug = 1 + Math.floor(Math.random() * bugs)
  return bug % 50 === 7 ? bug - 1 : bug
}

function oneOf<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item
}
