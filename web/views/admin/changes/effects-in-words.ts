import type { Answer } from '../../../../client/call-types.ts'
import { nameInSentence } from '../../../core/name-in-sentence.ts'

export type Effects = Answer<'PUT /admin/changes'>['effects']
export type ChangedObject = Pick<Effects['changes'][number], 'class' | 'id'>

/** One sentence of what happens. */
export interface Effect {
  text: string
  /** The bugs that it is about. */
  address?: string | undefined
  /** Somebody could lose something by it. */
  isGrave?: boolean
}

/** What a changed object is called, and the address of its bugs. */
export interface NamedObject {
  name: string
  bugs?: string
}

/** What the server answers to a dry run, in sentences, the gravest first. Objects without a name are left out. */
export function effectsInWords(effects: Effects, nameOf: (object: ChangedObject) => NamedObject | undefined): Effect[] {
  const {
    bugs_deleted = 0,
    bugs_changed = 0,
    searches_changed = 0,
    restrictions = [],
    members = [],
    hidden = [],
    removals = [],
    milliseconds = 0,
  } = effects
  const found: Effect[] = []
  if (bugs_deleted > 0)
    found.push({ text: `${count(bugs_deleted, 'bug')} deleted, with all comments and attachments.`, isGrave: true })
  for (const it of removals) found.push(...stepsInWords(it, nameOf))
  for (const { group, added, removed } of restrictions) {
    if (removed > 0)
      found.push({
        text: `${count(removed, 'bug')} no longer restricted to ${nameInSentence(group)}: more people can see ${them(removed)}.`,
        address: bugsOfGroup(group),
        isGrave: true,
      })
    if (added > 0)
      found.push({
        text: `${count(added, 'bug')} restricted to ${nameInSentence(group)}: others no longer see ${them(added)}.`,
        isGrave: true,
      })
  }
  for (const { group, before, after } of members)
    found.push({
      text: `${nameInSentence(group)} has ${after === 1 ? '1 member' : `${after.toLocaleString()} members`} instead of ${before.toLocaleString()}.`,
      isGrave: after < before,
    })
  for (const { field, display_name, value, bugs } of hidden) {
    const what =
      value === undefined
        ? `a value in ${nameInSentence(display_name)}`
        : `${nameInSentence(value)} in ${nameInSentence(display_name)}`
    const address =
      value === undefined ? undefined : `/bugs?${new URLSearchParams({ f1: field, o1: 'equals', v1: value })}`
    found.push({
      text: `${bugs === 1 ? '1 bug keeps' : `${bugs.toLocaleString()} bugs keep`} ${what} where it is not shown.`,
      address,
    })
  }
  found.push(...usesIn(effects, nameOf))
  if (bugs_changed > 0)
    found.push({
      text: `${bugs_changed === 1 ? '1 bug gets' : `${bugs_changed.toLocaleString()} bugs get`} a line in the history.`,
    })
  if (searches_changed > 0)
    found.push({
      text: `${searches_changed === 1 ? '1 saved search follows' : `${searches_changed.toLocaleString()} saved searches follow`} a new name.`,
    })
  if (milliseconds >= NOTICED_MILLISECONDS)
    found.push({
      text: `It takes about ${Math.round(milliseconds / 1000)} seconds. What others save meanwhile has to wait: choose a quiet hour.`,
      isGrave: true,
    })
  return found
}

/** What goes on after it is saved. */
function stepsInWords(
  { class: className, id, name, replaced_with, bugs }: NonNullable<Effects['removals']>[number],
  nameOf: (object: ChangedObject) => NamedObject | undefined,
): Effect[] {
  const address = nameOf({ class: className, id })?.bugs
  const text =
    replaced_with !== null
      ? `${bugs.toLocaleString()} bugs get ${nameInSentence(replaced_with)} instead of ${nameInSentence(name)}.`
      : className === 'Tracker::Milestone'
        ? `${bugs.toLocaleString()} bugs get the default milestone instead of ${nameInSentence(name)}.`
        : `${count(bugs, 'bug')} deleted, with all comments and attachments.`
  const how =
    'They are so many that it goes on after you have saved, some bugs at a time, while others work. You can stop it on the way; what is done stays done.'
  return [{ text, address, isGrave: true }, { text: how }]
}

/** From here on people notice that what they save has to wait. */
const NOTICED_MILLISECONDS = 1500

/** How many bugs have what is changed. */
function usesIn(
  { changes, removals = [] }: Effects,
  nameOf: (object: ChangedObject) => NamedObject | undefined,
): Effect[] {
  const seen = new Set(removals.map(({ class: className, id }) => `${className} ${id}`))
  return changes.flatMap((change) => {
    const object = `${change.class} ${change.id}`
    if (change.bugs === undefined || change.bugs === 0 || seen.has(object)) return []
    seen.add(object)
    if (change.field === 'replaced_with') {
      const bugs = change.bugs === 1 ? '1 bug gets' : `${change.bugs.toLocaleString()} bugs get`
      return [
        {
          text: `${bugs} ${nameInSentence(change.added)} instead of ${nameInSentence(change.removed)}.`,
          address: nameOf(change)?.bugs,
          isGrave: true,
        },
      ]
    }
    const named = nameOf(change)
    if (named === undefined) return []
    const isRemoved = change.field === '__remove__'
    const verb = isRemoved ? ['loses', 'lose'] : ['has', 'have']
    const text = `${change.bugs === 1 ? `1 bug ${verb[0]}` : `${change.bugs.toLocaleString()} bugs ${verb[1]}`} ${nameInSentence(named.name)}.`
    return [{ text, address: named.bugs, isGrave: isRemoved }]
  })
}

function count(number: number, noun: string) {
  return number === 1 ? `1 ${noun} is` : `${number.toLocaleString()} ${noun}s are`
}

function them(number: number) {
  return number === 1 ? 'it' : 'them'
}

function bugsOfGroup(group: string) {
  return `/bugs?${new URLSearchParams({ f1: 'bug_group', o1: 'equals', v1: group })}`
}

/** The refusal of one of several calls, with what the reader calls it instead of its place in the list. */
export function refusalInWords(message: string, titles: readonly (readonly string[])[]): string {
  const [, place, rest] = /^Change (\d+), [A-Z]+ \S*: (.*)$/s.exec(message) ?? []
  const named = place === undefined ? undefined : titles[Number(place) - 1]
  if (named === undefined || rest === undefined) return message
  const title = named.join(', ')
  const saysIt = rest.replaceAll(/[“”]/g, '').toLowerCase().startsWith(`the ${title.toLowerCase()} `)
  return saysIt ? rest : `${sentence(title)}: ${rest}`
}

function sentence(text: string) {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
