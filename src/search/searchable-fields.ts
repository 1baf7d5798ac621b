import { sql } from 'kysely'
import type { BugField } from '../../shared/bug-fields/bug-fields.ts'
import { bugFields } from '../../shared/bug-fields/bug-fields.ts'
import { fieldNameOf } from '../../shared/bug-fields/field-names.ts'
import { mayReadField } from '../access/visibility/reader-rights.ts'
import { INDEXED_TEXTS } from '../bug-fields/indexed-texts.ts'
import { INSIDER_FIELDS } from '../bug-fields/recorded-fields.ts'
import { textFunctions } from '../platform/dialects/text-functions.ts'
import { errors } from '../platform/errors.ts'
import { dictionary } from '../platform/text/dictionary.ts'
import { type Sql, withSubquery } from './conditions/condition.ts'
import { customField } from './conditions/custom-fields.ts'
import {
  attachments,
  attachmentTexts,
  codeChanges,
  commentMentions,
  comments,
  commentTags,
  dependencies,
  flags,
  type Items,
  isOfVisibleBug,
  ownTags,
  ownVisits,
  rowsOf,
  seeAlso,
} from './conditions/search-items.ts'
import type { SearchContext } from './search-context.ts'
import {
  bySortKey,
  FieldBuilder,
  type NamedTable,
  type SearchableField,
  type SearchableValue,
} from './searchable-field.ts'

type Searchable = (it: FieldBuilder) => SearchableField | undefined

/** How a field with one value in a column of the bug is searched, by its kind. */
function ofColumn({ kind, column, table }: BugField): Searchable | undefined {
  if (column === undefined) return undefined
  const stored = sql.raw(`bugs.${column}`)
  switch (kind) {
    case 'id':
      return ofBug((it) => it.bugId(stored))
    case 'line':
      return ofBug((it) => it.text(stored))
    case 'choice':
      return ofBug((it) => ({ ...it.chosen(stored), column }))
    case 'user':
      return ofBug((it) => ({ ...it.person(stored), column }))
    case 'place':
      return ofBug((it) => ({ ...it.named(table as NamedTable, stored), column }))
    case 'time':
      return ofBug((it) => it.time(stored))
    case 'date':
      return ofBug((it) => ({ ...it.date(stored), isOptional: true }))
    case 'yes or no':
      return ofBug((it) => it.yesOrNo(stored))
    case 'number':
      return ofBug((it) => it.number(stored))
    case 'hours':
      return ofBug((it) => it.hours(stored))
    default:
      return undefined
  }
}

