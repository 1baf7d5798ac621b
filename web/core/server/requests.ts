// Requests: flags with a question mark, on bugs and on their attachments.
import type { SHORT_FIELDS } from '../../../shared/first-calls.ts'
import { type Address, addressOf } from '../../../shared/rest-address.ts'
import { get } from './rest.ts'
import type { Attachment, Bug, Flag } from './types.ts'

type FlaggedBug = Pick<Bug, 'id' | 'summary' | 'product' | 'groups' | 'flags'>
export type FlaggedFile = Pick<Attachment, 'id' | 'bug_id' | 'summary' | 'creator' | 'is_patch' | 'flags'>

/** A flag that a user is asked for, with what it is on. */
export interface PendingRequest {
  bug: FlaggedBug
  flag: Flag
  attachment?: FlaggedFile
}

/** Makes a search for bugs, and reads the requests on them and on their attachments. */
export async function readRequests(
  search: Address<'GET /bug', typeof SHORT_FIELDS>,
  isWanted: (flag: Flag) => boolean,
  abort?: AbortSignal,
): Promise<PendingRequest[]> {
  const { bugs = [] } = await get(search, abort)
  const files = await filesOf(bugs, abort)
  const isOpen = (flag: Flag) => flag.status === '?' && isWanted(flag)
  return bugs.flatMap((bug) => [
    ...(bug.flags ?? []).filter(isOpen).map((flag): PendingRequest => ({ bug, flag })),
    ...(files[bug.id] ?? []).flatMap((attachment) =>
      attachment.flags.filter(isOpen).map((flag): PendingRequest => ({ bug, flag, attachment })),
    ),
  ])
}

async function filesOf(bugs: readonly FlaggedBug[], abort?: AbortSignal): Promise<Record<string, FlaggedFile[]>> {
  const [first, ...others] = bugs.map(({ id }) => id)
  if (first === undefined) return {}
  const include_fields = 'id,bug_id,summary,creator,is_patch,flags'
  const { bugs: files } = await get(
    addressOf('/bug/:ref/attachment', { ref: first, ids: others, include_fields }),
    abort,
  )
  return files
}
