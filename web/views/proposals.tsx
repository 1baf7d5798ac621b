import { useState } from 'preact/hooks'
import { addressOf } from '../../shared/rest-address.ts'
import { me } from '../core/account/session.ts'
import { bugAddress, currentAddress, go, goWith, hrefOf, query } from '../core/router.ts'
import { useData } from '../core/server/use-data.ts'
import { useTitle } from '../core/title.ts'
import { Button } from '../parts/button.tsx'
import { ProposalCard } from '../parts/proposals/proposal-card.tsx'
import { type Proposal, titleOf } from '../parts/proposals/proposal-words.ts'
import { Empty, LoadingPage, Refused, RefusedPage, Skeleton } from '../parts/states.tsx'
import { DecideDialog } from './proposals/decide-dialog.tsx'
import { KeyRate } from './proposals/key-rate.tsx'

/** What agents propose: for bugs, and new ones. */
export function View() {
  useTitle('Proposals')
  const id = query.value.get('id')
  if (me.value === undefined)
    return (
      <main id="main" class="page">
        <h1>Proposals</h1>
        <Empty icon="triage" title="Log in to see what is proposed">
          <a class="button button-primary" href={hrefOf('/login?to=/proposals')}>
            Log in
          </a>
        </Empty>
      </main>
    )
  return id ? <One key={id} id={id} /> : <List />
}

function One({ id }: { id: string }) {
  const { body, fault, reload } = useData(addressOf('/proposal/:id', { id }))
  if (fault !== undefined && body === undefined) return <RefusedPage fault={fault} retry={reload} />
  if (body === undefined) return <LoadingPage />
  const { proposal } = body
  return (
    <main id="main" class="page stack proposals">
      <h1>Proposal {proposal.id}</h1>
      <ProposalCard
        key={proposal.digest}
        proposal={proposal}
        title={<Title proposal={proposal} />}
        onDecided={({ bugId }) => (proposal.kind === 'bug' && bugId !== undefined ? go(bugAddress(bugId)) : reload())}
      />
      <p>
        <a class="link" href={hrefOf('/proposals')}>
          All proposals
        </a>
      </p>
    </main>
  )
}

const FILTERS = [
  { name: 'All', change: {} },
  { name: 'For me', change: { for_me: '1' } },
  { name: 'New bugs', change: { kind: 'bug' } },
  { name: 'Changes', change: { kind: 'change' } },
  { name: 'Comments', change: { kind: 'comment' } },
  { name: 'Files', change: { kind: 'attachment' } },
] as const

const STATES = [
  { value: '', name: 'Open' },
  { value: 'accepted', name: 'Accepted' },
  { value: 'declined', name: 'Declined' },
  { value: 'all', name: 'All' },
]

const PARAMETERS = ['status', 'kind', 'user', 'key_id', 'batch', 'product', 'for_me', 'before'] as const

/** The list that the address of the page asks for, which has the parameters of the call. */
function listCall(search: URLSearchParams) {
  const given: Partial<Record<(typeof PARAMETERS)[number], string>> = {}
  for (const name of PARAMETERS) if (search.get(name)) given[name] = search.get(name) ?? ''
  return addressOf('/proposal', given)
}