/** What the kind of a field does not tell, under Bugzilla's name. */
const SPECIAL: Readonly<Record<string, Searchable>> = dictionary({
  alias: ofEach({ ...rowsOf('bug_aliases'), areFew: true }, (it) =>
    it.text(sql`bug_aliases.alias`, sql`bug_aliases.alias_key`),
  ),
  ...Object.fromEntries(
    INDEXED_TEXTS.map(({ searchName, column }) => [searchName, ofBug((it) => it.indexedText(column))]),
  ),

  classification: ofBug((it) => ({
    ...it.named('classifications', CLASSIFICATION, bySortKey('classifications')),
    isIn: (list) => withSubquery(sql`bugs.product_id in (select id from products where classification_id in ${list})`),
  })),
  version: ofBug((it) => it.named('versions', sql`bugs.version_id`, bySortKey('versions'), NATURALLY)),
  target_milestone: ofBug((it) => it.named('milestones', sql`bugs.milestone_id`, bySortKey('milestones'))),

  qa_contact: ofBug((it) => ({ ...it.person(sql`bugs.qa_contact_id`), isOptional: true })),
  triage_owner: ofBug((it) => {
    const id = triageOwner(it.context)
    const isIn = (list: Sql) => withSubquery(sql`${id} in ${list}`)
    return { ...it.person(id), isOptional: true, isIn }
  }),
  assigned_to_realname: ofBug((it) => it.realNameOf(sql`bugs.assigned_to_id`)),
  reporter_realname: ofBug((it) => it.realNameOf(sql`bugs.creator_id`)),
  qa_contact_realname: ofBug((it) => ({ ...it.realNameOf(sql`bugs.qa_contact_id`), isOptional: true })),
  cc: ofEach(rowsOf('bug_cc'), (it) => it.person(sql`bug_cc.user_id`)),

  restrict_comments: ofBug((it) => it.yesOrNo(sql`bugs.restrict_comments`)),
  days_elapsed: ofBug((it) => it.number(daysSinceChange(it.context))),
  last_visit_ts: ofEach(ownVisits, (it) => it.timeOrLastChange(sql`last_visits.at`)),
  percentage_complete: ofBug((it) => it.number(PERCENTAGE)),

  keywords: ofEach(rowsOf('bug_keywords'), (it) => it.named('keywords', sql`bug_keywords.keyword_id`)),
  bug_group: ofEach(rowsOf('bug_groups'), (it) => it.named('groups', sql`bug_groups.group_id`)),
  tag: ofEach(ownTags, (it) => it.text(sql`bug_tags.tag`)),
  see_also: ofEach(seeAlso, (it) => it.text(sql`bug_see_also.url`, sql`bug_see_also.url_key`)),
  dependson: ofEach(
    (context) => dependencies(context, 'blocked_id', sql`bug_dependencies.depends_on_id`),
    (it) => it.number(sql`bug_dependencies.depends_on_id`),
  ),
  blocked: ofEach(
    (context) => dependencies(context, 'depends_on_id', sql`bug_dependencies.blocked_id`),
    (it) => it.number(sql`bug_dependencies.blocked_id`),
  ),
  code_state: ofEach(codeChanges, (it) => it.text(sql`code_changes.state`, sql`code_changes.state`)),
  open_changes: ofBug((it) => it.number(OPEN_CHANGES)),
  dup_id: ofBug((it) => ({
    ...it.number(sql`(case when ${isOfVisibleBug(it.context, sql`bugs.dupe_of_id`)} then bugs.dupe_of_id end)`),
    isOptional: true,
  })),

  'flagtypes.name': ofEach(flags, (it) =>
    it.text(sql`(flag_types.name || flags.status)`, sql`(flag_types.name_key || flags.status)`),
  ),
  'setters.login_name': ofEach(flags, (it) => it.person(sql`flags.setter_id`)),
  'requestees.login_name': ofEach(flags, (it) => ({ ...it.person(sql`flags.requestee_id`), isOptional: true })),

  longdesc: ofEach(comments, (it) => it.text(sql`comments.text`)),
  commenter: ofEach(comments, (it) => it.person(sql`comments.user_id`)),
  'longdescs.isprivate': ofEach(comments, (it) => it.yesOrNo(sql`comments.is_private`)),
  'longdescs.count': ofBug((it) => it.number(countOf(comments(it.context)))),
  mentions: ofEach(commentMentions, (it) => it.person(sql`comment_mentions.user_id`)),
  comment_tag: ofEach(commentTags, (it) => it.text(sql`comment_tags.tag`, sql`comment_tags.tag_key`)),

  'attachments.description': ofEach(attachments, (it) => it.text(sql`attachments.summary`)),
  'attachments.filename': ofEach(attachments, (it) => it.text(sql`attachments.file_name`)),
  'attachments.mimetype': ofEach(attachments, (it) => it.text(sql`attachments.content_type`)),
  'attachments.ispatch': ofEach(attachments, (it) => it.yesOrNo(sql`attachments.is_patch`)),
  'attachments.isobsolete': ofEach(attachments, (it) => it.yesOrNo(sql`attachments.is_obsolete`)),
  'attachments.isprivate': ofEach(attachments, (it) => it.yesOrNo(sql`attachments.is_private`)),
  'attach_data.thedata': ofEach(attachmentTexts, (it) => it.text(sql`attachment_texts.text`)),
  'attachments.submitter': ofEach(attachments, (it) => it.person(sql`attachments.user_id`)),
})

/** Every field that can be searched, under Bugzilla's name. Custom fields are in custom-fields.ts. */
const FIELDS: Readonly<Record<string, Searchable>> = dictionary(
  Object.fromEntries(
    bugFields.flatMap((field) => {
      const name = field.searchName ?? field.name
      const searchable = Object.hasOwn(SPECIAL, name) ? SPECIAL[name] : isListed(field) ? ofColumn(field) : undefined
      return searchable === undefined ? [] : [[name, forReaders(field, searchable)]]
    }),
  ),
)

