// Requests: flags with a question mark, on bugs and on their attachments.
import { effect, signal } from '@preact/signals'
import { MY_REQUESTS_CALL, type SHORT_FIELDS } from '../../../shared/first-calls.ts'
import { type Address, addressOf } from '../../../shared/rest-address.ts'
import { me } from '../account/session.ts'
import { listen } from './live.ts'
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

/** How many requests the reader has to answer; undefined until it is known. */
export const requestCount = signal<number | undefined>(undefined)

const BATCH_MILLISECONDS = 1000

export async function countRequests() {
  const login = me.value?.name
  if (login === undefined) return
  const found = await readRequests(MY_REQUESTS_CALL, ({ requestee }) => requestee === login).catch(() => undefined)
  if (found === undefined || me.value?.name !== login) return
  requestCount.value = found.length
  keepCount({ login, count: found.length })
}

const COUNT_KEY = 'lacewing requests'

/** The next page begins with the same count, so that the bar does not move when it has counted again. */
function keepCount(kept: { login: string; count: number }) {
  try {
    sessionStorage.setItem(COUNT_KEY, JSON.stringify(kept))
  } catch {
    // Without storage, the next page shows it when it is known.
  }
}

function keptCount(login: string): number | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(COUNT_KEY) ?? 'null') as { login: string; count: number } | null
    return kept?.login === login ? kept.count : undefined
  } catch {
    return undefined
  }
}

/** Counts again after every event that can have to do with a request, until the returned function is called. */
export function followRequests(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = listen(({ type, changes }) => {
    const isAboutFlags = changes.some(({ field_name: name }) => name === 'flagtypes.name')
    if (!isAboutFlags && !type.endsWith('.create') && type !== 'bug.delete') return
    if (type === 'comment.create' && !isAboutFlags) return
    timer ??= setTimeout(() => {
      timer = undefined
      void countRequests()
    }, BATCH_MILLISECONDS)
  })
  return () => {
    clearTimeout(timer)
    stop()
  }
}

effect(() => {
  const login = me.value?.name
  requestCount.value = login === undefined ? undefined : keptCount(login)
})
