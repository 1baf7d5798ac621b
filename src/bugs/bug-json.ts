import type { Caller } from '../access/caller.ts'
import { isTimeTracker, loginFor } from '../access/reader.ts'
import { FIELD_TYPE, type FieldDefinition, type FieldDefinitions } from '../catalogue/fields/field.ts'
import type { Workflow } from '../catalogue/workflow/workflow.ts'
import type { Flag } from '../platform/database/tables.ts'
import type { Settings } from '../platform/settings.ts'
import { everyField, type FieldSelection } from '../platform/wire/field-selection.ts'
import { kindOfField } from './bug-fields.ts'
import type { BugView, CustomRow, FlagRow, PersonRow } from './bug-view.ts'
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
const WRITERS: Readonly<Record<string, Write>> = {
  id: (bug) => String(bug.id),
  alias: (bug) => bug.aliases ?? NONE,
  summary: (bug) => text(bug.summary),
  status: (bug, scene) => valueName(bug.status_id, scene),
  resolution: (bug, scene) => valueName(bug.resolution_id, scene),
  is_open: (bug, { workflow }) => String(workflow.isOpen(bug.status_id)),
  is_confirmed: (bug) => yesOrNo(bug.is_confirmed),
  product: (bug) => text(bug.product),
  component: (bug) => text(bug.component),
  classification: (bug) => text(bug.classification),
  version: (bug) => text(bug.version),
  target_milestone: (bug) => text(bug.milestone),
  priority: (bug, scene) => valueName(bug.priority_id, scene),
  severity: (bug, scene) => valueName(bug.severity_id, scene),
  op_sys: (bug, scene) => valueName(bug.op_sys_id, scene),
  platform: (bug, scene) => valueName(bug.platform_id, scene),
  url: (bug) => text(bug.url),
  whiteboard: (bug) => text(bug.whiteboard),
  keywords: (bug) => bug.keywords ?? NONE,
  see_also: (bug) => bug.see_also ?? NONE,
  depends_on: (bug) => bug.depends_on ?? NONE,
  blocks: (bug) => bug.blocks ?? NONE,
  dupe_of: (bug) => String(bug.dupe_of ?? null),
  deadline: (bug) => (bug.deadline === null ? 'null' : text(bug.deadline)),
  creation_time: (bug) => text(bug.created_at),
  last_change_time: (bug) => text(bug.changed_at),
  creator: (bug, scene) => text(loginFor(bug.creator_login, scene)),
  creator_detail: (bug, scene) => person(bug.creator_id, bug.creator_login, bug.creator_name, scene, 'creator_detail'),
  assigned_to: (bug, scene) => text(loginFor(bug.assignee_login, scene)),
  assigned_to_detail: (bug, scene) =>
    person(bug.assigned_to_id, bug.assignee_login, bug.assignee_name, scene, 'assigned_to_detail'),
  qa_contact: (bug, scene) =>
    scene.settings.useqacontact ? text(loginFor(bug.qa_contact_login ?? '', scene)) : text(''),
  qa_contact_detail: (bug, scene) =>
    bug.qa_contact_id === null || !scene.settings.useqacontact
      ? undefined
      : person(bug.qa_contact_id, bug.qa_contact_login, bug.qa_contact_name, scene, 'qa_contact_detail'),
  cc: (bug, scene) => `[${people(bug).map(({ login }) => text(loginFor(login, scene)))}]`,
  cc_detail: (bug, scene) =>
    `[${people(bug).map(({ id, login, real_name }) => person(id, login, real_name, scene, 'cc_detail'))}]`,
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
}

/** Every field but the custom ones and those that tell what was said and done, in the interface's own order. */
export const FIELD_NAMES = Object.keys(WRITERS)

/** Most lists of most bugs. */
const NONE = '[]'

function list<Item>(json: string | null | undefined): Item[] {
  return json == null || json === NONE ? [] : JSON.parse(json)
}

/** Characters that stand for themselves in JSON. */
const PLAIN = /^[ !#-[\]-\ud7ff]*$/

/** A look at a short text costs less than to have it written by JSON.stringify. */
function text(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  return PLAIN.test(value) ? `"${value}"` : JSON.stringify(value)
}

function yesOrNo(flag: Flag) {
  return flag === 1 ? 'true' : 'false'
}

const lastRead = { cc: '[]', people: [] as PersonRow[] }

/** Two fields show the same people, one after the other. */
function people(bug: BugView): readonly PersonRow[] {
  const cc = bug.cc ?? NONE
  if (lastRead.cc !== cc) Object.assign(lastRead, { cc, people: list<PersonRow>(cc) })
  return lastRead.people
}

function valueName(id: number, { fields }: BugScene) {
  return text(fields.valueWithId(id)?.name ?? '')
}

/** Time fields are for members of the time-tracking group alone. */
function hours(hundredths: number, { caller, settings }: BugScene) {
  return isTimeTracker(caller, settings) ? String(hundredths / 100) : undefined
}

type Viewer = Pick<BugScene, 'caller' | 'settings'>

function person(
  id: number,
  login: string | null | undefined,
  name: string | null | undefined,
  scene: BugScene,
  field: string,
) {
  const shown = loginFor(login ?? '', scene)
  const part = scene.select.within(field)
  if (part !== everyField) return JSON.stringify(part.pick({ id, real_name: name ?? '', name: shown, email: shown }))
  const written = text(shown)
  return `{"id":${id},"real_name":${text(name ?? '')},"name":${written},"email":${written}}`
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
      return first?.number_value ?? null
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
