import type { FieldKind } from '../../../../shared/bug-fields/bug-field.ts'
import { bugFields } from '../../../../shared/bug-fields/bug-fields.ts'
import { emptyValueOf } from '../../../../shared/bug-fields/field-names.ts'
import { KEY_COLUMNS, savedIn } from '../../../bugs/bug-columns.ts'
import { LIST_BITS } from '../../../platform/database/bug-lists.ts'
import type { BugColumn, IndexedColumn } from '../../../platform/database/tables.ts'
import { type ConversionContext, flagOf, hundredthsOf, isId, numberOf, stagedText } from '../import-context.ts'
import type { StagedRow } from '../staging/staging.ts'
import { type BugLookup, userIn } from './bug-lookup.ts'
import type { NewBug } from './new-bug.ts'

const KEYS = KEY_COLUMNS.map(({ key }) => key)

/** The bug as it is stored; undefined, with a line in the report, if it cannot be. */
export function bugFrom(context: ConversionContext, lookup: BugLookup, row: StagedRow): NewBug | undefined {
  const { journal, zone } = context
  const id = numberOf(row.bug_id)
  const refuse = (why: string) => {
    journal.refuse('bugs', stagedText(row.bug_id), why, row)
    return undefined
  }
  if (!isId(id)) return refuse('its number cannot be used')
  if (row.creation_ts === null) return refuse('its creation was interrupted')
  const [product, component] = [numberOf(row.product_id) ?? 0, numberOf(row.component_id) ?? 0]
  if (!lookup.products.has(product) || !lookup.components.has(component))
    return refuse('it has no product or component')
  const [creator, assignee] = [userIn(lookup, row.reporter), userIn(lookup, row.assigned_to)]
  if (creator === undefined || assignee === undefined) return refuse('it has no reporter or assignee')
  const version = lookup.versionOf(product, stagedText(row.version))
  const milestone = lookup.milestoneOf(product, stagedText(row.target_milestone))
  const choices = columnsOf('choice', (field) => valueIn(lookup, field, stagedText(row[field])))
  if (
    version === undefined ||
    milestone === undefined ||
    Object.values<number | undefined>(choices).includes(undefined)
  )
    return refuse('one of its values is empty')
  const times = timesOf(context, id, row)
  const qaContact = numberOf(row.qa_contact)
  const hasQaContact = qaContact !== undefined && lookup.users.has(qaContact)
  if (isId(qaContact) && !hasQaContact)
    journal.note('bugs', id, `its QA contact ${qaContact} does not exist; it has none now`)
  const lines = columnsOf('line', (field) => stagedText(row[field])) as Record<IndexedColumn, string>
  const deadline = row.deadline === null ? null : stagedText(row.deadline).slice(0, 10)
  const isDeadline = deadline !== null && zone.toUtc(`${deadline} 00:00:00`) !== undefined
  if (deadline !== null && !isDeadline)
    journal.note('bugs', id, `its deadline ${JSON.stringify(stagedText(row.deadline))} is not a date; it has none now`)
  const values: Partial<Record<BugColumn, string | number | null | undefined>> = {
    id,
    product_id: product,
    component_id: component,
    version_id: version,
    milestone_id: milestone,
    creator_id: creator,
    assigned_to_id: assignee,
    qa_contact_id: hasQaContact ? qaContact : null,
    created_at: times.created,
    changed_at: times.changed,
    dupe_of_id: null,
    deadline: isDeadline ? deadline : null,
    ...choices,
    ...lines,
    ...Object.fromEntries(KEYS.map((key) => [key, savedIn(lines, key)])),
    ...columnsOf('yes or no', (field) => flagOf(row[field])),
    ...columnsOf('hours', (field) => hundredthsOf(row[field])),
  }
  return {
    id,
    row: ({ workHundredths, votes, lists }) =>
      ({ ...values, actual_hundredths: workHundredths, votes, lists }) as ReturnType<NewBug['row']>,
    created: times.created,
    creator,
    summary: lines.summary,
  }
}

/** The columns of the fields of a kind, each with the value for Bugzilla's name of the field. */
function columnsOf<Value>(kind: FieldKind, valueFor: (field: string) => Value): Partial<Record<BugColumn, Value>> {
  return Object.fromEntries((COLUMNS_BY_KIND.get(kind) ?? []).map(({ column, field }) => [column, valueFor(field)]))
}

const COLUMNS_BY_KIND = Map.groupBy(
  bugFields.flatMap(({ name, searchName = name, kind, column }) =>
    column === undefined || column === 'actual_hundredths' || column === 'votes'
      ? []
      : [{ kind, column, field: searchName }],
  ),
  ({ kind }) => kind,
)

/** A bug without a value has the one of fields without a choice. */
function valueIn(lookup: BugLookup, field: string, name: string): number | undefined {
  return lookup.valueOf(field, name) ?? (name === '' ? lookup.valueOf(field, emptyValueOf(field)) : undefined)
}

function timesOf({ zone, journal }: ConversionContext, id: number, row: StagedRow) {
  const created = zone.toUtc(stagedText(row.creation_ts))
  const changed = zone.toUtc(stagedText(row.delta_ts))
  if (created === undefined || changed === undefined)
    journal.note('bugs', id, 'a time of it is impossible; the other one, or the time of the import, stands for it')
  const known = created ?? changed ?? journal.begunAt
  return { created: known, changed: changed ?? known }
}

/** Which lists the bug has, for `bugs.lists`. Triggers add the links to other bugs. */
export function listBits(has: {
  aliases: boolean
  keywords: boolean
  groups: boolean
  flags: boolean
  custom: boolean
}) {
  return (Object.keys(has) as (keyof typeof has)[]).reduce(
    (bits, list) => (has[list] ? bits | LIST_BITS[list] : bits),
    0,
  )
}
