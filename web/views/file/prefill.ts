// What the form begins with: the address, then the draft.
import type { View as Address } from '../../../shared/addresses.ts'
import { readDraft } from '../../core/drafts/drafts.ts'
import { currentAddress, query } from '../../core/router.ts'
import { emptyBug, MORE_FIELDS, type NewBug } from './new-bug.ts'

/** A draft with the address that it was begun at. */
interface Draft extends NewBug {
  address: string
}

export function currentFilingAddress() {
  return `${currentAddress.value.path}?${currentAddress.value.query}`
}

/** What the address says comes before the draft, unless the draft was begun at this address. */
export function firstBug(draftName: string, parts: Address['parts'], base: NewBug = emptyBug()): NewBug {
  const kept = readDraft<Partial<Draft>>(draftName)
  const { address, ...draft } = { address: '', ...base, ...kept }
  return address === currentFilingAddress() ? draft : prefilled(draft, parts)
}

function prefilled(draft: NewBug, parts: Address['parts']): NewBug {
  const asked = (name: string) => query.value.get(name) ?? undefined
  const product = parts.product ?? asked('product') ?? draft.product
  const isOther = product !== draft.product
  return {
    ...draft,
    product,
    component: parts.component ?? asked('component') ?? (isOther ? '' : draft.component),
    version: asked('version') ?? (isOther ? '' : draft.version),
    summary: asked('summary') ?? asked('short_desc') ?? draft.summary,
    description: asked('description') ?? asked('comment') ?? draft.description,
    values: { ...draft.values, ...valuesAsked() },
    ...(isOther && { groups: undefined, flags: [] }),
  }
}

/** Fields of the form by each name that addresses have for them. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ...['severity', 'priority', ...MORE_FIELDS].map((name) => [name, name] as const),
  ['bug_severity', 'severity'],
  ['rep_platform', 'platform'],
  ['dependson', 'depends_on'],
  ['blocked', 'blocks'],
  ['bug_file_loc', 'url'],
  ['status_whiteboard', 'whiteboard'],
])

function valuesAsked(): Record<string, string> {
  const values: Record<string, string> = {}
  for (const name of new Set(query.value.keys())) {
    const field = /^cf_\w+$/.test(name) ? name : NAMES.get(name)
    if (field !== undefined) values[field] = query.value.getAll(name).join(', ')
  }
  return values
}
