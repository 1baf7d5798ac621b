import { isObject, type Json } from '../rest-client/rest-server.ts'
import type { AnswerDifference } from './compare-answers.ts'
import { bugNumberIn, isSameUrl, withoutSentences, withoutSummaryOf } from './own-sentences.ts'

/** The answer in which a difference is. */
export interface ComparedAnswer {
  /** The kind of the call, such as `comment`. */
  readonly call: string
  readonly differences: readonly AnswerDifference[]
  /** Whether the person does not see this bug on the new server. */
  isHidden(bug: number): boolean
}

/**
 * A difference between Bugzilla and an installation that was imported from it. docs/compat.md lists them by the same
 * names.
 */
export interface KnownDifference {
  readonly name: string
  readonly says: string
  matches(difference: AnswerDifference, answer: ComparedAnswer): boolean
}

const LINKS: ReadonlySet<string> = new Set(['depends_on', 'blocks', 'dupe_of', 'see_also', 'duplicates'])
const ONLY_HERE: ReadonlySet<string> = new Set(['groups[].users', 'groups[].membership[].disabled_text'])
const OF_THE_HOST: ReadonlySet<string> = new Set(
  ['urlbase', 'attachment_base', 'cookiepath', 'inbound_proxies', 'mailfrom'].map((name) => `parameters.${name}`),
)

export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    name: 'own-sentences',
    says: 'What the tracker adds to a comment about a duplicate or an attachment is in our own words.',
    matches: ({ path, kind, old, new: own }) =>
      path.endsWith('.comments[].text') && kind === 'differs' && withoutSentences(old) === withoutSentences(own),
  },
  {
    name: 'private-summaries',
    says: 'The summary of a private attachment is not shown in a public comment about it.',
    matches: ({ path, kind, old, new: own }) =>
      path.endsWith('.comments[].text') && kind === 'differs' && withoutSummaryOf(old) === withoutSentences(own),
  },
  {
    name: 'hidden-bugs',
    says: 'The number of a bug that a person may not see is left out everywhere.',
    matches: isAboutHiddenBug,
  },
  {
    name: 'yes-and-no',
    says: 'Yes, no and numbers are written as documented: true instead of 1.',
    matches: ({ kind, old, new: own }) => kind === 'differs' && isSameValue(old, own),
  },
  {
    name: 'custom-dates',
    says: 'A custom date is midnight of UTC; Bugzilla returns midnight of its own time zone, in UTC.',
    matches: ({ path, kind, old, new: own }) => /\.cf_\w+$/.test(path) && kind === 'differs' && isSameDay(old, own),
  },
  {
    name: 'addresses',
    says: 'See Also and its history name the address of the new installation.',
    matches: isOtherAddress,
  },
  {
    name: 'split-history',
    says: 'A value that Bugzilla has split over several rows of the history is one again, without the spaces that it adds.',
    matches: ({ path, kind, old, new: own }) =>
      /\.changes\[\]\.(?:added|removed)$/.test(path) && kind === 'differs' && withoutSpace(old) === withoutSpace(own),
  },
  {
    name: 'comment-in-history',
    says: 'The history names a comment by its number only.',
    matches: ({ path, kind }) => path.endsWith('.changes[].comment') && kind === 'missing in new',
  },
  {
    name: 'deleted-contents',
    says: 'The size of an attachment whose content was deleted is 0 instead of null.',
    matches: ({ path, old, new: own }) => path.endsWith('[].size') && old === null && own === 0,
  },
  {
    name: 'lists-of-values',
    says: 'Fields always have values and value_field, and the values of versions, milestones and components are ordered over all products.',
    matches: ({ path, kind }) =>
      (/^fields\[\]\.(?:values|value_field)$/.test(path) && kind === 'only in new') ||
      (path === 'fields[].values[]' && kind === 'in another order'),
  },
  {
    name: 'empty-classifications',
    says: 'A classification without a product that the person sees is not returned.',
    matches: ({ path, kind, old }, { call, differences }) =>
      call === 'field' &&
      path === 'fields[].values[]' &&
      kind === 'missing in new' &&
      isObject(old) &&
      isBare(old) &&
      !differences.some((it) => it.path === path && it.kind === 'only in new'),
  },
  {
    name: 'votes',
    says: 'Bugs have votes only while a product has voting, and the field is always listed.',
    matches: ({ path, old }) => /\.votes$/.test(path) || (path === 'fields[]' && isObject(old) && old.name === 'votes'),
  },
  {
    name: 'parameters-of-one',
    says: 'Each of the two has parameters that the other does not have.',
    matches: ({ path, kind }) =>
      path.startsWith('parameters.') && (kind === 'missing in new' || kind === 'only in new'),
  },
  {
    name: 'parameters-of-the-host',
    says: 'Parameters that describe the old host are not imported.',
    matches: ({ path }) => OF_THE_HOST.has(path),
  },
  {
    name: 'groups-to-bless',
    says: 'A person who may bless no group gets an empty list of groups instead of error 805.',
    matches: ({ kind, old }, { call }) =>
      call === 'group' && kind === 'visible only in new' && String(old).includes('code 805'),
  },
  {
    name: 'more-properties',
    says: 'Members of groups have further properties.',
    matches: ({ path, kind }) => kind === 'only in new' && ONLY_HERE.has(path),
  },
  {
    name: 'saved-report-numbers',
    says: 'Saved reports have other numbers.',
    matches: ({ path, kind, old, new: own }, { differences }) =>
      path.endsWith('.saved_reports[]') &&
      differences.some(
        (it) => it.path === path && it.kind !== kind && isSameReport(old ?? own ?? null, it.old ?? it.new ?? null),
      ),
  },
]

