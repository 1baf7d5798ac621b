import { useState } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { me } from '../../../core/account/session.ts'
import { hrefOf } from '../../../core/router.ts'
import { put } from '../../../core/server/rest.ts'
import { useData } from '../../../core/server/use-data.ts'
import { showFault } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { SelectField } from '../../../parts/field.tsx'
import { Group } from '../group.tsx'

const MOST_SHOWN = 100

/** The votes for a bug: how many, who gave them, and the reader’s own. */
export function Votes({ id }: { id: number }) {
  const { body, reload } = useData(addressOf('/bug/:ref/votes', { ref: id, limit: MOST_SHOWN }))
  const [isBusy, setBusy] = useState(false)
  if (body === undefined || (body.votesperuser === 0 && body.votes === 0)) return null
  const { votes, own, voters, voter_count, product } = body
  const give = async (count: number) => {
    setBusy(true)
    try {
      await put('/bug/:ref/votes', { ref: id, votes: count })
    } catch (fault) {
      showFault(fault)
    }
    reload()
    setBusy(false)
  }
  return (
    <Group title="Votes">
      <div class="bug-votes">
        <p class="row">
          <span role="status">
            <b>{votes.toLocaleString()}</b> {votes === 1 ? 'vote' : 'votes'}
            {own !== undefined && own.votes > 0 && <span class="faint">, {own.votes} of them yours</span>}
          </span>
          {own !== undefined && (
            <span class="align-end">
              <OwnVotes own={own} isBusy={isBusy} product={product} onChoice={(count) => void give(count)} />
            </span>
          )}
        </p>
        {voter_count > 0 && (
          <details>
            <summary class="small">Who votes</summary>
            <ul class="bug-voters small">
              {voters.map((voter) => (
                <li key={voter.id}>
                  <bdi>{voter.real_name || voter.name}</bdi>{' '}
                  {voter.votes > 1 && <span class="faint">{voter.votes}</span>}
                </li>
              ))}
              {voter_count > voters.length && <li class="faint">and {voter_count - voters.length} more</li>}
            </ul>
          </details>
        )}
        {me.value !== undefined && own !== undefined && own.used > 0 && (
          <a class="link small" href={hrefOf('/settings/votes')}>
            All my votes
          </a>
        )}
      </div>
    </Group>
  )
}

interface OwnProps {
  own: { votes: number; used: number; most: number }
  product: string
  isBusy: boolean
  onChoice(votes: number): void
}

/** A button where there is one vote to give, and else a choice. */
function OwnVotes({ own, product, isBusy, onChoice }: OwnProps) {
  const most = Math.max(own.most, own.votes)
  if (most > 1)
    return (
      <SelectField
        label="My votes"
        value={String(own.votes)}
        options={Array.from({ length: Math.min(most, 100) + 1 }, (_, count) => ({
          value: String(count),
          name: String(count),
        }))}
        onChoice={(count) => onChoice(Number(count))}
      />
    )
  if (own.votes === 1)
    return (
      <Button size="small" isBusy={isBusy} onClick={() => onChoice(0)}>
        Take my vote back
      </Button>
    )
  const reason = most === 0 ? `You have given all ${own.used} votes that you have in ${product}.` : undefined
  return (
    <Button size="small" icon="up" isBusy={isBusy} unavailable={reason} onClick={() => onChoice(1)}>
      Vote
    </Button>
  )
}
