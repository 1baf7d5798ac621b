// How much is unread in the reader's inbox, for the bar. What counts it is loaded after the page is painted: see inbox.ts.
import { effect, signal } from '@preact/signals'
import { me } from '../account/session.ts'

/** Undefined until it is known. */
export const unreadCount = signal<number | undefined>(undefined)

const COUNT_KEY = 'lacewing inbox'

/** The next page begins with the same count, so that the bar does not move when it has counted again. */
export function setUnread(count: number) {
  unreadCount.value = count
  try {
    sessionStorage.setItem(COUNT_KEY, `${count} ${me.value?.name}`)
  } catch {
    // Without storage, the next page shows it when it is known.
  }
}

effect(() => {
  const login = me.value?.name
  let kept: string | null = null
  try {
    kept = sessionStorage.getItem(COUNT_KEY)
  } catch {
    // Then it is shown when it is known.
  }
  unreadCount.value = login !== undefined && kept?.endsWith(` ${login}`) ? Number.parseInt(kept, 10) : undefined
})
