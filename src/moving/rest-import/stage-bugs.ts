import type { FieldKind } from '../../../shared/bug-fields/bug-field.ts'
import { bugFields } from '../../../shared/bug-fields/bug-fields.ts'
import { emptyValueOf } from '../../../shared/bug-fields/field-names.ts'
import { FIELD_TYPE } from '../../catalogue/fields/field.ts'
import type { Json } from '../rest-client/rest-server.ts'
import type { FetchedBug, FetchStore } from './fetch-store.ts'
import {
  propertyOf,
  restDay,
  restHours,
  restNumber,
  restObjects,
  restText,
  restTexts,
  restTime,
  restYesByDefault,
} from './rest-values.ts'
import { stageAttachments, stageFlags } from './stage-attachments.ts'
import { stageComments } from './stage-comments.ts'
import type { FieldNumbers } from './stage-fields.ts'
import type { PeopleNumbers } from './stage-people.ts'
import type { ProductNumbers } from './stage-products.ts'
import { stageVotes } from './stage-votes.ts'
import type { StagingWriter } from './staging-writer.ts'

export interface StagingLookup {
  readonly people: PeopleNumbers
  readonly products: ProductNumbers
  readonly fields: FieldNumbers
}

const TABLES = [
  ...([
    'longdescs',
    'longdescs_tags',
    'bugs_activity',
    'attachments',
    'attach_data',
    'flags',
    'bugs_aliases',
    'cc',
    'votes',
  ] as const),
  ...(['keywords', 'bug_group_map', 'dependencies', 'duplicates', 'bug_see_also', 'tag', 'bug_tag'] as const),
] as const

/** Bugs with everything that belongs to them, one after another. */
export function stageBugs(store: FetchStore, writer: StagingWriter, lookup: StagingLookup) {
  const { fields } = lookup
  writer.sourceTable(
    'bugs',
    fields.columns.map(({ name }) => name),
  )
  for (const table of TABLES) writer.sourceTable(table)
  for (const name of fields.choices) writer.table(`bug_${name}`, ['bug_id', 'value'])
  const counters = { changes: 0, links: 0, tags: new Map<string, number>() }
  for (const { id, bug, note } of store.bugs()) {
    if (bug === undefined) {
      writer.note('bugs', id, `left out: the source does not return it: ${note}`)
      continue
    }
    stageBug(writer, lookup, id, bug)
    stageLists(writer, lookup, id, bug.bug, counters)
    stageComments(writer, lookup.people, id, bug)
    stageHistory(writer, lookup, id, bug.history, counters)
    stageAttachments(store, writer, lookup.people, id, bug.attachments)
    stageVotes(writer, lookup.people, id, bug)
    for (const [name, part] of [
      ['comments', bug.comments],
      ['history', bug.history],
      ['attachments', bug.attachments],
    ] as const)
      if (part === null) writer.note('bugs', id, `the source does not return its ${name}`)
  }
}

function stageBug(writer: StagingWriter, { people, products, fields }: StagingLookup, id: number, { bug }: FetchedBug) {
  const value = (name: string) => propertyOf(bug, name)
  const text = (name: string) => restText(value(name))
  const custom = fields.columns.map(({ name, type }) => [name, customValue(type, value(name))] as const)
  writer.row('bugs', {
    bug_id: id,
    assigned_to: people.userOf(value('assigned_to')),
    creation_ts: restTime(value('creation_time')) ?? restTime(value('last_change_time')) ?? '0000-00-00 00:00:00',
    delta_ts: restTime(value('last_change_time')),
    product_id: products.productOf(text('product')),
    reporter: people.userOf(value('creator')),
    version: text('version') || 'unspecified',
    component_id: products.componentOf(text('product'), text('component')),
    target_milestone: text('target_milestone') || emptyValueOf('target_milestone'),
    qa_contact: people.userOrNone(value('qa_contact')),
    deadline: restTime(value('deadline')),
    ...columnsOf('line', text),
    ...columnsOf('choice', (name) => text(name) || emptyValueOf(name)),
    ...columnsOf('yes or no', (name) => restYesByDefault(value(name))),
    ...columnsOf('hours', (name) => restHours(value(name))),
    ...Object.fromEntries(custom),
  })
  for (const name of fields.choices)
    for (const choice of restTexts(value(name))) writer.row(`bug_${name}`, { bug_id: id, value: choice })
}

