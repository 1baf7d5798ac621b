import { addressOf } from '../../../shared/rest-address.ts'
import { visibleText } from '../../../shared/text/visible-text.ts'
import { useData } from '../../core/server/use-data.ts'
import { rateInWords } from '../../parts/proposals/rate.ts'

/** How much of what a key proposes is accepted, for its owner and administrators. */
export function KeyRate({ keyId, owner }: { keyId: number; owner: number }) {
  const { body } = useData(addressOf('/user/:user/api_key', { user: owner }))
  const key = body?.api_keys.find(({ id }) => id === keyId)
  if (key?.proposals === undefined) return null
  return (
    <p>
      <b dir="auto">{visibleText(key.description) || `Key ${keyId}`}</b>: {rateInWords(key.proposals)}
    </p>
  )
}
