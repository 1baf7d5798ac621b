// Searches that several pages make.
import { SHORT_FIELDS } from '../addresses.ts'

/** Open bugs that somebody works on. */
export function openBugsOf(login: string, most: number) {
  return searchCall({ assigned_to: login, bug_status: '__open__', order: 'priority,changeddate DESC' }, most)
}

/** Bugs with a flag that somebody is asked for. */
export function requestsOf(login: string, most: number) {
  return searchCall({ f1: 'requestees.login_name', o1: 'equals', v1: login, order: 'changeddate DESC' }, most)
}

/** Bugs with a flag that somebody has asked others for. */
export function requestsBy(login: string, most: number) {
  const asked = { f1: 'setters.login_name', o1: 'equals', v1: login, f2: 'flagtypes.name', o2: 'substring', v2: '?' }
  return searchCall({ ...asked, order: 'changeddate DESC' }, most)
}

export function reportedBy(login: string, most: number) {
  return searchCall({ creator: login, order: 'changeddate DESC' }, most)
}

function searchCall(search: Record<string, string>, most: number) {
  return `/rest/bug?${new URLSearchParams({ ...search, limit: String(most), include_fields: SHORT_FIELDS })}`
}