/** Those that every caller may search. */
const FOR_EVERYBODY: ReadonlySet<string> = new Set(
  bugFields
    .filter(({ readBy }) => readBy === undefined)
    .map(({ searchName, name }) => searchName ?? name)
    .filter((name) => Object.hasOwn(FIELDS, name)),
)

/** Bugzilla has no search for other fields, such as the sum of hours under the name of the REST API. */
function isListed({ listed }: BugField) {
  return listed !== undefined
}

/** The names of all fields that can be searched, except custom fields. */
export const searchableNames: readonly string[] = [...Object.keys(FIELDS), 'content', 'owner_idle_time']

/** Whether the field exists for the caller. A search in some of these fields is refused with an error about the missing right. */
export function isSearchable(context: SearchContext, name: string): boolean {
  return (
    FOR_EVERYBODY.has(name) ||
    INSIDER_FIELDS.has(name) ||
    (searchableNames.includes(name) && !Object.hasOwn(FIELDS, name)) ||
    findSearchable(context, name) !== undefined
  )
}

/** The field of that name, in the REST API or in Bugzilla, if the caller may search in it. */
export function findSearchable(context: SearchContext, name: string, sentAs?: string): SearchableField | undefined {
  const known = fieldNameOf(name)
  const field = context.fields.named(known)
  if (Object.hasOwn(FIELDS, known)) return FIELDS[known]?.(new FieldBuilder(context, known, sentAs))
  if (field?.is_custom !== 1 || field.is_obsolete === 1 || field.name !== known) return undefined
  return customField(new FieldBuilder(context, known, sentAs), field)
}

/** The same, or error 108, which does not reveal whether the field exists for others. */
export function getSearchable(context: SearchContext, name: string, sentAs?: string): SearchableField {
  const found = findSearchable(context, name, sentAs)
  if (!found) throw errors.not_searchable({ name })
  return found
}

function ofBug(value: (it: FieldBuilder) => SearchableValue): Searchable {
  return (it) => ({ value: value(it) })
}

function ofEach(
  items: Items | ((context: SearchContext) => Items),
  value: (it: FieldBuilder) => SearchableValue,
): Searchable {
  return (it) => ({ items: typeof items === 'function' ? items(it.context) : items, value: value(it) })
}

/** For callers who may not read the field it does not exist, except that one of insiders is refused by name, as in Bugzilla. */
function forReaders(field: BugField, searchable: Searchable): Searchable {
  return (it) => {
    if (mayReadField(field, it.context)) return searchable(it)
    if (field.readBy === 'insiders') throw errors.not_allowed({ need: 'it needs membership in the insider group' })
    return undefined
  }
}

const OPEN_CHANGES = sql`(select count(*) from code_links join code_changes on code_changes.id = code_links.change_id
  where code_links.bug_id = bugs.id and code_changes.state in ('open', 'draft', 'approved', 'changes wanted'))`
const CLASSIFICATION = sql`(select products.classification_id from products where products.id = bugs.product_id)`

/** Of a component with a rotation, the user whose turn it is. */
function triageOwner({ rotationPeople = new Map() }: SearchContext): Sql {
  const turns = [...rotationPeople].map(([rotation, { id }]) => sql`when ${rotation} then cast(${id} as integer)`)
  const current = turns.length === 0 ? sql`null` : sql`case components.rotation_id ${sql.join(turns, sql` `)} end`
  return sql`(select coalesce(components.triage_owner_id, ${current}) from components where components.id = bugs.component_id)`
}

const NATURALLY = { by: sql`versions.natural_key`, empty: '' } as const

const PERCENTAGE = sql`(case when bugs.actual_hundredths + bugs.remaining_hundredths > 0
  then cast(100 as bigint) * bugs.actual_hundredths / (bugs.actual_hundredths + bugs.remaining_hundredths) else 0 end)`

function daysSinceChange({ db, now }: SearchContext): Sql {
  const seconds = sql`cast(${Math.floor(now / 1000)} as integer)`
  return sql`((${seconds} - ${textFunctions(db.dialect).secondsOf(sql`bugs.changed_at`)}) / 86400)`
}

function countOf({ from, bugId, readable }: Items): Sql {
  return sql`(select count(*) from ${from} where ${bugId} = bugs.id and ${readable})`
}
