import type { SignedIn } from '../../access/caller.ts'
import { isTimeTracker } from '../../access/visibility/reader.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { BugProduct } from '../values/bug-location.ts'
import { IGNORED_PARAMS } from './create-params.ts'

interface Filer {
  caller: SignedIn
  settings: Settings
}

type Chooser = (filer: Filer, product: BugProduct) => boolean

const editors: Chooser = (_, { hasEditbugs }) => hasEditbugs
const confirmers: Chooser = (_, { hasEditbugs, hasCanconfirm }) => hasEditbugs || hasCanconfirm
const timeTrackers: Chooser = ({ caller, settings }) => isTimeTracker(caller, settings)

/** The fields of a new bug that not every caller chooses. Others get the default. */
const CHOOSERS = {
  priority: ({ settings }) => settings.letsubmitterchoosepriority,
  status: confirmers,
  resolution: confirmers,
  assigned_to: editors,
  qa_contact: editors,
  depends_on: editors,
  blocks: editors,
  deadline: timeTrackers,
  estimated_time: timeTrackers,
} as const satisfies Record<string, Chooser>

type ChoosableField = keyof typeof CHOOSERS

type SentBug = { [Field in ChoosableField]?: unknown } & {
  comment?: string | undefined
  description: string
  custom: Readonly<Record<string, unknown>>
}

export function mayChoose(field: ChoosableField, filer: Filer, product: BugProduct) {
  return CHOOSERS[field](filer, product)
}

/** What the caller sent without an effect. The response names it, because a program would not notice the loss. */
export function ignoredIn(filer: Filer, product: BugProduct, wanted: SentBug): string[] {
  const unchosen = FIELDS.filter((field) => isSent(wanted[field]) && !mayChoose(field, filer, product))
  const fixed = [...FIXED].filter((name) => isSent(wanted.custom[name]))
  const isOtherText = isSent(wanted.comment) && wanted.comment !== wanted.description
  return [...unchosen, ...fixed, ...(isOtherText ? ['comment'] : [])].sort()
}

const FIELDS = Object.keys(CHOOSERS) as ChoosableField[]

/** Every call accepts these two. */
const FIXED = IGNORED_PARAMS.difference(new Set(['include_fields', 'exclude_fields']))

function isSent(value: unknown) {
  if (Array.isArray(value)) return value.length > 0
  return value !== undefined && value !== null && value !== '' && Number(value) !== 0
}
