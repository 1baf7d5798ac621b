import type { FlagFact } from '../../../bugs/flags/flag-changes.ts'
import type { Addressee, FlagNotice, RequestTopic } from '../mail-job.ts'

interface Request {
  to: Addressee
  as: RequestTopic['as']
  told: FlagNotice
}

/**
 * The recipients of mail about a flag: a new requestee; the user who had asked, once there is an answer or the request
 * is gone; and the addresses of the flag type, for every change.
 */
export function requestsIn(flag: FlagFact, addresses: readonly string[]): Request[] {
  const told = { name: flag.name, before: flag.before, after: flag.after, attachmentId: flag.attachment_id }
  const isAsked = statusOf(flag.name, flag.after) === '?'
  const wasAsked = statusOf(flag.name, flag.before) === '?'
  const requests: Request[] = []
  if (isAsked && flag.requestee_id !== null && flag.before !== flag.after)
    requests.push({ to: { userId: flag.requestee_id }, as: 'requestee', told })
  if (wasAsked && !isAsked) requests.push({ to: { userId: flag.setter_id }, as: 'asker', told })
  return [...requests, ...addresses.map((address): Request => ({ to: { address }, as: 'listed', told }))]
}

/** A flag as text is its name, its status, and perhaps the requestee. */
function statusOf(name: string, words: string | null) {
  return words?.charAt(name.length)
}
