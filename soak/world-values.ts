import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

// biome-ignore lint/suspicious/noExplicitAny: the answers of all calls
type Body = any

interface Answer {
  group: string
  as: string
  call: string
  status: number
  body: Body
}

/**
 * The differences of world-differences.txt say where answers differ. These checks say how: what is not as the sentence
 * of docs/compat.md says is returned, in words.
 */
export function unexpectedValues(oldFile: string, newFile: string): string[] {
  const old = load(oldFile)
  const own = new Map(load(newFile).map((answer) => [`${answer.as} ${answer.call}`, answer]))
  const wrong: string[] = []
  for (const answer of old) {
    const other = own.get(`${answer.as} ${answer.call}`)
    if (other === undefined) continue
    const isHidden = (id: string) => own.get(`${answer.as} bug/${id}?include_fields=_all,_custom`)?.status === 401
    for (const [group, check] of CHECKS)
      if (answer.group.startsWith(group) && !check(answer.body, other.body, isHidden))
        wrong.push(`${answer.as} ${answer.call.slice(0, 100)}: an unexpected value (${group})`)
  }
  return wrong
}

function load(file: string): Answer[] {
  const { answers, bodies } = JSON.parse(gunzipSync(readFileSync(file)).toString())
  return answers.map((answer: Answer) => ({ ...answer, body: bodies[answer.body] }))
}

type Check = (old: Body, own: Body, isHidden: (id: string) => boolean) => boolean

const CHECKS: readonly (readonly [group: string, check: Check])[] = [
  ['search', (_, own) => own.faults === undefined || own.faults.length === 0],
  ['bug', (old, own, isHidden) => missing(linksIn(old), linksIn(own)).every(isHidden)],
  ['history', (old, own, isHidden) => missing(linkChangesIn(old), linkChangesIn(own)).every(isHidden)],
  ['field', (old, own) => missing(namesIn(old.fields), namesIn(own.fields)).every((name) => name === 'votes')],
  ['field', (old, own) => valuesMissing(old.fields, own.fields).every((field) => field === 'classification')],
  ['user', (old, own) => reportsIn(old) === reportsIn(own)],
  ['user', (old, own) => searchesIn(old).replaceAll(';', '&') === searchesIn(own)],
  ['visits', (old, own) => Array.isArray(own) && missingVisits(old, own).every(isOld)],
]

function missing(old: readonly string[], own: readonly string[]): string[] {
  const known = new Set(own)
  return old.filter((name) => !known.has(name))
}

function linksIn({ bugs = [] }: Body): string[] {
  return bugs.flatMap((bug: Body) => [...bug.depends_on, ...bug.blocks].map(String))
}

/** The numbers of bugs in the history of links. */
function linkChangesIn({ bugs = [] }: Body): string[] {
  const changes = bugs.flatMap((bug: Body) => bug.history.flatMap((it: Body) => it.changes))
  return changes
    .filter((it: Body) => it.field_name === 'depends_on' || it.field_name === 'blocks')
    .flatMap((it: Body) => `${it.added}, ${it.removed}`.split(/[, ]+/))
    .filter((id: string) => id !== '')
}

function namesIn(list: readonly Body[] = []): string[] {
  return list.map(({ name }) => String(name))
}

/** The fields of which a value is not there. */
function valuesMissing(old: readonly Body[] = [], own: readonly Body[] = []): string[] {
  return own
    .filter(({ name, values }) => {
      const before = old.find((field) => field.name === name)?.values
      return missing(namesIn(before), namesIn(values)).length > 0
    })
    .map(({ name }) => name)
}

/** Saved reports without their numbers. */
function reportsIn({ users = [] }: Body): string {
  const reports = users.flatMap((user: Body) =>
    (user.saved_reports ?? []).map(({ name, query }: Body) => [name, query]),
  )
  return JSON.stringify(reports.sort()).replaceAll(';', '&')
}

function searchesIn({ users = [] }: Body): string {
  const searches = users.flatMap((user: Body) =>
    (user.saved_searches ?? []).map(({ id, name, query }: Body) => [id, name, query]),
  )
  return JSON.stringify(searches.sort())
}

function missingVisits(old: readonly Body[], own: readonly Body[]): Body[] {
  const known = new Set(own.map(({ id, last_visit_ts }) => `${id} ${last_visit_ts}`))
  return old.filter(({ id, last_visit_ts }) => !known.has(`${id} ${last_visit_ts}`))
}

const KEPT_DAYS = 10

function isOld({ last_visit_ts }: Body) {
  return Date.now() - Date.parse(last_visit_ts) > KEPT_DAYS * 24 * 3_600_000
}
