import { isObject, type Json, type RestAnswer } from '../rest-client/rest-server.ts'

/** One place in which two answers to the same call differ. */
export interface AnswerDifference {
  /** Where it is, without numbers: `bugs[].flags[].status`. */
  readonly path: string
  readonly kind: DifferenceKind
  readonly old: Json | undefined
  readonly new: Json | undefined
  /** The field that a change in the history is about. */
  readonly field?: string | undefined
}

export type DifferenceKind =
  | 'differs'
  | 'missing in new'
  | 'only in new'
  | 'in another order'
  | 'visible only in old'
  | 'visible only in new'
  | 'another error'
  | 'another status'

/** Lists whose order means nothing. */
const UNORDERED: ReadonlySet<string> = new Set([
  ...['groups', 'cc', 'cc_detail', 'keywords', 'flags', 'alias', 'see_also', 'tags', 'depends_on', 'blocks', 'changes'],
  ...['products', 'users', 'membership', 'saved_searches', 'saved_reports', 'classifications', 'fields', 'duplicates'],
  ...['visibility_values', 'default_cc', 'can_change_to', 'bug', 'attachment', 'inclusions', 'exclusions', 'bugs'],
])
const MOST_DIFFERENCES = 500

export function compareAnswers(old: RestAnswer, own: RestAnswer): AnswerDifference[] {
  const found: AnswerDifference[] = []
  const [oldError, newError] = [errorOf(old), errorOf(own)]
  if (oldError !== undefined && newError !== undefined) {
    if (oldError.code !== newError.code)
      found.push({ path: '(error)', kind: 'another error', old: oldError.text, new: newError.text })
  } else if (oldError !== undefined)
    found.push({ path: '(visible)', kind: 'visible only in new', old: oldError.text, new: `status ${own.status}` })
  else if (newError !== undefined)
    found.push({ path: '(visible)', kind: 'visible only in old', old: `status ${old.status}`, new: newError.text })
  else if (old.status !== own.status)
    found.push({ path: '(status)', kind: 'another status', old: old.status, new: own.status })
  else new Comparison(found).compare(old.body, own.body, '', '', undefined)
  return found
}

/** The code of an error of the API; undefined if the answer is none. */
export function errorOf({ status, body }: RestAnswer): { code: Json; text: string } | undefined {
  const isError = isObject(body) && (body.error === true || body.error === 1)
  if (!isError && status < 400) return undefined
  const { code, message } = isObject(body) ? body : {}
  return {
    code: code ?? null,
    text: `status ${status}, code ${String(code ?? 'none')}: ${String(message ?? '').slice(0, 200)}`,
  }
}

class Comparison {
  private readonly found: AnswerDifference[]

  constructor(found: AnswerDifference[]) {
    this.found = found
  }

  compare(old: Json, own: Json, path: string, name: string, field: string | undefined) {
    if (old === own || this.found.length >= MOST_DIFFERENCES) return
    if (Array.isArray(old) && Array.isArray(own)) this.lists(old, own, path, name, field)
    else if (isObject(old) && isObject(own)) this.objects(old, own, path, field)
    else this.add(path, 'differs', old, own, field)
  }

  private objects(
    old: { [name: string]: Json },
    own: { [name: string]: Json },
    path: string,
    field: string | undefined,
  ) {
    const ofChange = typeof old.field_name === 'string' ? old.field_name : field
    for (const name of new Set([...Object.keys(old), ...Object.keys(own)])) {
      if (IGNORED.has(name)) continue
      const step = /^\d+$/.test(name) ? '*' : name
      const place = path === '' ? step : `${path}.${step}`
      const [left, right] = [valueIn(old, name), valueIn(own, name)]
      if (right === undefined) this.add(place, 'missing in new', left, undefined, ofChange)
      else if (left === undefined) this.add(place, 'only in new', undefined, right, ofChange)
      else this.compare(left, right, place, step, ofChange)
    }
  }

  private lists(old: readonly Json[], own: readonly Json[], path: string, name: string, field: string | undefined) {
    const place = `${path}[]`
    const [left, right] = [byIdentity(old), byIdentity(own)]
    const common = [...left.keys()].filter((key) => right.has(key))
    for (const [key, value] of left) if (!right.has(key)) this.add(place, 'missing in new', value, undefined, field)
    for (const [key, value] of right) if (!left.has(key)) this.add(place, 'only in new', undefined, value, field)
    const isSorted = !UNORDERED.has(name) && !name.startsWith('cf_')
    const order = [...right.keys()].filter((key) => left.has(key))
    if (isSorted && common.some((key, index) => order[index] !== key))
      this.add(place, 'in another order', [...left.keys()], [...right.keys()], field)
    for (const key of common) this.compare(left.get(key) as Json, right.get(key) as Json, place, '', field)
  }

  private add(
    path: string,
    kind: DifferenceKind,
    old: Json | undefined,
    own: Json | undefined,
    field: string | undefined,
  ) {
    if (this.found.length < MOST_DIFFERENCES) this.found.push({ path, kind, old, new: own, field })
  }
}

/** It differs with each response. */
const IGNORED: ReadonlySet<string> = new Set(['update_token'])

function valueIn(object: { [name: string]: Json }, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** The items of a list by their identity. Items with the same identity are distinguished by their position. */
function byIdentity(list: readonly Json[]): Map<string, Json> {
  const items = new Map<string, Json>()
  const counts = new Map<string, number>()
  for (const item of list) {
    const key = identityOf(item)
    const count = counts.get(key) ?? 0
    counts.set(key, count + 1)
    items.set(count === 0 ? key : `${key} (${count + 1})`, item)
  }
  return items
}

function identityOf(item: Json): string {
  if (!isObject(item)) return JSON.stringify(item)
  const { id, when, who, field_name, name } = item
  if (when !== undefined) return `${String(when)} ${String(who)}`
  if (field_name !== undefined)
    return `${String(field_name)} ${String(item.attachment_id ?? '')} ${String(item.comment_id ?? '')}`
  if (id !== undefined) return `#${String(id)}`
  // A version is there once for each product.
  if (name !== undefined) return `${String(name)} ${String(item.visibility_values ?? '')}`
  return JSON.stringify(item).slice(0, 500)
}
