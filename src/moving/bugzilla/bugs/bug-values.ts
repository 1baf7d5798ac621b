import { NO_CHOICE } from '../../../bugs/custom-values/custom-value.ts'
import { FIELD_TYPE } from '../../../catalogue/fields/field.ts'
import type { NewRow } from '../../../platform/database/insert-rows.ts'
import { LARGEST_ID } from '../../../platform/wire/reference.ts'
import { type ConversionContext, isId, numberOf, positionIn, stagedText } from '../import-context.ts'
import type { StagedRow } from '../staging/staging.ts'
import { type BugLookup, type CustomField, isMultiSelect, userIn } from './bug-lookup.ts'
import { type BugPart, rowsOfBugs } from './bug-part.ts'

type FlagStatus = NewRow<'flags'>['status']

function isFlagStatus(text: string): text is FlagStatus {
  return ['?', '+', '-'].includes(text)
}

export function flagsOf(
  context: ConversionContext,
  part: BugPart,
  lookup: BugLookup,
  attachments: ReadonlySet<number>,
): NewRow<'flags'>[] {
  const { journal, zone } = context
  const rows: NewRow<'flags'>[] = []
  for (const row of rowsOfBugs(context, part, 'flags', 'bug_id, id')) {
    const [id, type, setter] = [numberOf(row.id), numberOf(row.type_id) ?? 0, userIn(lookup, row.setter_id)]
    const [attachment, requestee] = [numberOf(row.attach_id), numberOf(row.requestee_id)]
    const status = stagedText(row.status)
    const target = lookup.flagTargets.get(type)
    const isTarget =
      target === 'bug' ? attachment === undefined : attachment !== undefined && attachments.has(attachment)
    if (!isId(id) || target === undefined || !isTarget || !isFlagStatus(status) || setter === undefined) {
      journal.refuse(
        'flags',
        stagedText(row.id),
        'its type, its setter, its attachment or its status cannot be used',
        row,
      )
      continue
    }
    const hasRequestee = requestee !== undefined && lookup.users.has(requestee)
    if (requestee !== undefined && !hasRequestee)
      journal.note('flags', id, `its requestee ${requestee} does not exist; it has none now`)
    const [began, changed] = [zone.toUtc(stagedText(row.creation_date)), zone.toUtc(stagedText(row.modification_date))]
    const created = began ?? changed ?? journal.begunAt
    if (began === undefined)
      journal.note('flags', id, 'its time is impossible; the last change or the time of the import stands for it')
    const modified = changed ?? created
    rows.push({
      id,
      type_id: type,
      bug_id: numberOf(row.bug_id) as number,
      attachment_id: attachment ?? null,
      status,
      setter_id: setter,
      requestee_id: hasRequestee ? requestee : null,
      created_at: created,
      modified_at: modified,
    })
    journal.made('flags')
  }
  return rows
}

/** The values of custom fields of one bug: those in its own row. */
export function customValuesOf(
  context: ConversionContext,
  lookup: BugLookup,
  id: number,
  row: StagedRow,
): CustomValue[] {
  const made: CustomValue[] = []
  for (const field of lookup.customFields) {
    if (isMultiSelect(field)) continue
    const value = customValue(context, lookup, field, id, row)
    if (value !== undefined) made.push({ bug_id: id, field_id: field.id, ...value })
  }
  return made
}

const SMALLEST_INTEGER = -2_147_483_648

type CustomValue = NewRow<'bug_custom_values'>
type TextOrNumber = Required<Pick<CustomValue, 'text_value' | 'number_value'>>

const asText = (text_value: string): TextOrNumber => ({ text_value, number_value: null })
const asNumber = (number_value: number): TextOrNumber => ({ text_value: null, number_value })

function customValue(
  { zone, journal }: ConversionContext,
  lookup: BugLookup,
  field: CustomField,
  id: number,
  row: StagedRow,
): TextOrNumber | undefined {
  const stored = row[field.name]
  const text = stagedText(stored)
  if (text === '') return undefined
  const impossible = () => {
    journal.note(
      'bugs',
      id,
      `its value ${JSON.stringify(text.slice(0, 80))} of ${field.name} is impossible; it is empty now`,
    )
    return undefined
  }
  switch (field.type) {
    case FIELD_TYPE.singleSelect: {
      const value = text === NO_CHOICE ? undefined : lookup.valueOf(field.name, text)
      return value === undefined ? undefined : asNumber(value)
    }
    case FIELD_TYPE.dateTime: {
      const moment = zone.toUtc(text)
      return moment === undefined ? impossible() : asText(moment)
    }
    case FIELD_TYPE.date: {
      const day = text.slice(0, 10)
      return zone.toUtc(`${day} 12:00:00`) === undefined ? impossible() : asText(`${day}T00:00:00Z`)
    }
    case FIELD_TYPE.bugId:
    case FIELD_TYPE.integer: {
      const number = positionIn(stored)
      if (number === undefined || number < SMALLEST_INTEGER || number > LARGEST_ID) return impossible()
      return number === 0 ? undefined : asNumber(number)
    }
    default:
      return asText(text)
  }
}

/** The values of multi-select fields, which have tables of their own. */
export function choicesOf(context: ConversionContext, part: BugPart, lookup: BugLookup): CustomValue[] {
  const { journal, staging } = context
  const tables = staging.dumpTables()
  const made: CustomValue[] = []
  for (const field of lookup.customFields.filter(isMultiSelect)) {
    const table = `bug_${field.name}`
    if (!tables.has(table)) continue
    const seen = new Set<string>()
    for (const row of rowsOfBugs(context, { ...part }, `dump_${table}`, 'bug_id, value')) {
      const [bug, value] = [numberOf(row.bug_id) as number, lookup.valueOf(field.name, stagedText(row.value))]
      if (value === undefined) journal.refuse(table, `${bug} ${stagedText(row.value)}`, 'the value is empty', row)
      else if (seen.has(`${bug} ${value}`)) journal.joined(table)
      else {
        seen.add(`${bug} ${value}`)
        made.push({ bug_id: bug, field_id: field.id, ...asNumber(value) })
        journal.made(table)
      }
    }
  }
  return made
}
