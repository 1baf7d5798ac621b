// Saving one value at once. If another user changed the bug meanwhile, changes of other fields are kept; a change of the same field is
// shown beside the reader's value, and nothing is overwritten.

import { addressOf } from '../../../../shared/rest-address.ts'
import { isNothing, isOfUsers } from '../../../core/bugs/fields.ts'
import { loadPeople, personBy } from '../../../core/bugs/people.ts'
import { get, isRefusedFor, NoConnection, put } from '../../../core/server/rest.ts'
import type { Bug } from '../../../core/server/types.ts'
import { showFault, showToast } from '../../../core/toasts.ts'
import { displayValue } from '../../../parts/glyphs.tsx'
import { nameOf } from '../../../parts/person.tsx'
import type { BugStore } from '../bug-store.ts'
import { valueIn } from './field-names.ts'

export interface SaveTarget {
  name: string
  label: string
}

const MOST_ATTEMPTS = 4
const SAVED_MILLISECONDS = 1000
/** A change of these changes what the reader may do. */
const ABOUT_RIGHTS = ['product', 'component', 'assigned_to', 'qa_contact', 'groups']

/** `base` is the value that the reader saw when they began to change it. */
export async function saveValue(store: BugStore, target: SaveTarget, value: unknown, base: unknown): Promise<void> {
  const { name, label } = target
  store.unsaved.value = { ...store.unsaved.value, [name]: value } as Partial<Bug>
  try {
    const isAsSeen = () => isSame(valueIn(store.bug.value as Bug, name), base)
    if (!(await putUnlessChanged(store, () => ({ [name]: value }), isAsSeen)))
      return await showConflict(store, target, value)
    await store.reload()
    store.setConflict(name, undefined)
    markSaved(store, name)
    showToast({
      kind: 'done',
      text: `${label} is now ${valueInWords(name, value)}.`,
      action: { name: 'Undo', run: () => saveValue(store, target, base ?? '', value) },
    })
  } catch (fault) {
    showNotSaved(fault, () => saveValue(store, target, value, base))
  } finally {
    const { [name as keyof Bug]: _, ...others } = store.unsaved.value
    store.unsaved.value = others
  }
}

/**
 * Returns false if another user changed the same field; then nothing is saved. The body is built again when another user has changed
 * something else.
 */
export async function putUnlessChanged(store: BugStore, body: () => object, isAsSeen: () => boolean): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    if (!isAsSeen()) return false
    try {
      await put(
        '/bug/:ref',
        { ref: store.id, ...body() },
        store.version === undefined ? {} : { 'If-Match': store.version },
      )
      return true
    } catch (fault) {
      if (!isRefusedFor(fault, 'changed_meanwhile') || attempt === MOST_ATTEMPTS) throw fault
      await store.reload()
    }
  }
}

/** Who changed one of these fields last. The history of the page may be older than its values, which are kept up to date. */
export async function lastEditor(store: BugStore, names: readonly string[]): Promise<string | undefined> {
  const { bugs } = await get(addressOf('/bug/:ref/history', { ref: store.id })).catch(() => ({ bugs: [] }))
  const history = bugs[0]?.history ?? store.history.value
  const who = history.findLast(({ changes }) => changes.some((it) => names.includes(it.field_name)))?.who
  if (who !== undefined) await loadPeople([who]).catch(() => undefined)
  return who
}

async function showConflict(store: BugStore, target: SaveTarget, value: unknown) {
  const theirs = valueIn(store.bug.value as Bug, target.name)
  const who = await lastEditor(store, [target.name])
  store.setConflict(target.name, {
    label: target.label,
    theirs: valueInWords(target.name, theirs),
    mine: valueInWords(target.name, value),
    who,
    setMine: () => {
      store.setConflict(target.name, undefined)
      void saveValue(store, target, value, theirs)
    },
  })
}

export interface ListChange {
  add?: string[]
  remove?: string[]
}

/** Adds to a list, or removes from it. Changes of other users to the same list are kept. */
export async function changeList(store: BugStore, target: SaveTarget, change: ListChange): Promise<void> {
  const { name, label } = target
  try {
    await putList(store, name, change)
    await store.reload()
    markSaved(store, name)
    const { add = [], remove = [] } = change
    const parts = [
      ...add.map((it) => `+ ${valueInWords(name, it)}`),
      ...remove.map((it) => `− ${valueInWords(name, it)}`),
    ]
    showToast({
      kind: 'done',
      text: `${label}: ${parts.join(', ')}`,
      action: { name: 'Undo', run: () => changeList(store, target, { add: remove, remove: add }) },
    })
  } catch (fault) {
    showNotSaved(fault, () => changeList(store, target, change))
  }
}

/** The API takes the values of a custom field only as a whole, so that they are put together with those that others have set. */
async function putList(store: BugStore, name: string, change: ListChange): Promise<void> {
  if (name === 'tags') await put('/bug/:ref/tags', { ref: store.id, ...change })
  else if (!name.startsWith('cf_')) await put('/bug/:ref', { ref: store.id, [name]: change })
  else
    await putUnlessChanged(
      store,
      () => ({ [name]: listAfter(store, name, change) }),
      () => true,
    )
}

function listAfter(store: BugStore, name: string, { add = [], remove = [] }: ListChange): string[] {
  const now = (valueIn(store.bug.value as Bug, name) ?? []) as string[]
  return [...new Set([...now.filter((item) => !remove.includes(item)), ...add])]
}

function markSaved(store: BugStore, name: string) {
  if (ABOUT_RIGHTS.includes(name)) store.forgetAccess()
  store.saved.value = name
  setTimeout(() => {
    if (store.saved.value === name) store.saved.value = undefined
  }, SAVED_MILLISECONDS)
}

export function showNotSaved(fault: unknown, retry: () => void) {
  if (!(fault instanceof NoConnection)) return showFault(fault)
  showToast({
    kind: 'failed',
    text: 'Not saved. The server does not answer.',
    action: { name: 'Try again', run: retry },
  })
}

function isSame(one: unknown, other: unknown) {
  return JSON.stringify(one ?? '') === JSON.stringify(other ?? '')
}

/** A value in the words of a sentence. */
export function valueInWords(name: string, value: unknown): string {
  if (isNothing(name, value)) return 'none'
  if (Array.isArray(value))
    return value.length === 0 ? 'none' : value.map((item) => valueInWords(name, item)).join(', ')
  if (isOfUsers(name)) return nameOf(personBy(String(value)))
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : displayValue(String(value))
}
