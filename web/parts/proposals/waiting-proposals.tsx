import { addressOf } from '../../../shared/rest-address.ts'
import { hrefOf } from '../../core/router.ts'
import { useData } from '../../core/server/use-data.ts'
import { AgentIcon } from './agent-icon.tsx'

const FOR_ME = addressOf('/proposal', { for_me: true, limit: 1 })

/** How many proposals are about bugs of the reader; nothing if there are none. */
export function WaitingProposals() {
  const total = useData(FOR_ME).body?.total ?? 0
  if (total === 0) return null
  return (
    <a class="link row" href={hrefOf('/proposals?for_me=1')}>
      <AgentIcon />
      {total === 1 ? '1 proposal waits for you' : `${total.toLocaleString()} proposals wait for you`}
    </a>
  )
}
