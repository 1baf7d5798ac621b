import type { BugField } from '../../../shared/bug-fields/bug-fields.ts'
import { bugFields } from '../../../shared/bug-fields/bug-fields.ts'
import type { Caller } from '../../access/caller.ts'
import { loginFor, mayReadField, seesAddresses } from '../../access/visibility/reader-rights.ts'
import {
  FIELD_TYPE,
  type FieldDefinition,
  type FieldDefinitions,
  type FieldValue,
} from '../../catalogue/fields/field.ts'
import type { Workflow } from '../../catalogue/workflow/workflow.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { Flag } from '../../platform/database/tables.ts'
import { dictionary } from '../../platform/text/dictionary.ts'
import { quoted } from '../../platform/text/quoted.ts'
import { everyField, type FieldKind, type FieldSelection } from '../../platform/wire/field-selection.ts'
import { choicesIn } from '../custom-values/custom-value.ts'
import { kindOfField } from './bug-fields.ts'
import type { BugUser, BugView, CustomRow, FlagRow } from './bug-view.ts'

/** What is needed to present bugs to a caller. */
export interface BugReadContext {
  caller: Caller
  settings: Settings
  select: FieldSelection
  fields: FieldDefinitions
  workflow: Workflow
  /** By component; only if they are requested. */
  triageOwners?: ReadonlyMap<number, BugUser>
}

/** A bug as the REST API returns it: the requested fields that the caller may see. */
export function presentBug(bug: BugView, readContext: BugReadContext): Record<string, unknown> {
  return JSON.parse(`{${bugText(bug, readContext)}}`)
}

/**
 * The same as JSON text without the braces. Most lists come as JSON from the database and are copied into the text without being
 * parsed.
 */
export function bugText(bug: BugView, readContext: BugReadContext): string {
  const text = writerFor(readContext.select)(bug, readContext)
  if (bug.custom === undefined) return text
  return joined(text, JSON.stringify(presentCustomFields(bug, readContext)).slice(1, -1))
}

/** Joins two parts of the fields of an object. */
export function joined(some: string, more: string) {
  return some === '' || more === '' ? some + more : `${some},${more}`
}

/** The value of a field as JSON; undefined if the field is missing in the response. */
type Write = (bug: BugView, readContext: BugReadContext) => string | undefined

/** How a field is written: its kind, and an expression of `bug`, `context` and the functions in `USED`. */
interface Writer {
  field: string
  kind: FieldKind
  value: string
}

type WriteBug = (bug: BugView, readContext: BugReadContext) => string

const writers = new WeakMap<FieldSelection, WriteBug>()

/** Writes the selected fields. Made once per selection, because most requests share one. */
function writerFor(select: FieldSelection): WriteBug {
  const known = writers.get(select)
  if (known !== undefined) return known
  const made = writerOfFields(ALL_WRITERS.filter(({ field, kind }) => select.wants(field, kind)))
  writers.set(select, made)
  return made
}

/** Generates a function without a loop: calling the writer of each field in turn took three times as long. */
function writerOfFields(chosen: readonly Writer[]): WriteBug {
  const lines = chosen.map(
    ({ field, value }) =>
      `value = ${value}; if (value !== undefined) text += text === '' ? '"${field}":' + value : ',"${field}":' + value`,
  )
  const body = `const { ${Object.keys(USED).join(', ')} } = used
    return (bug, context) => { let text = ''; let value; ${lines.join('\n')}; return text }`
  return new Function('used', body)(USED) as WriteBug
}

/** How a field with one value in a column of the bug is written, by its kind. */
function expressionOf({ kind, column, readBy }: BugField): string | undefined {
  if (column === undefined) return undefined
  const of = `bug.${column}`
  switch (kind) {
    case 'id':
      return `String(${of})`
    case 'line':
    case 'time':
      return `quoted(${of})`
    case 'choice':
      return `valueName(${of}, context)`
    case 'date':
      return `(${of} === null ? 'null' : quoted(${of}))`
    case 'yes or no':
      return `yesOrNo(${of})`
    case 'hours':
      return `hours(${of}, ${JSON.stringify(readBy)}, context)`
    default:
      return undefined
  }
}

