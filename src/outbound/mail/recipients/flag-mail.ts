import type { FlagFact } from '../../../bugs/flags/flag-changes.ts'
import type { AddresseeRef, FlagNotice, RequestTopic } from '../mail-job.ts'

interface FlagRecipient {
  to: AddresseeRef
  as: RequestTopic['as']
  notice: FlagNotice
}

/**
 * The recipients of mail about a flag: a new requestee; the user who had asked, once there is an answer or the request
 * is gone; and the addresses of the flag type, for every change.
 */
export function flagRecipients(flag: FlagFact, addresses: readonly string[]): FlagRecipient[] {
  const notice = { name: flag.name, before: flag.before, after: flag.after, attachmentId: flag.attachment_id }
  const isAsked = statusInFlagText(flag.name, flag.after) === '?'
  const wasAsked = statusInFlagText(flag.name, flag.before) === '?'
  const requests: FlagRecipient[] = []
  if (isAsked && flag.requestee_id !== null && flag.before !== flag.after)
    requests.push({ to: { userId: flag.requestee_id }, as: 'requestee', notice: notice })
  if (wasAsked && !isAsked) requests.push({ to: { userId: flag.setter_id }, as: 'asker', notice: notice })
  return [
    ...requests,
    ...addresses.map((address): FlagRecipient => ({ to: { address }, as: 'listed', notice: notice })),
  ]
}

/** A flag as text is its name, its status, and perhaps the requestee. */
function statusInFlagText(name: string, text: string | null) {
  return text?.charAt(name.length)
}
