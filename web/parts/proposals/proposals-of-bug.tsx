import { useEffect, useRef } from 'preact/hooks'
import { ProposalCard } from './proposal-card.tsx'
import type { Proposal } from './proposal-words.ts'

interface Props {
  body: { proposals: readonly Proposal[]; total: number }
  /** As it was read last. When it is read again, what was proposed may be out of date. */
  bug: object
  reload(): void
  onDecided(): void
}

/** What agents propose for the bug on the page. */
export function ProposalsOfBug({ body: { proposals, total }, bug, reload, onDecided }: Props) {
  const read = useRef(bug)
  useEffect(() => {
    if (read.current !== bug) reload()
    read.current = bug
  }, [bug])
  const done = () => {
    reload()
    onDecided()
  }
  return (
    <section class="stack" aria-label="Proposals">
      {proposals.map((proposal) => (
        <ProposalCard key={`${proposal.id} ${proposal.digest}`} proposal={proposal} onDecided={done} />
      ))}
      {total > proposals.length && (
        <p class="faint small">
          And {(total - proposals.length).toLocaleString()} more, which come when these are decided.
        </p>
      )}
    </section>
  )
}
