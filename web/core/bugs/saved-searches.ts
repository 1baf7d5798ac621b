// Searches under a name, and the mail that is sent about them.
import { addressOf } from '../../../shared/rest-address.ts'
import { me } from '../account/session.ts'
import { put, remove } from '../server/rest.ts'

export interface SavedSearch {
  id: number
  name: string
  query: string
  owner_id: number
  owner: string
  shared_with: string | null
  /** Groups whose members do not see it at present, with the reason. */
  paused_shares: { group: string; reason: string }[]
  sort_key: number
}

export const MAILS_CALL = addressOf('/scheduled_mail')

export function isOwn({ owner_id: owner }: SavedSearch) {
  return owner === me.value?.id
}

/** How a list is shown, which is saved with what it searches for. */
export const LOOK_PARAMETERS = ['order', 'columns', 'group', 'view', 'by'] as const

/** The parameters that run the search, as its owner has it now, and show it as it was saved. */
export function parametersOf(search: SavedSearch): URLSearchParams {
  return new URLSearchParams({
    savedsearch: search.name,
    ...(!isOwn(search) && { sharer_id: String(search.owner_id) }),
    ...lookOf(search),
  })
}

export function lookOf(search: SavedSearch): Record<string, string> {
  const query = new URLSearchParams(search.query)
  return Object.fromEntries(LOOK_PARAMETERS.flatMap((name) => (query.get(name) ? [[name, query.get(name) ?? '']] : [])))
}

/** Whether the reader may have searches mailed. */
export function maySchedule(): boolean {
  return me.value?.groups.includes('bz_canusewhines') ?? false
}

/** Mail about saved searches at chosen times. */
export interface ScheduledMail {
  id: number
  searches: { search: string; title: string; one_mail_per_bug: boolean }[]
  schedules: { day: string; time: string }[]
}

/** The mail that is about one search alone, which the pages make and change. */
export function mailAbout(mails: readonly ScheduledMail[], name: string): ScheduledMail | undefined {
  return mails.find(({ searches }) => searches.length === 1 && searches[0]?.search === name)
}

/** A search that is mailed cannot be deleted, so its mail goes first. */
export async function deleteSearch({ id, name }: SavedSearch, mails: readonly ScheduledMail[]) {
  const mail = mailAbout(mails, name)
  if (mail !== undefined) await remove('/scheduled_mail/:id', { id: mail.id })
  await remove('/saved_search/:id', { id })
}

/** Moves a search one place up or down. Only the searches whose place changes are saved. */
export async function moveSearch(own: readonly SavedSearch[], search: SavedSearch, step: 1 | -1) {
  const from = own.indexOf(search)
  const next = own.with(from, own[from + step] ?? search).with(from + step, search)
  for (const [place, { id, sort_key: key }] of next.entries())
    if (key !== place + 1) await put('/saved_search/:id', { id, sort_key: place + 1 })
}
