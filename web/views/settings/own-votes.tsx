import { useState } from 'preact/hooks'
import { addressOf } from '../../../shared/rest-address.ts'
import { bugAddress, hrefOf } from '../../core/router.ts'
import { put } from '../../core/server/rest.ts'
import type { Me } from '../../core/server/types.ts'
import { useData } from '../../core/server/use-data.ts'
import { showResult } from '../../core/toasts.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Empty, Refused, Skeleton } from '../../parts/states.tsx'

/** The bugs that the reader votes for, by product. All of them are changed together. */
export function OwnVotes({ who }: { who: Me }) {
  const { body, fault, reload } = useData(addressOf('/user/:user/votes', { user: who.id }))
  const [typed, setTyped] = useState<ReadonlyMap<number, string>>(new Map())
  const [isBusy, setBusy] = useState(false)
  if (body === undefined) return fault === undefined ? <Skeleton /> : <Refused fault={fault} retry={reload} />
  const { bugs, products = [] } = body
  const shown = [...new Set([...products.map(({ product }) => product), ...bugs.map(({ product }) => product)])]
  if (shown.length === 0)
    return (
      <Empty icon="up" title="Nobody votes here">
        <p>No product that you see has votes. An administrator can allow them on the page of the product.</p>
      </Empty>
    )
  const save = async () => {
    setBusy(true)
    const votes = [...typed].map(([bug, text]) => ({ bug, votes: text.trim() === '' ? 0 : Number(text) }))
    await showResult(
      () => put('/user/:user/votes', { user: who.id, votes }),
      'Your votes are saved.',
      () => {
        setTyped(new Map())
        reload()
      },
    )
    setBusy(false)
  }
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      {shown.map((product) => {
        const limits = products.find((it) => it.product === product)
        const own = bugs.filter((bug) => bug.product === product)
        return (
          <section key={product} class="stack" aria-label={product}>
            <h2>
              <bdi>{product}</bdi>
            </h2>
            <p class="muted">
              {limits === undefined
                ? 'Nobody votes here any more.'
                : `${limits.used} of your ${limits.votesperuser} votes are given, at most ${limits.maxvotesperbug} to one bug.`}
            </p>
            {own.length > 0 && (
              <ul class="card rows">
                {own.map((bug) => (
                  <li key={bug.bug_id} class="row own-votes-row">
                    <TextField
                      label={`Votes for bug ${bug.bug_id}`}
                      type="number"
                      value={typed.get(bug.bug_id) ?? String(bug.votes)}
                      onText={(text) => setTyped(new Map(typed).set(bug.bug_id, text))}
                    />
                    <a class={bug.is_open ? 'link' : 'link is-closed'} href={hrefOf(bugAddress(bug.bug_id))}>
                      <bdi>{bug.summary}</bdi>
                    </a>
                    <span class="faint align-end">{bug.bug_votes} in all</span>
                  </li>
                ))}
              </ul>
            )}
          </section>
        )
      })}
      {bugs.length > 0 && (
        <div>
          <Button
            kind="primary"
            type="submit"
            isBusy={isBusy}
            unavailable={typed.size === 0 ? 'Nothing is changed.' : undefined}
          >
            Save my votes
          </Button>
        </div>
      )}
    </form>
  )
}
