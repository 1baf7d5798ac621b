import { NO_CHOICE } from '../../../bugs/custom-values/custom-value.ts'
import { LIST_BITS } from '../../../platform/database/bug-lists.ts'
import { fold } from '../../../platform/text/fold.ts'
import { type ConversionContext, flagOf, hundredthsOf, isId, numberOf, textOf } from '../import-context.ts'
import type { StagedRow } from '../staging/staging.ts'
import { type BugLookup, userIn } from './bug-lookup.ts'
import type { NewBug } from './new-bug.ts'

export const BUG_COLUMNS = [
  'id',
  'product_id',
  'component_id',
  'version_id',
  'milestone_id',
  'status_id',
  'resolution_id',
  'priority_id',
  'severity_id',
  'op_sys_id',
  'platform_id',
  'creator_id',
  'assigned_to_id',
  'qa_contact_id',
  'summary',
  'url',
  'whiteboard',
  'summary_key',
  'whiteboard_key',
  'created_at',
  'changed_at',
  'is_confirmed',
  'is_cc_accessible',
  'is_creator_accessible',
  'dupe_of_id',
  'deadline',
  'estimated_hundredths',
  'remaining_hundredths',
  'actual_hundredths',
  'lists',
] as const

/** The bug as it is stored; undefined, with a line in the report, if it cannot be. */
export function bugFrom(context: ConversionContext, lookup: BugLookup, row: StagedRow): NewBug | undefined {
  const { journal, zone } = context
  const id = numberOf(row.bug_id)
  const refuse = (why: string) => {
    journal.refuse('bugs', textOf(row.bug_id), why, row)
    return undefined
  }
  if (!isId(id)) return refuse('its number cannot be used')
  if (row.creation_ts === null) return refuse('its creation was interrupted')
  const [product, component] = [numberOf(row.product_id) ?? 0, numberOf(row.component_id) ?? 0]
  if (!lookup.products.has(product) || !lookup.components.has(component))
    return refuse('it has no product or component')
  const [creator, assignee] = [userIn(lookup, row.reporter), userIn(lookup, row.assigned_to)]
  if (creator === undefined || assignee === undefined) return refuse('it has no reporter or assignee')
  const version = lookup.versionOf(product, textOf(row.version))
  const milestone = lookup.milestoneOf(product, textOf(row.target_milestone))
  const valuesOfBug = VALUES.map((field) => valueIn(lookup, field, textOf(row[field])))
  if (version === undefined || milestone === undefined || valuesOfBug.includes(undefined))
    return refuse('one of its values is empty')
  const times = timesOf(context, id, row)
  const qaContact = numberOf(row.qa_contact)
  const hasQaContact = qaContact !== undefined && lookup.users.has(qaContact)
  if (isId(qaContact) && !hasQaContact)
    journal.note('bugs', id, `its QA contact ${qaContact} does not exist; it has none now`)
  const [summary, whiteboard] = [textOf(row.short_desc), textOf(row.status_whiteboard)]
  const deadline = row.deadline === null ? null : textOf(row.deadline).slice(0, 10)
  const isDeadline = deadline !== null && zone.toUtc(`${deadline} 00:00:00`) !== undefined
  if (deadline !== null && !isDeadline)
    journal.note('bugs', id, `its deadline ${JSON.stringify(textOf(row.deadline))} is not a date; it has none now`)
  return {
    id,
    cells: (totals) => [
      id,
      product,
      component,
      version,
      milestone,
      ...(valuesOfBug as number[]),
      creator,
      assignee,
      hasQaContact ? qaContact : null,
      summary,
      textOf(row.bug_file_loc),
      whiteboard,
      fold(summary),
      fold(whiteboard),
      times.created,
      times.changed,
      flagOf(row.everconfirmed),
      flagOf(row.cclist_accessible),
      flagOf(row.reporter_accessible),
      null,
      isDeadline ? deadline : null,
      hundredthsOf(row.estimated_time),
      hundredthsOf(row.remaining_time),
      totals.workHundredths,
      totals.lists,
    ],
    created: times.created,
    creator,
    summary,
  }
}

/** In the order of BUG_COLUMNS. */
const VALUES = ['bug_status', 'resolution', 'priority', 'bug_severity', 'op_sys', 'rep_platform']

/** A bug without a value has the one of fields without a choice. */
function valueIn(lookup: BugLookup, field: string, name: string): number | undefined {
  return lookup.valueOf(field, name) ?? (name === '' ? lookup.valueOf(field, NO_CHOICE) : undefined)
}

function timesOf({ zone, journal }: ConversionContext, id: number, row: StagedRow) {
  const created = zone.toUtc(textOf(row.creation_ts))
  const changed = zone.toUtc(textOf(row.delta_ts))
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
