// Searches that several pages make.
import { shortSearch } from '../../first-calls.ts'

/** Bugs with a request that this user has made. */
export function requestsMadeCall(login: string, most: number) {
  const asked = { f1: 'setters.login_name', o1: 'equals', v1: login, f2: 'flagtypes.name', o2: 'substring', v2: '?' }
  return shortSearch({ ...asked, order: 'changeddate DESC' }, most)
}

/** Bugs with a request that names no user: anybody who may answer it can. */
export function openRequestsCall(most: number) {
  const asked = { f1: 'flagtypes.name', o1: 'substring', v1: '?', f2: 'requestees.login_name', o2: 'isempty', v2: '' }
  return shortSearch({ ...asked, order: 'changeddate DESC' }, most)
}

export function reportedBugsCall(login: string, most: number) {
  return shortSearch({ creator: login, order: 'changeddate DESC' }, most)
}
