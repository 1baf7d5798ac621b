import type { FlagFact } from '../../../bugs/flags/flag-changes.ts'
import type { Addressee, FlagNotice, RequestTopic } from '../mail-job.ts'

interface Request {
  to: Addressee
  as: RequestTopic['as']
  told: FlagNotice
}

/**
 * Who is told of a flag in particular: whoever is newly asked, whoever had asked once there is an answer or the question is gone, and
 * the addresses of the flag type, which hear of all that becomes of it.
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

/** A flag in words is its name, its status, and perhaps who is asked. */
function statusOf(name: string, words: string | null) {
  return words?.charAt(name.length)
}
