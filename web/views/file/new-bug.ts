// A bug that is being written: what is in the form, and what is sent.

import { parameters, usesMarkdown } from '../../core/account/session.ts'
import { isList } from '../../core/bugs/fields.ts'
import { randomName } from '../../core/server/rest.ts'
import type { Bug, CustomValue, Field, FieldValue } from '../../core/server/types.ts'
import { isShownOn, valuesFor } from '../bug/properties/field-names.ts'
import { type FormContext, itemsIn, valuesOnceFiled } from './values-once-filed.ts'

export interface NewFlag {
  type_id: number
  requestee: string
}

export interface NewBug {
  /** Names the draft in its idempotency key, so that it is filed once. */
  draft: string
  product: string
  component: string
  version: string
  summary: string
  description: string
  /** The template that the description began with, and the product that was chosen then. */
  template: string
  templateOf: string
  /** Every other field, under the name that the API has for it; lists with commas. */
  values: Record<string, string>
  /** Undefined leaves the groups to the server. */
  groups?: readonly string[] | undefined
  flags: readonly NewFlag[]
}

export function emptyBug(): NewBug {
  return {
    draft: randomName(),
    product: '',
    component: '',
    version: '',
    summary: '',
    description: '',
    template: '',
    templateOf: '',
    values: {},
    flags: [],
  }
}

/** Nothing was written or chosen yet. */
export function isEmpty({ product, summary, description, values, flags }: NewBug): boolean {
  return `${product}${summary}${description}` === '' && Object.keys(values).length === 0 && flags.length === 0
}

/** The next bug of the same kind: the same fields, without the summary, the description and the alias. */
export function anotherLike(bug: NewBug): NewBug {
  const { alias: _, ...values } = bug.values
  return { ...bug, draft: randomName(), summary: '', description: bug.template, values }
}

const LONGEST_SUMMARY = 255

/** The errors in the form, by field. The server checks again. */
export function faultsIn(bug: NewBug, needed: readonly Field[]): Map<string, string> {
  const faults = new Map<string, string>()
  if (bug.product === '') faults.set('product', 'Choose a product.')
  if (bug.component === '') faults.set('component', 'Choose a component.')
  if (bug.version === '') faults.set('version', 'Choose the version in which it happens.')
  if (bug.summary.trim() === '') faults.set('summary', 'Say in one line what happens, and where.')
  if ([...bug.summary].length > LONGEST_SUMMARY)
    faults.set('summary', `At most ${LONGEST_SUMMARY} characters; the rest belongs into the description.`)
  for (const { name, display_name } of needed)
    if ((bug.values[name] ?? '') === '') faults.set(name, `${display_name} is needed.`)
  return faults
}

/** With the names that a filed bug has, to see which fields and values belong to it. */
function asFiled({ product, component, version, values }: NewBug, context: FormContext): Bug {
  return { ...valuesOnceFiled(values, context, parameters.value), product, component, version } as unknown as Bug
}

/** The custom fields that the form has: those for new bugs whose condition holds. */
export function customFieldsFor(bug: NewBug, context: FormContext): Field[] {
  const filed = asFiled(bug, context)
  return context.fields.filter((field) => field.is_custom && field.is_on_bug_entry && isShownOn(filed, field))
}

export function valuesOffered(bug: NewBug, field: Field, context: FormContext): FieldValue[] {
  return valuesFor(asFiled(bug, context), field)
}

const MULTI_SELECT = 3
const TIME = 5

/** As POST /rest/bug takes it. Empty fields are left to their defaults. */
export function bodyOf(bug: NewBug, custom: readonly Field[]): Record<string, unknown> {
  const types = new Map(custom.map(({ name, type }) => [name, type]))
  const body: Record<string, unknown> = {
    product: bug.product,
    component: bug.component,
    version: bug.version,
    summary: bug.summary.trim(),
    description: bug.description,
    ...(usesMarkdown.value && { is_markdown: true }),
    ...(bug.groups && { groups: bug.groups }),
    ...(bug.flags.length > 0 && { flags: bug.flags.map(asSent) }),
  }
  for (const [name, text] of Object.entries(bug.values)) {
    if (text === '' || (name.startsWith('cf_') && !types.has(name))) continue
    body[name] = sentValue(text, isList(name) ? MULTI_SELECT : types.get(name))
  }
  return body
}

function asSent({ type_id, requestee }: NewFlag) {
  return { type_id, status: '?', new: true, ...(requestee !== '' && { requestee }) }
}

function sentValue(text: string, type: number | undefined): CustomValue {
  if (type === MULTI_SELECT) return itemsIn(text)
  const time = type === TIME ? new Date(text) : undefined
  return time === undefined || Number.isNaN(time.getTime()) ? text : time.toISOString()
}

/** The same draft with the same content is filed once, however often it is sent. */
export function keyOf(bug: NewBug, body: object) {
  let hash = 0
  for (const character of JSON.stringify(body)) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) | 0
  return { 'Idempotency-Key': `${bug.draft}-${(hash >>> 0).toString(16)}` }
}