/** The columns of Bugzilla for the fields of a kind, each with the value for the name of the REST API. */
function columnsOf<Value>(kind: FieldKind, valueFor: (name: string) => Value): Record<string, Value> {
  const fields = bugFields.filter((it) => it.kind === kind && it.column !== undefined && it.changedBy !== undefined)
  return Object.fromEntries(
    fields
      // Bugzilla does not have the last one, and BMO does not return it.
      .filter(({ column }) => column !== 'actual_hundredths' && column !== 'restrict_comments')
      .map(({ name, searchName = name }) => [searchName, valueFor(name)]),
  )
}

function customValue(type: number, value: Json | undefined): string | number | null {
  if (type === FIELD_TYPE.dateTime) return restTime(value)
  if (type === FIELD_TYPE.date) return restDay(value)
  if (type === FIELD_TYPE.bugId || type === FIELD_TYPE.integer) return restNumber(value) ?? null
  return restText(value)
}

interface Counters {
  changes: number
  links: number
  tags: Map<string, number>
}

function stageLists(
  writer: StagingWriter,
  { people, fields }: StagingLookup,
  id: number,
  bug: Json,
  counters: Counters,
) {
  const texts = (name: string) => restTexts(propertyOf(bug, name))
  const alias = propertyOf(bug, 'alias')
  for (const name of typeof alias === 'string' ? [alias] : texts('alias'))
    if (name !== '') writer.row('bugs_aliases', { alias: name, bug_id: id })
  for (const name of texts('cc')) writer.row('cc', { bug_id: id, who: people.userOf(name) })
  for (const name of texts('keywords')) writer.row('keywords', { bug_id: id, keywordid: fields.keywordOf(name) })
  for (const name of texts('groups')) writer.row('bug_group_map', { bug_id: id, group_id: people.groupOf(name) })
  for (const url of texts('see_also')) writer.row('bug_see_also', { id: ++counters.links, bug_id: id, value: url })
  const dependsOn = propertyOf(bug, 'depends_on')
  for (const other of Array.isArray(dependsOn) ? dependsOn : [])
    writer.row('dependencies', { blocked: id, dependson: restNumber(other) ?? null })
  const duplicateOf = restNumber(propertyOf(bug, 'dupe_of'))
  if (duplicateOf !== undefined && duplicateOf > 0) writer.row('duplicates', { dupe_of: duplicateOf, dupe: id })
  stageFlags(writer, people, id, null, propertyOf(bug, 'flags'))
  if (people.keyOwner === undefined) return
  for (const name of texts('tags')) {
    const known = counters.tags.get(name)
    const tag = known ?? counters.tags.size + 1
    if (known === undefined) {
      counters.tags.set(name, tag)
      writer.row('tag', { id: tag, name, user_id: people.keyOwner })
    }
    writer.row('bug_tag', { bug_id: id, tag_id: tag })
  }
}

function stageHistory(
  writer: StagingWriter,
  { people, fields }: StagingLookup,
  id: number,
  history: Json,
  counters: Counters,
) {
  for (const entry of restObjects(propertyOf(history, 'history')))
    for (const change of restObjects(entry.changes))
      writer.row('bugs_activity', {
        id: ++counters.changes,
        bug_id: id,
        attach_id: restNumber(change.attachment_id) ?? null,
        who: people.userOf(entry.who),
        bug_when: restTime(entry.when),
        fieldid: fields.fieldOf(restText(change.field_name)),
        added: restText(change.added),
        removed: restText(change.removed),
        comment_id: restNumber(change.comment_id) ?? null,
        is_whole: 1,
      })
}
