import { addressOf } from '../../../../shared/rest-address.ts'
import { put } from '../../../core/server/rest.ts'
import type { Me } from '../../../core/server/types.ts'
import { useData } from '../../../core/server/use-data.ts'
import { showResult } from '../../../core/toasts.ts'

type Choice = 'request_nagging' | 'block_needinfo'

/** The daily mail about requests, and whether the reader takes questions. */
export function RequestChoices({ who }: { who: Me }) {
  const { body, reload } = useData(addressOf('/user/:user/requests', { user: who.id }))
  if (body === undefined) return null
  const change = (name: Choice, value: boolean) =>
    showResult(() => put('/user/:user/requests', { user: who.id, [name]: value }), 'Saved.', reload)
  return (
    <section class="stack" aria-label="Requests">
      <h2>Requests</h2>
      <label class="checkbox-label">
        <input
          class="checkbox"
          type="checkbox"
          checked={body.request_nagging}
          onChange={() => void change('request_nagging', !body.request_nagging)}
        />
        Remind me daily of requests that I have not answered
      </label>
      <label class="checkbox-label">
        <input
          class="checkbox"
          type="checkbox"
          checked={body.block_needinfo}
          onChange={() => void change('block_needinfo', !body.block_needinfo)}
        />
        Nobody may ask me questions
      </label>
      <p class="hint">
        What is asked already stays. Users who ask you get an error that says that you take no questions.
      </p>
    </section>
  )
}