function List() {
  const { body, fault, reload } = useData(listCall(query.value))
  const [deciding, setDeciding] = useState<readonly Proposal[]>()
  const decidable = body?.proposals.filter(({ can_accept, can_decline }) => can_accept || can_decline) ?? []
  const keyId = query.value.get('key_id')
  const [first] = body?.proposals ?? []
  return (
    <main id="main" class="page stack proposals">
      <div class="section-head">
        <h1>Proposals</h1>
        {decidable.length > 1 && (
          <div class="align-end">
            <Button onClick={() => setDeciding(decidable)}>Decide all {decidable.length} shown…</Button>
          </div>
        )}
      </div>
      <p class="muted">
        What API keys that may only propose would do. It is done in the name of who accepts it, and nothing happens
        before.
      </p>
      <Filters />
      {keyId && first !== undefined && <KeyRate keyId={Number(keyId)} owner={first.author_detail.id} />}
      {fault !== undefined && body === undefined && <Refused fault={fault} retry={reload} />}
      {fault === undefined && body === undefined && <Skeleton />}
      {body?.proposals.length === 0 && (
        <Empty icon="triage" title="Nothing is proposed here">
          <p>
            A program whose API key has the scope “propose” can make proposals; they wait here and on the pages of the
            bugs.
          </p>
        </Empty>
      )}
      {body?.proposals.map((proposal) => (
        <ProposalCard
          key={`${proposal.id} ${proposal.digest} ${proposal.status}`}
          proposal={proposal}
          title={<Title proposal={proposal} />}
          onDecided={reload}
        />
      ))}
      <Pages next={body?.next ?? undefined} />
      {deciding !== undefined && (
        <DecideDialog proposals={deciding} onClose={() => setDeciding(undefined)} onDone={reload} />
      )}
    </main>
  )
}

function Title({ proposal }: { proposal: Proposal }) {
  const { bug_id, product, component, batch } = proposal
  const title = titleOf(proposal)
  return (
    <h2 class="proposal-bug">
      {bug_id === undefined ? (
        <bdi>{title}</bdi>
      ) : (
        <a class="link" href={hrefOf(bugAddress(bug_id))} dir="auto">
          {title}
        </a>
      )}{' '}
      <span class="faint small">
        <bdi>{product}</bdi>
        {component !== null && (
          <>
            {' '}
            / <bdi>{component}</bdi>
          </>
        )}
        {batch !== undefined && query.value.get('batch') !== String(batch) && (
          <>
            {' '}
            <a class="link" href={hrefOf(`/proposals?batch=${batch}`)}>
              all of the same call
            </a>
          </>
        )}
      </span>
    </h2>
  )
}

function Filters() {
  const current = query.value
  const isCurrent = (change: Readonly<Record<string, string>>) =>
    ['for_me', 'kind'].every((name) => (current.get(name) ?? '') === (change[name] ?? ''))
  const others = (['user', 'key_id', 'product', 'batch'] as const).filter((name) => current.get(name))
  const linkTo = (change: Readonly<Record<string, string>>) => {
    const next = new URLSearchParams(change)
    for (const name of ['status', ...others]) if (current.get(name)) next.set(name, current.get(name) ?? '')
    const text = next.toString()
    return hrefOf(`${currentAddress.value.path}${text === '' ? '' : `?${text}`}`)
  }
  return (
    <div class="row wrap">
      <nav class="tabs" aria-label="Which proposals">
        {FILTERS.map(({ name, change }) => (
          <a key={name} href={linkTo(change)} aria-current={isCurrent(change) ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <label class="row">
        <span class="label">Status</span>
        <select
          class="input select"
          value={current.get('status') ?? ''}
          onChange={(event) => goWith({ status: event.currentTarget.value || undefined, before: undefined })}
        >
          {STATES.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {others.map((name) => (
        <Button key={name} size="small" icon="x" onClick={() => goWith({ [name]: undefined, before: undefined })}>
          {FILTER_WORDS[name]} <bdi>{current.get(name)}</bdi>
        </Button>
      ))}
    </div>
  )
}

const FILTER_WORDS = { user: 'Of', key_id: 'Of key', product: 'In', batch: 'Of call' } as const

function Pages({ next }: { next: number | undefined }) {
  const isLater = query.value.get('before') !== null
  if (next === undefined && !isLater) return null
  return (
    <nav class="row" aria-label="Pages">
      {isLater && <Button onClick={() => goWith({ before: undefined })}>The newest</Button>}
      {next !== undefined && <Button onClick={() => goWith({ before: String(next) })}>Older</Button>}
    </nav>
  )
}
