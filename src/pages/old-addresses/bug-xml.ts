// compat: show_bug.cgi?ctype=xml, in the form that programs which read it expect.

import type { FieldKind } from '../../../shared/bug-fields/bug-field.ts'
import { bugFields } from '../../../shared/bug-fields/bug-fields.ts'
import { release } from '../../platform/config/release.ts'
import { dictionary } from '../../platform/text/dictionary.ts'

type Json = Readonly<Record<string, unknown>>

/** What the REST API has returned to the caller, and nothing else: so nothing hidden can be in the document. */
export interface XmlSource {
  /** Without a slash at the end. */
  baseUrl: string
  bugs: readonly Json[]
  faults: readonly Json[]
  /** By the number of the bug. */
  comments: Readonly<Record<string, { comments?: readonly Json[] }>>
  attachments: Readonly<Record<string, readonly Json[]>>
}

/** Parts of a bug that can be asked for (`field`) or left out (`excludefield`). */
export interface XmlSelection {
  fields: readonly string[]
  excluded: readonly string[]
}

export function bugsAsXml({ baseUrl, bugs, faults, comments, attachments }: XmlSource, wanted: XmlSelection): string {
  const isWanted = (name: string) =>
    !wanted.excluded.includes(name) && (wanted.fields.length === 0 || wanted.fields.includes(name))
  const found = bugs.map((bug) => {
    const id = String(bug.id)
    const parts = [
      ...plainFields(bug).filter(([name]) => isWanted(name)),
      ...(isWanted('flag') ? flagElements(bug.flags) : []),
      ...(isWanted('group') ? texts(bug.groups).map((group): Element => ['group', group]) : []),
      ...(isWanted('long_desc') ? list(comments[id]?.comments).map(commentElement) : []),
      ...(isWanted('attachment') ? list(attachments[id]).map(attachmentElement) : []),
    ]
    return element('bug', parts)
  })
  const missing = faults.map(({ id, faultCode }) =>
    element('bug', [['bug_id', String(id)]], { error: FAULTS.get(Number(faultCode)) ?? 'NotFound' }),
  )
  const root = { version: release, urlbase: `${baseUrl}/` }
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${element('bugzilla', [...found, ...missing], root)}\n`
}

const FAULTS: ReadonlyMap<number, string> = new Map([
  [100, 'InvalidBugId'],
  [101, 'NotFound'],
  [102, 'NotPermitted'],
])

type Attributes = Readonly<Record<string, string>>
/** A name with its text and attributes, or XML that is written already. */
type Element = readonly [name: string, text: string, attributes?: Attributes] | string

function element(name: string, parts: readonly Element[], attributes: Attributes = {}): string {
  const inner = parts.map((part) =>
    typeof part === 'string' ? part : `<${part[0]}${attributesOf(part[2])}>${escaped(part[1])}</${part[0]}>`,
  )
  return `<${name}${attributesOf(attributes)}>\n${inner.join('\n')}\n</${name}>`
}

function attributesOf(attributes: Attributes = {}) {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join('')
}

const SPECIAL: Readonly<Record<string, string>> = dictionary({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
})

/** XML has no form for other control characters and for halves of characters. */
function escaped(text: string) {
  return text
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '')
    .replaceAll(/[&<>"']/g, (character) => SPECIAL[character] ?? '')
}

/** The fields of some kinds: the name in XML, which is that of searches, and the name in the REST API. */
function namesOf(kinds: readonly FieldKind[]): readonly (readonly [name: string, field: string])[] {
  return bugFields
    .filter(({ kind, returned, of }) => kinds.includes(kind) && returned === 'by default' && of === undefined)
    .map(({ name, searchName = name }) => [searchName, name])
}

/** compat: the order in which Bugzilla writes them. Others follow. */
const ORDER: readonly string[] = [
  ...['short_desc', 'classification', 'product', 'component', 'version', 'rep_platform', 'op_sys', 'bug_status'],
  ...['resolution', 'dup_id', 'bug_file_loc', 'status_whiteboard', 'priority', 'bug_severity', 'target_milestone'],
  ...['estimated_time', 'remaining_time', 'actual_time', 'deadline'],
]

function placeOf([name]: readonly [name: string, field: string]) {
  const place = ORDER.indexOf(name)
  return place === -1 ? ORDER.length : place
}

const TEXTS = [
  ...namesOf(['line', 'place', 'choice', 'bug', 'hours', 'date']).toSorted((a, b) => placeOf(a) - placeOf(b)),
  ['token', 'update_token'] as const,
]
const LISTS = namesOf(['names', 'links', 'keywords', 'bugs', 'users'])
const PEOPLE = namesOf(['user'])

function plainFields(bug: Json): (readonly [name: string, text: string, attributes?: Attributes])[] {
  const text = (name: string, field: string) => (isSet(bug[field]) ? [[name, String(bug[field])] as const] : [])
  return [
    ['bug_id', String(bug.id)],
    ['creation_ts', moment(bug.creation_time)],
    ['delta_ts', moment(bug.last_change_time)],
    ['reporter_accessible', bug.is_creator_accessible === true ? '1' : '0'],
    ['cclist_accessible', bug.is_cc_accessible === true ? '1' : '0'],
    ['everconfirmed', bug.is_confirmed === true ? '1' : '0'],
    ...TEXTS.flatMap(([name, field]) => text(name, field)),
    ...LISTS.filter(([name]) => name !== 'keywords').flatMap(([name, field]) =>
      texts(bug[field]).map((value) => [name, value] as const),
    ),
    ['keywords', texts(bug.keywords).join(', ')],
    ...PEOPLE.flatMap(([name, field]) =>
      isSet(bug[field]) ? [[name, String(bug[field]), { name: nameOf(bug[`${field}_detail`]) }] as const] : [],
    ),
    ...Object.keys(bug)
      .filter((name) => name.startsWith('cf_'))
      .flatMap((name) =>
        Array.isArray(bug[name]) ? texts(bug[name]).map((one) => [name, one] as const) : text(name, name),
      ),
  ]
}

function commentElement({ id, count, creator, creation_time, text, is_private, attachment_id }: Json): string {
  const parts: Element[] = [
    ['commentid', String(id)],
    ['comment_count', String(count)],
    ...(isSet(attachment_id) ? [['attachid', String(attachment_id)] as const] : []),
    ['who', String(creator)],
    ['bug_when', moment(creation_time)],
    ['thetext', String(text)],
  ]
  return element('long_desc', parts, { isprivate: bit(is_private) })
}

function attachmentElement(it: Json): string {
  const parts: Element[] = [
    ['attachid', String(it.id)],
    ['date', moment(it.creation_time)],
    ['delta_ts', moment(it.last_change_time)],
    ['desc', String(it.summary)],
    ['filename', String(it.file_name)],
    ['type', String(it.content_type)],
    ['size', String(it.size)],
    ['attacher', String(it.creator)],
    ...(isSet(it.data) ? [['data', String(it.data), { encoding: 'base64' }] as const] : []),
    ...flagElements(it.flags),
  ]
  const attributes = { isobsolete: bit(it.is_obsolete), ispatch: bit(it.is_patch), isprivate: bit(it.is_private) }
  return element('attachment', parts, attributes)
}

function flagElements(flags: unknown): Element[] {
  return list(flags).map(({ id, name, type_id, status, setter, requestee }) => {
    const asked: Attributes = isSet(requestee) ? { requestee: String(requestee) } : {}
    const own = { name: String(name), id: String(id), type_id: String(type_id), status: String(status) }
    return ['flag', '', { ...own, setter: String(setter), ...asked }]
  })
}

const bit = (value: unknown) => (value === true ? '1' : '0')
const isSet = (value: unknown) => value !== undefined && value !== null && value !== ''
const list = (value: unknown) => (Array.isArray(value) ? (value as readonly Json[]) : [])
const texts = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])
const nameOf = (person: unknown) => String((person as Json | undefined)?.real_name ?? '')

/** `2026-01-31 12:00:00 +0000`, as Bugzilla writes times. */
function moment(time: unknown) {
  return String(time ?? '')
    .replace('T', ' ')
    .replace(/(\.\d+)?Z$/, ' +0000')
}
