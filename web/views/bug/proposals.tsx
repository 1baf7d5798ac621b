import { proposalsOfBugCall } from '../../../shared/first-calls.ts'
import { useData } from '../../core/server/use-data.ts'
import { ProposalsOfBug } from '../../parts/proposals/proposals-of-bug.tsx'
import { useBug, useBugStore } from './use-bug.ts'

/** What agents propose for the bug. */
export function Proposals() {
  const store = useBugStore()
  const { body, reload } = useData(proposalsOfBugCall(store.ref))
  const bug = useBug()
  if (body === undefined || body.proposals.length === 0 || store.asOf.value !== undefined) return null
  return <ProposalsOfBug body={body} bug={bug} reload={reload} onDecided={() => void store.reload()} />
}
