import type { Caller } from '../access/caller.ts'
import { isTimeTracker, loginFor, seesAddresses } from '../access/reader.ts'
import { FIELD_TYPE, type FieldDefinition, type FieldDefinitions, type FieldValue } from '../catalogue/fields/field.ts'
import type { Workflow } from '../catalogue/workflow/workflow.ts'
import type { Flag } from '../platform/database/tables.ts'
import { dictionary } from '../platform/dictionary.ts'
import { quoted } from '../platform/quoted.ts'
import type { Settings } from '../platform/settings.ts'
import { everyField, type FieldSelection } from '../platform/wire/field-selection.ts'
import { kindOfField } from './bug-fields.ts'
import type { BugView, CustomRow, FlagRow, Person } from './bug-view.ts'
import { choicesIn } from './custom-values/custom-value.ts'

/** What somebody needs to know to show bugs to a caller. */
export interface BugScene {
  caller: Caller
  settings: Settings
  select: FieldSelection
  fields: FieldDefinitions
  workflow: Workflow
}

/** A bug as the interface answers it: the fields that were asked for and that the caller may know. */
export function presentBug(bug: BugView, scene: BugScene): Record<string, unknown> {
  return JSON.parse(`{${bugText(bug, scene)}}`)
}

/**
 * The same as JSON, without the braces: most of it comes as JSON from the database, and a list that nobody looks into is not read only to
 * be written again.
 */
export function bugText(bug: BugView, scene: BugScene): string {
  let text = ''
  for (const { name, write } of writersFor(scene.select)) {
    const value = write(bug, scene)
    if (value !== undefined) text += text === '' ? name + value : `,${name}${value}`
  }
  if (bug.custom === undefined) return text
  return joined(text, JSON.stringify(presentCustomFields(bug, scene)).slice(1, -1))
}

/** Fields of one object, written in two parts. */
export function joined(some: string, more: string) {
  return some === '' || more === '' ? some + more : `${some},${more}`
}

/** What a field has for a value, as JSON. What is left undefined is absent from the answer. */
type Write = (bug: BugView, scene: BugScene) => string | undefined

interface Writer {
  /** Of the field, as it stands before the value. */
  name: string
  write: Write
}

const writers = new WeakMap<FieldSelection, readonly Writer[]>()

/** Chosen once for a selection: most requests have the same one, which selects nothing in particular. */
function writersFor(select: FieldSelection): readonly Writer[] {
  const known = writers.get(select)
  if (known !== undefined) return known
  const chosen = Object.entries(WRITERS)
    .filter(([field]) => select.wants(field, kindOfField(field)))
    .map(([field, write]) => ({ name: `"${field}":`, write }))
  writers.set(select, chosen)
  return chosen
}

