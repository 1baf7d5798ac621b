// The fields of bugs as searches name them, and what people call them.
import { FIELDS_CALL } from '../../../shared/first-calls.ts'
import type { Field, FieldValue } from '../server/types.ts'
import { useData } from '../server/use-data.ts'

/** Names of the REST API whose fields have another name in the list of fields. */
const INTERNAL_NAMES: ReadonlyMap<string, string> = new Map([
  ['id', 'bug_id'],
  ['summary', 'short_desc'],
  ['status', 'bug_status'],
  ['severity', 'bug_severity'],
  ['platform', 'rep_platform'],
  ['creator', 'reporter'],
  ['creation_time', 'creation_ts'],
  ['last_change_time', 'delta_ts'],
  ['url', 'bug_file_loc'],
  ['whiteboard', 'status_whiteboard'],
  ['depends_on', 'dependson'],
  ['blocks', 'blocked'],
  ['groups', 'bug_group'],
  ['tags', 'tag'],
])
const REST_NAMES = new Map([...INTERNAL_NAMES].map(([rest, internal]) => [internal, rest]))

const PEOPLE = new Set(['assigned_to', 'reporter', 'qa_contact', 'cc', 'commenter'])
const TIMES = new Set(['creation_ts', 'delta_ts', 'deadline', 'last_visit_ts'])
const SELECT_TYPES = new Set([2, 3, 8])

/** Shorter than the names that the fields have, or in the words of the pages. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ['assigned_to', 'Assignee'],
  ['target_milestone', 'Milestone'],
  ['reporter', 'Reporter'],
  ['qa_contact', 'QA contact'],
  ['short_desc', 'Summary'],
  ['status_whiteboard', 'Whiteboard'],
  ['op_sys', 'System'],
  ['dependson', 'Depends on'],
  ['blocked', 'Blocks'],
  ['bug_id', 'Number'],
  ['delta_ts', 'Changed'],
  ['creation_ts', 'Filed'],
  ['quicksearch', 'Search'],
  ['savedsearch', 'Saved search'],
  ['content', 'Words'],
  ['tag', 'My tags'],
])

export type InputKind = 'choice' | 'person' | 'time' | 'text'

/** All fields, with what pages need to know of each. */
export class FieldList {
  private readonly byName: ReadonlyMap<string, Field>

  constructor(fields: readonly Field[]) {
    this.byName = new Map(fields.map((field) => [field.name, field]))
  }

  get all(): readonly Field[] {
    return [...this.byName.values()]
  }

  find(name: string): Field | undefined {
    return this.byName.get(internalName(name))
  }

  label(name: string): string {
    const internal = internalName(name)
    return LABELS.get(internal) ?? this.byName.get(internal)?.display_name ?? name
  }

  kind(name: string): InputKind {
    const internal = internalName(name)
    if (PEOPLE.has(internal)) return 'person'
    if (TIMES.has(internal)) return 'time'
    return this.values(name).length > 0 ? 'choice' : 'text'
  }

  /** The values that can be chosen; of a product's values, those of the products given, each once. */
  values(name: string, products: readonly string[] = []): readonly FieldValue[] {
    const field = this.find(name)
    if (field === undefined || (!SELECT_TYPES.has(field.type) && (field.values?.length ?? 0) === 0)) return []
    const seen = new Set<string>()
    return (field.values ?? []).filter(({ name: value, visibility_values: shownWith = [] }) => {
      if (value === null || seen.has(value)) return false
      if (products.length > 0 && field.value_field === 'product' && !shownWith.some((it) => products.includes(it)))
        return false
      seen.add(value)
      return true
    })
  }

  /** Fields of which a bug has exactly one of several values. */
  get choices(): readonly Field[] {
    return this.all.filter(({ type, values }) => type === 2 && (values?.length ?? 0) > 0)
  }
}

export function internalName(name: string) {
  return INTERNAL_NAMES.get(name) ?? name
}

/** The name of a field in bugs and in changes. */
export function restName(name: string) {
  return REST_NAMES.get(name) ?? name
}

/** Loads the fields as soon as `isWanted` is true. */
export function useFields(isWanted = true): FieldList {
  const { body } = useData<{ fields: Field[] }>(isWanted ? FIELDS_CALL : undefined)
  if (body === undefined) return NONE
  let known = lists.get(body)
  if (known === undefined) {
    known = new FieldList(body.fields)
    lists.set(body, known)
  }
  return known
}

const NONE = new FieldList([])
const lists = new WeakMap<object, FieldList>()
