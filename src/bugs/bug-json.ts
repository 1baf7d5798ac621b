import type { Caller } from '../access/caller.ts'
import { isTimeTracker, loginFor } from '../access/reader.ts'
import { FIELD_TYPE, type FieldDefinition, type FieldDefinitions } from '../catalogue/fields/field.ts'
import type { Workflow } from '../catalogue/workflow/workflow.ts'
import type { Settings } from '../platform/settings.ts'
import type { FieldSelection } from '../platform/wire/field-selection.ts'
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
  const shown: Record<string, unknown> = {}
  for (const [field, present] of presentersFor(scene.select)) {
    const value = present(bug, scene)
    if (value !== undefined) shown[field] = value
  }
  if (bug.custom !== undefined) Object.assign(shown, presentCustomFields(bug, scene))
  return shown
}

type Presenters = readonly (readonly [field: string, present: Presenter])[]

const presenters = new WeakMap<FieldSelection, Presenters>()

/** Chosen once for a selection: most requests have the same one, which selects nothing in particular. */
function presentersFor(select: FieldSelection): Presenters {
  const known = presenters.get(select)
  if (known !== undefined) return known
  const chosen = Object.entries(PRESENTERS).filter(([field]) => select.wants(field, kindOfField(field)))
  presenters.set(select, chosen)
  return chosen
}

type Presenter = (bug: BugView, scene: BugScene) => unknown

/** In the interface's own order. What a presenter leaves undefined is absent from the answer. */
const PRESENTERS: Readonly<Record<string, Presenter>> = {
  id: (bug) => bug.id,
  alias: (bug) => list(bug.aliases),
  summary: (bug) => bug.summary,
  status: (bug, scene) => valueName(bug.status_id, scene),
  resolution: (bug, scene) => valueName(bug.resolution_id, scene),
  is_open: (bug, { workflow }) => workflow.isOpen(bug.status_id),
  is_confirmed: (bug) => bug.is_confirmed === 1,
  product: (bug) => bug.product,
  component: (bug) => bug.component,
  classification: (bug) => bug.classification,
  version: (bug) => bug.version,
  target_milestone: (bug) => bug.milestone,
  priority: (bug, scene) => valueName(bug.priority_id, scene),
  severity: (bug, scene) => valueName(bug.severity_id, scene),
  op_sys: (bug, scene) => valueName(bug.op_sys_id, scene),
  platform: (bug, scene) => valueName(bug.platform_id, scene),
  url: (bug) => bug.url,
  whiteboard: (bug) => bug.whiteboard,
  keywords: (bug) => list(bug.keywords),
  see_also: (bug) => list(bug.see_also),
  depends_on: (bug) => list(bug.depends_on),
  blocks: (bug) => list(bug.blocks),
  dupe_of: (bug) => bug.dupe_of ?? null,
  deadline: (bug) => bug.deadline,
  creation_time: (bug) => bug.created_at,
  last_change_time: (bug) => bug.changed_at,
  creator: (bug, scene) => loginFor(bug.creator_login, scene),
  creator_detail: (bug, scene) => person(bug.creator_id, bug.creator_login, bug.creator_name, scene, 'creator_detail'),
  assigned_to: (bug, scene) => loginFor(bug.assignee_login, scene),
  assigned_to_detail: (bug, scene) =>
    person(bug.assigned_to_id, bug.assignee_login, bug.assignee_name, scene, 'assigned_to_detail'),
  qa_contact: (bug, scene) => (scene.settings.useqacontact ? loginFor(bug.qa_contact_login ?? '', scene) : ''),
  qa_contact_detail: (bug, scene) =>
    bug.qa_contact_id === null || !scene.settings.useqacontact
      ? undefined
      : person(bug.qa_contact_id, bug.qa_contact_login, bug.qa_contact_name, scene, 'qa_contact_detail'),
  cc: (bug, scene) => people(bug).map(({ login }) => loginFor(login, scene)),
  cc_detail: (bug, scene) =>
    people(bug).map(({ id, login, real_name }) => person(id, login, real_name, scene, 'cc_detail')),
  groups: (bug) => list(bug.groups),
  flags: (bug, scene) => list<FlagRow>(bug.flags).map((flag) => presentFlag(flag, scene)),
  is_cc_accessible: (bug) => bug.is_cc_accessible === 1,
  is_creator_accessible: (bug) => bug.is_creator_accessible === 1,
  actual_time: (bug, scene) => hours(bug.actual_hundredths, scene),
  estimated_time: (bug, scene) => hours(bug.estimated_hundredths, scene),
  remaining_time: (bug, scene) => hours(bug.remaining_hundredths, scene),
  tags: (bug) => list(bug.tags),
  duplicates: (bug) => list(bug.duplicates),
}

/** Most lists of most bugs are empty. */
function list<Item>(json: string | undefined): Item[] {
  return json === undefined || json === '[]' ? [] : JSON.parse(json)
}

const lastRead = { cc: '[]', people: [] as PersonRow[] }

/** Two fields show the same people, one after the other. */
function people({ cc = '[]' }: BugView): readonly PersonRow[] {
  if (lastRead.cc !== cc) Object.assign(lastRead, { cc, people: list<PersonRow>(cc) })
  return lastRead.people
}

function valueName(id: number, { fields }: BugScene) {
  return fields.valueWithId(id)?.name ?? ''
}

/** Time fields are for members of the time-tracking group alone. */
function hours(hundredths: number, { caller, settings }: BugScene) {
  return isTimeTracker(caller, settings) ? hundredths / 100 : undefined
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
  return scene.select.within(field).pick({ id, real_name: name ?? '', name: shown, email: shown })
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
  const wanted = fields.all.filter(
    (field) => field.is_custom === 1 && field.is_obsolete === 0 && select.wants(field.name, 'custom'),
  )
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