/** What the kind of a field does not tell. */
const SPECIAL: Readonly<Record<string, Write>> = dictionary({
  alias: (bug) => bug.aliases ?? NONE,
  is_open: (bug, { workflow }) => String(workflow.isOpen(bug.status_id)),
  product: ({ named }) => named.product,
  component: ({ named }) => named.component,
  classification: ({ named }) => named.classification,
  version: ({ named }) => named.version,
  target_milestone: ({ named }) => named.milestone,
  keywords: (bug) => bug.keywords ?? NONE,
  see_also: (bug) => bug.see_also ?? NONE,
  depends_on: (bug) => bug.depends_on ?? NONE,
  blocks: (bug) => bug.blocks ?? NONE,
  dupe_of: (bug) => String(bug.dupe_of ?? null),
  creator: ({ named }, readContext) => loginOf(named.creator, readContext),
  creator_detail: ({ named }, readContext) => detailOf(named.creator, readContext, 'creator_detail'),
  assigned_to: ({ named }, readContext) => loginOf(named.assignee, readContext),
  assigned_to_detail: ({ named }, readContext) => detailOf(named.assignee, readContext, 'assigned_to_detail'),
  qa_contact: ({ named }, readContext) => loginOf(named.qaContact, readContext),
  qa_contact_detail: ({ qa_contact_id, named }, readContext) =>
    qa_contact_id === null ? undefined : detailOf(named.qaContact, readContext, 'qa_contact_detail'),
  triage_owner: ({ component_id }, readContext) => {
    const owner = readContext.triageOwners?.get(component_id)
    return owner === undefined ? '""' : loginOf(owner, readContext)
  },
  triage_owner_detail: ({ component_id }, readContext) => {
    const owner = readContext.triageOwners?.get(component_id)
    return owner && detailOf(owner, readContext, 'triage_owner_detail')
  },
  cc: ({ named }, readContext) => listed(named.cc, (person) => loginOf(person, readContext)),
  cc_detail: ({ named }, readContext) => listed(named.cc, (person) => detailOf(person, readContext, 'cc_detail')),
  groups: (bug) => bug.groups ?? NONE,
  flags: (bug, readContext) =>
    bug.flags == null ? NONE : JSON.stringify(list<FlagRow>(bug.flags).map((flag) => presentFlag(flag, readContext))),
  tags: (bug) => bug.tags ?? NONE,
  duplicates: (bug) => bug.duplicates ?? NONE,
  code_state: (bug) => bug.code_state ?? NONE,
  // Where no product has votes, bugs have the same default fields as without voting.
  votes: ({ votes }, { fields, select }) =>
    fields.hasVoting || select.wants('votes', 'extra') ? String(votes) : undefined,
})
const returned = bugFields.filter((field) => field.returned !== undefined)

const ALL_WRITERS: readonly Writer[] = returned.map((field) => {
  const { name } = field
  const value = Object.hasOwn(SPECIAL, name) ? `special.${name}(bug, context)` : expressionOf(field)
  if (value === undefined) throw new Error(`Nothing says how the field ${name} is returned`)
  return { field: name, kind: kindOfField(name), value }
})

/** The functions that a generated writer calls. */
const USED = { quoted, valueName, yesOrNo, hours, special: SPECIAL }

/** All fields except custom fields and those of the discussion, in the order of responses. */
export const FIELD_NAMES = returned.map(({ name }) => name)

/** Most lists of most bugs are empty. */
const NONE = '[]'

function list<Item>(json: string | null | undefined): Item[] {
  return json == null || json === NONE ? [] : JSON.parse(json)
}

function yesOrNo(flag: Flag) {
  return flag === 1 ? 'true' : 'false'
}

function listed(people: readonly BugUser[], write: (person: BugUser) => string) {
  let items = ''
  for (const person of people) items += items === '' ? write(person) : `,${write(person)}`
  return `[${items}]`
}

/** The names of field values as JSON, kept as long as the catalogue does not change. */
const writtenValues = new WeakMap<FieldValue, string>()

function valueName(id: number, { fields }: BugReadContext) {
  const value = fields.valueWithId(id)
  if (value === undefined) return '""'
  const known = writtenValues.get(value) ?? quoted(value.name)
  writtenValues.set(value, known)
  return known
}

function hours(hundredths: number, readBy: BugField['readBy'], readContext: BugReadContext) {
  return mayReadField({ readBy }, readContext) ? String(hundredths / 100) : undefined
}

type Viewer = Pick<BugReadContext, 'caller' | 'settings'>

function loginOf(person: BugUser, readContext: BugReadContext) {
  return seesAddresses(readContext) ? person.written : quoted(loginFor(person.login, readContext))
}

function detailOf(person: BugUser, readContext: BugReadContext, field: string) {
  const part = readContext.select.within(field)
  if (part === everyField && seesAddresses(readContext)) return person.detail
  const { id, login, real_name, nick } = person
  const shown = loginFor(login, readContext)
  return JSON.stringify(part.pick({ id, real_name, nick, name: shown, email: shown }))
}

export function presentFlag(flag: FlagRow, viewer: Viewer) {
  return {
    id: flag.id,
    name: flag.name,
    type_id: flag.type_id,
    creation_date: flag.created_at,
    modification_date: flag.modified_at,
    status: flag.status,
    setter: loginFor(flag.setter, viewer),
    ...(flag.requestee !== null && { requestee: loginFor(flag.requestee, viewer) }),
  }
}

/** All custom fields that are not obsolete, with their values or the empty value of their type. */
function presentCustomFields(bug: BugView, { fields, select }: BugReadContext) {
  const rows = Map.groupBy(JSON.parse(bug.custom ?? '[]') as CustomRow[], (row) => row.field_id)
  const wanted = fields.custom.filter((field) => select.wants(field.name, 'custom'))
  return Object.fromEntries(wanted.map((field) => [field.name, presentCustom(field, rows.get(field.id) ?? [])]))
}

function presentCustom(field: FieldDefinition, rows: readonly CustomRow[]): unknown {
  const [first] = rows
  const name = (row: CustomRow | undefined) => field.values.find((value) => value.id === row?.number_value)?.name
  switch (field.type) {
    case FIELD_TYPE.singleSelect:
      return name(first) ?? '---'
    case FIELD_TYPE.multiSelect:
      return choicesIn(field, rows)
    case FIELD_TYPE.bugId:
      return rows.find(({ number_value }) => number_value !== null)?.number_value ?? null
    case FIELD_TYPE.dateTime:
    case FIELD_TYPE.date:
      return first?.text_value ?? null
    // compat: an integer is returned as text as Bugzilla 5 does.
    case FIELD_TYPE.integer:
      return String(first?.number_value ?? 0)
    default:
      return first?.text_value ?? ''
  }
}
