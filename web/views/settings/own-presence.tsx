import { addressOf } from '../../../shared/rest-address.ts'
import { put } from '../../core/server/rest.ts'
import type { Me } from '../../core/server/types.ts'
import { useData } from '../../core/server/use-data.ts'
import { showResult } from '../../core/toasts.ts'

/** Whether others see which bugs the reader has open. */
export function OwnPresence({ who }: { who: Me }) {
  const { body, reload, replace } = useData(addressOf('/user/:user/presence', { user: who.id }))
  if (body === undefined) return null
  const change = (is_hidden: boolean) => {
    replace({ is_hidden })
    return showResult(() => put('/user/:user/presence', { user: who.id, is_hidden }), 'Saved.', reload)
  }
  return (
    <section class="stack" aria-label="Presence">
      <h2>Presence</h2>
      <label class="checkbox-label">
        <input
          class="checkbox"
          type="checkbox"
          checked={!body.is_hidden}
          onChange={(event) => void change(!event.currentTarget.checked)}
        />
        Show others that I have a bug open, or write in it
      </label>
      <p class="hint">Only users who may see the bug, and you, see it. You see others in either case.</p>
    </section>
  )
}
