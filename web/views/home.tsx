import { ALL_PRODUCTS_CALL, LATEST_CALL, MY_BUGS_CALL } from '../../shared/first-calls.ts'
import { isAdmin, me } from '../core/account/session.ts'
import { draftNames } from '../core/drafts/drafts.ts'
import { hrefOf } from '../core/router.ts'
import type { Me } from '../core/server/types.ts'
import { useData } from '../core/server/use-data.ts'
import { useTitle } from '../core/title.ts'
import { BugRows } from '../parts/bug-rows.tsx'
import { Empty, Skeleton } from '../parts/states.tsx'
import { ChangedSince } from './home/changed-since.tsx'
import { FirstSteps } from './home/first-steps.tsx'
import { Milestones } from './home/milestones.tsx'
import { RecentlySeen } from './home/recently-seen.tsx'
import { Requests } from './home/requests.tsx'
import { SavedSearches } from './home/saved-searches.tsx'
import { useVisits } from './home/use-visits.ts'

export function View() {
  useTitle('')
  const who = me.value
  return (
    <main id="main" class="home">
      <h1 class="visually-hidden">Home</h1>
      {who === undefined ? <ForEverybody /> : <ForMe who={who} />}
    </main>
  )
}

/** Search, products, and the latest changes. */
function ForEverybody() {
  return (
    <>
      <Latest />
      <aside class="home-side" aria-label="Products">
        <Products />
      </aside>
    </>
  )
}

const MOST_PRODUCTS = 12

function Products() {
  const products = useData(ALL_PRODUCTS_CALL).body?.products ?? []
  if (products.length === 0) return null
  return (
    <section aria-labelledby="products">
      <div class="section-head">
        <h2 id="products">Products</h2>
        <a class="link small align-end" href={hrefOf('/products')}>
          All {products.length > MOST_PRODUCTS && `${products.length.toLocaleString()} `}products
        </a>
      </div>
      <ul class="link-list">
        {products.slice(0, MOST_PRODUCTS).map(({ id, name }) => (
          <li key={id}>
            <a href={hrefOf(`/product/${encodeURIComponent(name)}`)}>
              <span class="truncated" dir="auto">
                {name}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Latest() {
  const { body } = useData(LATEST_CALL)
  return (
    <div class="home-main">
      <section aria-labelledby="latest">
        <div class="section-head">
          <h2 id="latest">Latest changes</h2>
          <a class="link small align-end" href={hrefOf('/bugs?quicksearch=ALL')}>
            All bugs
          </a>
        </div>
        {body === undefined ? (
          <Skeleton />
        ) : (body.bugs ?? []).length === 0 ? (
          <Empty icon="list" title="There are no public bugs">
            <p>
              <a class="link" href={hrefOf('/login')}>
                Log in
              </a>{' '}
              to see more, or look at the{' '}
              <a class="link" href={hrefOf('/products')}>
                products
              </a>
              .
            </p>
          </Empty>
        ) : (
          <BugRows bugs={body.bugs ?? []} />
        )}
      </section>
    </div>
  )
}

/** How many of a list are shown, where not all are. */
function CutCount({ shown = 0, all = 0 }: { shown?: number | undefined; all?: number | undefined }) {
  if (all <= shown) return null
  return (
    <span class="faint small">
      {shown.toLocaleString()} of {all.toLocaleString()}
    </span>
  )
}

function ForMe({ who }: { who: Me }) {
  const mine = useData(MY_BUGS_CALL)
  const latest = useData(LATEST_CALL)
  const visits = useVisits()
  const isNew = isAdmin.value && latest.body?.bugs?.length === 0
  return (
    <>
      <div class="home-main">
        {isNew && <FirstSteps />}
        <Requests who={who} />
        {visits !== undefined && <ChangedSince visits={visits} />}
        <section aria-labelledby="mine">
          <div class="section-head">
            <h2 id="mine">Your open bugs</h2>
            <CutCount shown={mine.body?.bugs?.length} all={mine.body?.total_matches} />
            <a
              class="link small align-end"
              href={hrefOf(`/bugs?${new URLSearchParams({ assigned_to: who.name, bug_status: '__open__' })}`)}
            >
              As a list
            </a>
          </div>
          {mine.body === undefined ? null : (mine.body.bugs ?? []).length === 0 ? (
            <p class="card empty-line">Open bugs that are assigned to you are listed here.</p>
          ) : (
            <BugRows bugs={mine.body.bugs ?? []} isUnread={(bug) => visits?.isUnread(bug) ?? false} />
          )}
        </section>
      </div>
      <aside class="home-side" aria-label="More">
        <SavedSearches />
        <Milestones who={who} />
        <Drafts />
        {visits !== undefined && <RecentlySeen visits={visits} />}
      </aside>
    </>
  )
}

function Drafts() {
  const drafts = draftNames()
  return (
    <section aria-labelledby="drafts">
      <div class="section-head">
        <h2 id="drafts">Drafts</h2>
      </div>
      {drafts.length === 0 ? (
        <p class="faint small">What you begin to write and do not send is kept here.</p>
      ) : (
        <ul>
          {drafts.map((name) => (
            <li key={name}>
              <a class="link" href={hrefOf(draftPlace(name).address)}>
                {draftPlace(name).title}
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** The address at which a draft can be continued. */
function draftPlace(name: string): { address: string; title: string } {
  const [number = ''] = /\d+/.exec(name) ?? []
  if (name.startsWith('file clone')) return { address: `/file?clone=${number}`, title: `A clone of bug ${number}` }
  if (name.startsWith('bug ')) return { address: `/bug/${number}`, title: `A comment on bug ${number}` }
  if (name === 'invitations') return { address: '/admin/people', title: 'Invitations' }
  if (name.startsWith('admin ')) {
    const place = name.slice('admin '.length)
    return { address: `/admin/${place.split('/').map(encodeURIComponent).join('/')}`, title: `Changes of ${place}` }
  }
  if (name === 'file') return { address: '/file', title: 'A new bug' }
  return { address: '/bugs?quicksearch=ALL', title: 'A comment on several bugs' }
}