/** Whether two values differ only in how JSON writes them: 1, "1" and true, or a number and its text. */
function isSameValue(old: Json | undefined, own: Json | undefined): boolean {
  if (typeof old === typeof own || typeof old === 'object' || typeof own === 'object') return false
  const [left, right] = [String(old), String(own)]
  const YES_NO = /^(?:0|1|true|false)$/
  if (YES_NO.test(left) && YES_NO.test(right)) return ['1', 'true'].includes(left) === ['1', 'true'].includes(right)
  return left !== '' && right !== '' && Number(left) === Number(right)
}

const [MOST_AHEAD, MOST_BEHIND, QUARTER] = [14 * 3_600_000, -12 * 3_600_000, 900_000]

/** Whether the old time is midnight in some time zone of the day that the new one has. */
function isSameDay(old: Json | undefined, own: Json | undefined): boolean {
  if (typeof old !== 'string' || typeof own !== 'string' || !own.endsWith('T00:00:00Z')) return false
  const offset = Date.parse(own) - Date.parse(old)
  return offset <= MOST_AHEAD && offset >= MOST_BEHIND && offset % QUARTER === 0
}

function isAboutHiddenBug({ path, kind, old, new: own, field }: AnswerDifference, { isHidden }: ComparedAnswer) {
  const isOnlyHidden = (value: Json | undefined) => {
    const numbers = bugNumbersIn(value)
    return numbers.length > 0 && numbers.every(isHidden)
  }
  const property = /([^.[\]]+)(?:\[\])?$/.exec(path)?.[1] ?? ''
  if (path.endsWith('.comments[].text')) return isHiddenDuplicate(old, own, isHidden)
  if (path.endsWith('.comments[]'))
    return kind === 'missing in new' && isObject(old) && isHiddenDuplicate(old.text, 'is not there', isHidden)
  if (path.startsWith('bugs[].history[]')) {
    if (kind === 'missing in new') return changesIn(old).every((change) => isHiddenChange(change, isHidden))
    return LINKS.has(field ?? '') || field?.startsWith('cf_') ? withoutHidden(old, isHidden) === listOf(own) : false
  }
  if (kind === 'missing in new') return LINKS.has(property) && isOnlyHidden(old)
  return own === null && (LINKS.has(property) || property.startsWith('cf_')) && isOnlyHidden(old)
}

function isHiddenDuplicate(old: Json | undefined, own: Json | undefined, isHidden: (bug: number) => boolean) {
  const number = /#(?:duplicate|has) (\d+)$/.exec(withoutSentences(old))?.[1]
  if (number === undefined || !isHidden(Number(number))) return false
  return own === 'is not there' || withoutSentences(old).replace(/\d+$/, 'hidden') === withoutSentences(own)
}

/** The changes of an entry of the history, or the one change. */
function changesIn(value: Json | undefined): { [name: string]: Json }[] {
  if (!isObject(value)) return []
  return Array.isArray(value.changes) ? value.changes.filter(isObject) : [value]
}

function isHiddenChange({ field_name, removed, added }: { [name: string]: Json }, isHidden: (bug: number) => boolean) {
  const numbers = [...bugNumbersIn(removed), ...bugNumbersIn(added)]
  const isLink = LINKS.has(String(field_name)) || String(field_name).startsWith('cf_')
  return isLink && numbers.length > 0 && numbers.every(isHidden)
}

/** Numbers, or addresses of bugs, in a value or a list in one text. */
function bugNumbersIn(value: Json | undefined): number[] {
  if (typeof value === 'number') return [value]
  if (typeof value !== 'string') return []
  return value.split(/,\s*/).flatMap((part) => {
    const number = /^\d+$/.test(part) ? part : bugNumberIn(part)
    return number === undefined ? [] : Number(number)
  })
}

function withoutHidden(value: Json | undefined, isHidden: (bug: number) => boolean): string {
  return partsOf(value)
    .filter((part) => !bugNumbersIn(part).some(isHidden))
    .join()
}

function listOf(value: Json | undefined): string {
  return partsOf(value).join()
}

function partsOf(value: Json | undefined): string[] {
  return typeof value === 'string' ? value.split(/,\s*/).filter((part) => part !== '') : []
}

function isOtherAddress({ path, kind, old, new: own, field }: AnswerDifference, { differences }: ComparedAnswer) {
  if (path.endsWith('.see_also[]'))
    return differences.some((it) => it.path === path && it.kind !== kind && isSameUrl(old ?? own, it.old ?? it.new))
  return field === 'see_also' && kind === 'differs' && isSameUrl(old, own)
}

/** The values of a field without further properties, as of classifications. */
function isBare(value: { [name: string]: Json }) {
  return Array.isArray(value.visibility_values) && value.visibility_values.length === 0 && value.is_active === undefined
}

function isSameReport(one: Json, other: Json) {
  return isObject(one) && isObject(other) && one.name === other.name && one.query === other.query
}

function withoutSpace(value: Json | undefined) {
  return typeof value === 'string' ? value.replaceAll(/\s/g, '') : value
}
