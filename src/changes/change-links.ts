import type { BugTransaction } from '../platform/database/db.ts'
import { addJobs } from '../platform/database/new-jobs.ts'

/** The queue of what arrives from sources of code, of links back to them, and of attachments that are addresses of changes. */
export const CODE_QUEUE = 'code'

/** The content types of attachments that are addresses of changes under review, by the kind of their source. Two are BMO's. */
export const CHANGE_LINK_TYPES = {
  github: 'text/x-github-pull-request',
  phabricator: 'text/x-phabricator-request',
  gitlab: 'text/x-gitlab-merge-request',
  forgejo: 'text/x-forgejo-pull-request',
  gerrit: 'text/x-gerrit-change',
} as const

/** compat: as in BMO, a short text that is nothing but such an address becomes a link, if its content type is text/plain. */
const ADDRESSES: readonly (readonly [type: string, address: RegExp])[] = [
  [CHANGE_LINK_TYPES.github, /^https:\/\/github\.com\/[\w.-]{1,100}\/[\w.-]{1,100}\/pull\/\d{1,10}(?:[/?#]\S*)?$/],
  [CHANGE_LINK_TYPES.gitlab, /^https:\/\/[\w.:-]+\/[\w./-]+\/-\/merge_requests\/\d{1,10}(?:[/?#]\S*)?$/],
  [CHANGE_LINK_TYPES.gerrit, /^https:\/\/[\w.:-]+\/(?:[\w./-]+\/)?c\/[\w./-]+\/\+\/\d{1,10}(?:[/?#]\S*)?$/],
  ['text/x-google-doc', /^https:\/\/docs\.google\.com\/(?:document|presentation|spreadsheets)\/\S+$/],
]

const LONGEST_ADDRESS = 256

/** The content type of a file that was sent as text/plain. */
export function typeOfPlainText(bytes: Buffer): string {
  const text = bytes.length > LONGEST_ADDRESS ? '' : bytes.toString('utf8').trim()
  return ADDRESSES.find(([, address]) => address.test(text))?.[0] ?? 'text/plain'
}

/** An attachment that may be the address of a change, or is none any more. */
export interface AttachedLinkJob {
  attachmentId: number
}

const TYPES: readonly string[] = Object.values(CHANGE_LINK_TYPES)

/** Has the state of the change read, if a source has a token for it. To be called in the transaction that changes the attachment. */
export async function noteChangeLink(tx: BugTransaction, attachmentId: number, contentTypes: readonly string[]) {
  if (!contentTypes.some((type) => TYPES.includes(type))) return
  await addJobs(tx, [{ queue: CODE_QUEUE, lane: 'attachments', payload: { attachmentId } satisfies AttachedLinkJob }])
}
