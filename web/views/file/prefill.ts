// What the form begins with: the address, then the draft.
import type { View as Address } from '../../../shared/addresses.ts'
import { restNameOf } from '../../../shared/bug-fields/field-names.ts'
import { MAIN_FORM, MORE_FORM } from '../../core/bugs/field-places.ts'
import { readDraft } from '../../core/drafts/drafts.ts'
import { currentAddress, query } from '../../core/router.ts'
import { emptyBug, type NewBug } from './new-bug.ts'

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

const IN_FORM: ReadonlySet<string> = new Set([...MAIN_FORM, ...MORE_FORM])

/** Addresses have either name of a field. */
function fieldInForm(name: string) {
  const field = restNameOf(name)
  return IN_FORM.has(field) || /^cf_\w+$/.test(name) ? field : undefined
}

function valuesAsked(): Record<string, string> {
  const values: Record<string, string> = {}
  for (const name of new Set(query.value.keys())) {
    const field = fieldInForm(name)
    if (field !== undefined) values[field] = query.value.getAll(name).join(', ')
  }
  return values
}
