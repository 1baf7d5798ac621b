import { bugFields } from '../../../../shared/bug-fields/bug-fields.ts'
import { TIME_FIELDS } from '../../../bug-fields/recorded-fields.ts'
import { dictionary } from '../../../platform/text/dictionary.ts'
import type { RequestParams } from '../../../platform/wire/params.ts'
import { idIn } from '../../../platform/wire/reference.ts'
import { FLAGS_FIELD, HISTORY_NAMES } from '../../attachments/attachment.ts'
import { isBlank, normalisedComment } from '../../comments/comment.ts'
import { valuesIn } from '../../history/history.ts'
import { ownBugAt } from '../../links/see-also/see-also.ts'
import { addedLine, type ProposedLine, type ProposedRow } from '../proposal.ts'

/** Parameters that only make sense together, by the row that has all of them. The others are rows of their own. */
const TOGETHER: Readonly<Record<string, readonly string[]>> = dictionary({
  status: ['status', 'resolution', 'dupe_of', 'is_confirmed'],
  comment: ['comment', 'longdesc', 'is_private', 'private', 'is_markdown', 'comment_tags'],
  flags: ['flags', 'needinfo', 'needinfo_role', 'needinfo_from'],
})

/** What belongs to a product, and changes with it. */
const OF_PRODUCT = ['product', 'component', 'version', 'target_milestone', 'groups', 'assigned_to', 'qa_contact']

/** In which row a consequence is shown that no parameter asks for: the first of these that is there. */
const CONSEQUENCES: Readonly<Record<string, readonly string[]>> = dictionary({
  [FLAGS_FIELD]: ['flags', 'product', 'component', 'is_obsolete'],
  cc: ['flags'],
  remaining_time: ['work_time', 'status'],
  'longdescs.isprivate': ['comment_is_private'],
  ...Object.fromEntries(OF_PRODUCT.map((name) => [name, ['product', 'component', 'status']])),
  'attachments.mimetype': ['is_patch'],
  ...Object.fromEntries((TOGETHER.status ?? []).map((name) => [name, ['status']])),
})

/** Where the history has another name for a field than the parameter. */
const PARAMETERS: Readonly<Record<string, string>> = dictionary({
  [FLAGS_FIELD]: 'flags',
  ...Object.fromEntries(Object.entries(HISTORY_NAMES).map(([param, field]) => [field, param])),
})

/** The parts of a change that are decided one by one: its parameters, each with what it would do. Without an effect there is none. */
export function rowsOfChange(
  params: RequestParams,
  lines: readonly ProposedLine[],
  { namingBugs, baseUrl }: { namingBugs: ReadonlySet<string>; baseUrl: string },
): ProposedRow[] {
  const isMoved = lines.some(({ field }) => field === 'product')
  const rowOf = (name: string) =>
    isMoved && OF_PRODUCT.includes(name)
      ? 'product'
      : (Object.entries(TOGETHER).find(([, names]) => names.includes(name))?.[0] ?? name)
  const rows = new Map<string, { params: Record<string, unknown>; lines: ProposedLine[] }>()
  for (const [name, value] of Object.entries(params)) {
    const row = rows.get(rowOf(name)) ?? { params: {}, lines: [] }
    row.params[name] = value
    rows.set(rowOf(name), row)
  }
  for (const line of lines) rows.get(ownerOf(line, rowOf, rows))?.lines.push(line)
  const inOrder = [...rows].sort(([one], [other]) => placeOf(one) - placeOf(other))
  return inOrder.flatMap(([name, row]) => {
    if (row.lines.length === 0) return []
    return [{ name, ...row, ...audienceOf(row.lines), bugs: bugsNamedIn(row.lines, namingBugs, baseUrl) }]
  })
}

const PLACES = new Map(bugFields.map(({ name }, place) => [name as string, place]))

/** Fields come in the order of their table, and texts last, so that a long one pushes nothing out of sight. */
function placeOf(name: string): number {
  return name === 'comment' ? PLACES.size + 1 : (PLACES.get(name) ?? PLACES.size)
}

function ownerOf({ field }: ProposedLine, rowOf: (name: string) => string, rows: ReadonlyMap<string, unknown>): string {
  const own = rowOf(PARAMETERS[field] ?? field)
  const candidates = [own, ...(CONSEQUENCES[field] ?? []), ...rows.keys()]
  return candidates.find((name) => rows.has(name)) ?? own
}

const PRIVATE: readonly string[] = ['is_private', 'longdescs.isprivate', HISTORY_NAMES.is_private]

/** Who may read all of it. Of a row with other lines too, readers who may not read the hours see those. */
export function audienceOf(lines: readonly ProposedLine[]) {
  return {
    isForInsiders: lines.some(
      ({ field, added }) => PRIVATE.includes(field) && (field !== 'is_private' || added === '1'),
    ),
    isForTimeTrackers: lines.every(({ field }) => TIME_FIELDS.has(field)),
  }
}

/** The numbers of the bugs of this tracker that the lines name. */
export function bugsNamedIn(
  lines: readonly ProposedLine[],
  namingBugs: ReadonlySet<string>,
  baseUrl: string,
): number[] {
  const named = lines.filter(({ field }) => namingBugs.has(field))
  const values = named.flatMap(({ removed, added }) => [removed, added].flatMap(valuesIn))
  return [...new Set(values.flatMap((value) => idIn(value) ?? ownBugAt(value, baseUrl) ?? []))]
}

export interface ProposedComment {
  text: string
  isPrivate: boolean
  isMarkdown: boolean
  tags: readonly string[]
}

/** What a comment adds, as it is stored, with everything that is not the usual case. */
export function linesOfComment({ text, isPrivate, isMarkdown, tags }: ProposedComment): ProposedLine[] {
  if (isBlank(text)) return []
  return [
    addedLine('comment', normalisedComment(text)),
    ...(isPrivate ? [addedLine('is_private', '1')] : []),
    ...(isMarkdown ? [addedLine('is_markdown', '1')] : []),
    ...(tags.length > 0 ? [addedLine('comment_tags', tags.map((tag) => tag.trim()).join(', '))] : []),
  ]
}
