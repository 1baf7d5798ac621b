import { useState } from 'preact/hooks'
import { me } from '../../core/account/session.ts'
import { useEvents } from '../../core/server/live.ts'
import { Icon } from '../../parts/icon.tsx'
import { useBugStore } from './use-bug.ts'

/** What others do while the page is open: fields change in their place, and what is new in the stream waits behind a count. */
export function LiveUpdates() {
  const store = useBugStore()
  const [waiting, setWaiting] = useState(0)
  useEvents((event) => {
    if (event.bug_id !== store.id || event.user === me.value?.name || store.asOf.value !== undefined) return
    if (event.type === 'comment.update' && event.comment_id !== undefined)
      return void store.refreshComment(event.comment_id)
    setWaiting((last) => last + 1)
    void store.refreshFields()
  })
  if (waiting === 0) return null
  const showNew = async () => {
    store.markNew()
    setWaiting(0)
    await store.reload()
    document.getElementById('new')?.scrollIntoView({ block: 'center' })
  }
  return (
    <div class="live-update" role="status">
      <button type="button" class="button button-primary" onClick={showNew}>
        {waiting} new
        <Icon name="down" size="small" />
      </button>
    </div>
  )
}