/** In the interface's own order. */
const WRITERS: Readonly<Record<string, Write>> = dictionary({
  id: (bug) => String(bug.id),
  alias: (bug) => bug.aliases ?? NONE,
  summary: (bug) => quoted(bug.summary),
  status: (bug, scene) => valueName(bug.status_id, scene),
  resolution: (bug, scene) => valueName(bug.resolution_id, scene),
  is_open: (bug, { workflow }) => String(workflow.isOpen(bug.status_id)),
  is_confirmed: (bug) => yesOrNo(bug.is_confirmed),
  product: ({ named }) => named.product,
  component: ({ named }) => named.component,
  classification: ({ named }) => named.classification,
  version: ({ named }) => named.version,
  target_milestone: ({ named }) => named.milestone,
  priority: (bug, scene) => valueName(bug.priority_id, scene),
  severity: (bug, scene) => valueName(bug.severity_id, scene),
  op_sys: (bug, scene) => valueName(bug.op_sys_id, scene),
  platform: (bug, scene) => valueName(bug.platform_id, scene),
  url: (bug) => quoted(bug.url),
  whiteboard: (bug) => quoted(bug.whiteboard),
  keywords: (bug) => bug.keywords ?? NONE,
  see_also: (bug) => bug.see_also ?? NONE,
  depends_on: (bug) => bug.depends_on ?? NONE,
  blocks: (bug) => bug.blocks ?? NONE,
  dupe_of: (bug) => String(bug.dupe_of ?? null),
  deadline: (bug) => (bug.deadline === null ? 'null' : quoted(bug.deadline)),
  creation_time: (bug) => quoted(bug.created_at),
  last_change_time: (bug) => quoted(bug.changed_at),
  creator: ({ named }, scene) => loginOf(named.creator, scene),
  creator_detail: ({ named }, scene) => detailOf(named.creator, scene, 'creator_detail'),
  assigned_to: ({ named }, scene) => loginOf(named.assignee, scene),
  assigned_to_detail: ({ named }, scene) => detailOf(named.assignee, scene, 'assigned_to_detail'),
  qa_contact: ({ named }, scene) => (scene.settings.useqacontact ? loginOf(named.qaContact, scene) : '""'),
  qa_contact_detail: ({ qa_contact_id, named }, scene) =>
    qa_contact_id === null || !scene.settings.useqacontact
      ? undefined
      : detailOf(named.qaContact, scene, 'qa_contact_detail'),
  cc: ({ named }, scene) => listed(named.cc, (person) => loginOf(person, scene)),
  cc_detail: ({ named }, scene) => listed(named.cc, (person) => detailOf(person, scene, 'cc_detail')),
  groups: (bug) => bug.groups ?? NONE,
  flags: (bug, scene) =>
    bug.flags == null ? NONE : JSON.stringify(list<FlagRow>(bug.flags).map((flag) => presentFlag(flag, scene))),
  is_cc_accessible: (bug) => yesOrNo(bug.is_cc_accessible),
  is_creator_accessible: (bug) => yesOrNo(bug.is_creator_accessible),
  actual_time: (bug, scene) => hours(bug.actual_hundredths, scene),
  estimated_time: (bug, scene) => hours(bug.estimated_hundredths, scene),
  remaining_time: (bug, scene) => hours(bug.remaining_hundredths, scene),
  tags: (bug) => bug.tags ?? NONE,
  duplicates: (bug) => bug.duplicates ?? NONE,
})

/** Every field but the custom ones and those that tell what was said and done, in the interface's own order. */
export const FIELD_NAMES = Object.keys(WRITERS)

/** Most lists of most bugs. */
const NONE = '[]'

function list<Item>(json: string | null | undefined): Item[] {
  return json == null || json === NONE ? [] : JSON.parse(json)
}

function yesOrNo(flag: Flag) {
  return flag === 1 ? 'true' : 'false'
}

/** A list as JSON, of items that are JSON. */
function listed(people: readonly Person[], write: (person: Person) => string) {
  let items = ''
  for (const person of people) items += items === '' ? write(person) : `,${write(person)}`
  return `[${items}]`
}

/** Each value is written once, as long as the catalogue is what it is. */
const writtenValues = new WeakMap<FieldValue, string>()

function valueName(id: number, { fields }: BugScene) {
  const value = fields.valueWithId(id)
  if (value === undefined) return '""'
  const known = writtenValues.get(value) ?? quoted(value.name)
  writtenValues.set(value, known)
  return known
}

/** Time fields are for members of the time-tracking group alone. */
function hours(hundredths: number, { caller, settings }: BugScene) {
  return isTimeTracker(caller, settings) ? String(hundredths / 100) : undefined
}

type Viewer = Pick<BugScene, 'caller' | 'settings'>

function loginOf(person: Person, scene: BugScene) {
  return seesAddresses(scene) ? person.written : quoted(loginFor(person.login, scene))
}

function detailOf(person: Person, scene: BugScene, field: string) {
  const part = scene.select.within(field)
  if (part === everyField && seesAddresses(scene)) return person.detail
  const { id, login, real_name } = person
  const shown = loginFor(login, scene)
  return JSON.stringify(part.pick({ id, real_name, name: shown, email: shown }))
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

/** Every custom field that is in use, with its value or what stands for none. */
function presentCustomFields(bug: BugView, { fields, select }: BugScene) {
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
    // compat: an integer is answered as text (observed 4.6).
    case FIELD_TYPE.integer:
      return String(first?.number_value ?? 0)
    default:
      return first?.text_value ?? ''
  }
}
