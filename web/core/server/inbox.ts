// Keeps count of what is unread in the reader's inbox.
import { INBOX_COUNT_CALL } from '../../../shared/first-calls.ts'
import { me } from '../account/session.ts'
import { listen, listenToInbox } from './live.ts'
import { get } from './rest.ts'
import { setUnread } from './unread.ts'

export async function countInbox() {
  const login = me.value?.name
  if (login === undefined) return
  const found = await get(INBOX_COUNT_CALL).catch(() => undefined)
  if (found !== undefined && me.value?.name === login) setUnread(found.counts.unread)
}

/** The delivery notes an event a moment after the feed has it. */
const NOTED_MILLISECONDS = 1000
/** What is watched, and a snooze that ends, sends no event of its own. */
const AGAIN_MILLISECONDS = 60_000

/**
 * Calls `change` soon after something has reached the inbox, and now and then, until the returned function is called. With
 * `everyEvent` also after events that may concern what the reader watches.
 */
export function followChanges(change: () => void, everyEvent = false): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const soon = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      change()
    }, NOTED_MILLISECONDS)
  }
  const stops = [listen(() => everyEvent && soon()), listenToInbox(soon)]
  const again = setInterval(() => !document.hidden && change(), AGAIN_MILLISECONDS)
  return () => {
    clearTimeout(timer)
    clearInterval(again)
    for (const stop of stops) stop()
  }
}

export function followInbox(): () => void {
  void countInbox()
  return followChanges(() => void countInbox())
}
