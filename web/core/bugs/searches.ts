// Searches that several pages make.
import { shortSearch } from '../../../shared/first-calls.ts'

/** The bugs on which one flag is a request and meets the other condition as well. */
function flagRequestsCall(condition: { f2: string; o2: string; v2: string }, most: number) {
  const isRequest = { f1: 'flagtypes.name', o1: 'substring', v1: '?' }
  return shortSearch({ j_top: 'AND_G', ...isRequest, ...condition, order: 'changeddate DESC' }, most)
}

/** Bugs with a request that this user has made. */
export function requestsMadeCall(login: string, most: number) {
  return flagRequestsCall({ f2: 'setters.login_name', o2: 'equals', v2: login }, most)
}

/** Bugs with a request that names no user: anybody who may answer it can. */
export function openRequestsCall(most: number) {
  return flagRequestsCall({ f2: 'requestees.login_name', o2: 'isempty', v2: '' }, most)
}

export function reportedBugsCall(login: string, most: number) {
  return shortSearch({ creator: login, order: 'changeddate DESC' }, most)
}
