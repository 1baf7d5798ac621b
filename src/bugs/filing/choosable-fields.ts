import type { ChosenBy } from '../../../shared/bug-fields/bug-field.ts'
import { BUG_FIELDS } from '../../../shared/bug-fields/bug-fields.ts'
import type { SignedIn } from '../../access/caller.ts'
import { isTimeTracker } from '../../access/visibility/reader-rights.ts'
import type { Settings } from '../../platform/config/settings.ts'
import { type QuestionParams, unusedQuestionParams, wantedQuestions } from '../flags/questions/wanted-questions.ts'
import type { BugProduct } from '../values/bug-location.ts'
import { IGNORED_PARAMS } from './create-params.ts'

interface Filer {
  caller: SignedIn
  settings: Settings
}

type Chooser = (filer: Filer, product: BugProduct | undefined) => boolean

const CHOOSERS: Readonly<Record<ChosenBy, Chooser>> = {
  'reporters if they choose': ({ settings }) => settings.letsubmitterchoosepriority,
  confirmers: (_, product) => product !== undefined && (product.hasEditbugs || product.hasCanconfirm),
  editors: (_, product) => product?.hasEditbugs === true,
  'time trackers': ({ caller, settings }) => isTimeTracker(caller, settings),
}

/** The fields of a new bug that not every caller chooses. For others they have the default. */
const CHOOSABLE_FIELDS = BUG_FIELDS.filter((field) => 'chosenBy' in field)

type ChoosableField = (typeof CHOOSABLE_FIELDS)[number]['name']

type SentBug = { [Field in ChoosableField]?: unknown } & {
  comment?: string | undefined
  description: string
  custom: Readonly<Record<string, unknown>>
} & QuestionParams

/** Whether the caller chooses the value of this field. Until the product is known, its rights count as missing. */
export function mayChoose(field: string, filer: Filer, product: BugProduct | undefined) {
  const chosenBy = CHOOSABLE_FIELDS.find(({ name }) => name === field)?.chosenBy
  return chosenBy === undefined || CHOOSERS[chosenBy](filer, product)
}

/** What the caller sent without an effect. The response names it, because a program would not notice the loss. */
export function ignoredIn(filer: Filer, product: BugProduct, wanted: SentBug): string[] {
  const unchosen = CHOOSABLE_FIELDS.map(({ name }) => name).filter(
    (name) => isSent(wanted[name]) && !mayChoose(name, filer, product),
  )
  const fixed = [...FIXED].filter((name) => isSent(wanted.custom[name]))
  const isOtherText = isSent(wanted.comment) && wanted.comment !== wanted.description
  const unused = unusedQuestionParams(wanted, wantedQuestions(wanted, true))
  return [...unchosen, ...fixed, ...unused, ...(isOtherText ? ['comment'] : [])].sort()
}

/** Every call accepts these two. */
const FIXED = IGNORED_PARAMS.difference(new Set(['include_fields', 'exclude_fields']))

function isSent(value: unknown) {
  if (Array.isArray(value)) return value.length > 0
  return value !== undefined && value !== null && value !== '' && Number(value) !== 0
}
