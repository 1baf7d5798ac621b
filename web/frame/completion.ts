// Completes the word of a quicksearch that is being typed: names of fields, their values, and people.

import { findField } from '../../shared/bug-fields/field-names.ts'
import { addressOf } from '../../shared/rest-address.ts'
import { me } from '../core/account/session.ts'
import { COMPLETED } from '../core/bugs/field-places.ts'
import { displayOf, type FieldList } from '../core/bugs/fields.ts'
import { lastSeen } from '../core/server/known-answers.ts'
import { get } from '../core/server/rest.ts'
import type { Bug } from '../core/server/types.ts'
import { displayValue } from '../parts/glyphs.tsx'
import { bestFirst, matching } from '../parts/matching.ts'
import { nameOf } from '../parts/person.tsx'

export type SuggestedBug = Pick<Bug, 'id' | 'summary' | 'status' | 'is_open'>

export type Suggestion = (
  | { kind: 'field'; name: string; note: string; text: string }
  | { kind: 'value'; name: string; note: string; text: string }
  | { kind: 'person'; name: string; note: string; text: string; id: number }
  | { kind: 'bug'; name: string; note: string; bug: SuggestedBug }
) & {
  /** Below the last one of a kind: that there are more than are listed. */
  more?: string
}

/** The fields that are offered, each with what is typed for it. */
const FIELDS = COMPLETED.map((field) => {
  const { quickNames: [other] = [], searchName = field } = findField(field) ?? {}
  return [displayOf(field).quickName ?? other ?? searchName, field] as const
})

const MOST = 7
const SHORTEST_NAME = 3

/** The word at the caret: where it begins, its field when it has one, and what is typed of it. */
export interface TypedWord {
  start: number
  field: string | undefined
  typed: string
}

export function wordAt(text: string, caret: number): TypedWord {
  const [word = ''] = /(?:[^\s"]|"[^"]*"?)*$/.exec(text.slice(0, caret)) ?? []
  const [, sign = '', field, typed = ''] = /^(-?)(?:([\w.]+)[:=])?(.*)$/s.exec(word) ?? []
  return { start: caret - word.length + sign.length, field, typed: typed.replaceAll('"', '') }
}

/** The completions of the word; undefined if they are users, whom only the server knows. */
export function completionsOf({ field, typed }: TypedWord, fields: FieldList): readonly Suggestion[] {
  const wanted = typed.toLowerCase()
  if (field !== undefined) return valuesOf(field, wanted, fields)
  if (wanted === '') return []
  const custom = fields.choices.filter((it) => it.is_custom).map(({ name }) => [name, name] as const)
  const found = matching([...FIELDS, ...custom], wanted, ([name]) => [name])
    .filter(([name]) => name.startsWith(wanted))
    .map(
      ([name, inner]): Suggestion => ({
        kind: 'field',
        name: `${name}:`,
        note: fields.label(inner),
        text: `${name}:`,
      }),
    )
  return cut(found, MOST, `${found.length - MOST} more fields. Type more of the name.`)
}

function valuesOf(field: string, wanted: string, fields: FieldList): readonly Suggestion[] {
  const inner = innerName(field)
  if (inner === undefined) return []
  const names = fields.values(inner).flatMap(({ name }) => (name === null || name === '' ? [] : [name]))
  const found = matching(names, wanted, (name) => [displayValue(name), name]).map(
    (name): Suggestion => ({
      kind: 'value',
      name: displayValue(name),
      note: displayValue(name) === name ? '' : name,
      text: `${field}:${quoted(name)} `,
    }),
  )
  return cut(found, MOST, `${found.length - MOST} more values. Type more of the name.`)
}

function cut(found: readonly Suggestion[], most: number, more: string): readonly Suggestion[] {
  const shown = found.slice(0, most)
  const last = shown.pop()
  if (last !== undefined) shown.push(found.length > most ? { ...last, more } : last)
  return shown
}

function innerName(field: string) {
  const begun = field.toLowerCase()
  return (FIELDS.find(([name]) => name === begun) ?? FIELDS.find(([name]) => name.startsWith(begun)))?.[1] ?? field
}

function quoted(value: string) {
  return /^[\w.@-]+$/.test(value) ? value : `"${value.replaceAll('"', '\\"')}"`
}

/** People for a word about a person. */
export async function peopleFor(
  { field, typed }: TypedWord,
  fields: FieldList,
  abort: AbortSignal,
): Promise<readonly Suggestion[]> {
  const who = me.value
  if (field === undefined || who === undefined || fields.kind(innerName(field) ?? '') !== 'person') return []
  const asSuggestion = (person: { id: number; name: string; real_name: string }, note: string): Suggestion => ({
    kind: 'person',
    id: person.id,
    name: nameOf(person),
    note,
    text: `${field}:${quoted(person.name)} `,
  })
  const isMe = `me ${who.name} ${who.real_name}`.toLowerCase().includes(typed.toLowerCase())
  const mine = isMe ? [who] : []
  if (typed.trim().length < SHORTEST_NAME) return mine.map((person) => asSuggestion(person, 'me'))
  const { users } = await get(addressOf('/user/suggest', { match: typed.trim() }), abort)
  const all = [...mine, ...users.filter(({ id }) => id !== who.id)]
  const found = bestFirst(all, typed, (person) => [nameOf(person), person.name])
  const suggestions = found.map((person) => asSuggestion(person, person === who ? 'me' : person.name))
  return cut(suggestions, MOST, 'There are more people. Type more of the name.')
}

const MOST_BUGS = 6

/** The first bugs that the whole line finds. */
export async function bugsFor(text: string, abort: AbortSignal): Promise<readonly Suggestion[]> {
  return asSuggestions(await get(bugSearch(text), abort))
}

/** The same, if the line was searched for before. */
export function bugsSeenFor(text: string): readonly Suggestion[] | undefined {
  const seen = text.trim() === '' ? undefined : lastSeen(bugSearch(text))
  return seen && asSuggestions(seen)
}

function bugSearch(text: string) {
  return addressOf('/bug', {
    quicksearch: text.trim(),
    include_fields: 'id,summary,status,is_open',
    // One more shows whether there are more.
    limit: MOST_BUGS + 1,
    order: 'changeddate DESC',
  })
}

function asSuggestions({ bugs = [] }: { bugs?: readonly SuggestedBug[] }): readonly Suggestion[] {
  const found = bugs.map((bug): Suggestion => ({ kind: 'bug', name: bug.summary, note: String(bug.id), bug }))
  return cut(found, MOST_BUGS, 'There are more bugs. Enter lists them.')
}
