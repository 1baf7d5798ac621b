import { LATEST_CALL } from '../addresses.ts'
import { draftNames } from '../core/drafts.ts'
import { hrefOf } from '../core/router.ts'
import { openBugsOf } from '../core/searches.ts'
import { isAdmin, me } from '../core/session.ts'
import { useTitle } from '../core/title.ts'
import type { Me } from '../core/types.ts'
import { useData } from '../core/use-data.ts'
import { BugRows, type ShortBug } from '../parts/bug-rows.tsx'
import { Empty, Skeleton } from '../parts/states.tsx'
import { ChangedSince } from './home/changed-since.tsx'
import { FirstSteps } from './home/first-steps.tsx'
import { Requests } from './home/requests.tsx'
import { SavedSearches } from './home/saved-searches.tsx'

export function View() {
  useTitle('')
  const who = me.value
  return (
    <main id="main" class="home">
      <h1 class="vh">Home</h1>
      {who === undefined ? <ForEverybody /> : <ForMe who={who} />}
    </main>
  )
}

/** Search, products, and the latest changes. */
function ForEverybody() {
  const { body } = useData<{ bugs: ShortBug[] }>(LATEST_CALL)
  return (
    <div class="home-m">
      <section aria-labelledby="latest">
        <div class="sec-h">
          <h2 id="latest">Latest changes</h2>
          <a class="link small push" href={hrefOf('/bugs?quicksearch=ALL')}>
            All bugs
          </a>
        </div>
        {body === undefined ? (
          <Skeleton />
        ) : body.bugs.length === 0 ? (
          <Empty icon="list" title="There is no bug that everybody may see">
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
          <BugRows bugs={body.bugs} />
        )}
      </section>
    </div>
  )
}

const MOST_OPEN = 15

function ForMe({ who }: { who: Me }) {
  const mine = useData<{ bugs: ShortBug[] }>(openBugsOf(who.name, MOST_OPEN))
  const latest = useData<{ bugs: ShortBug[] }>(LATEST_CALL)
  const isNew = isAdmin.value && latest.body?.bugs.length === 0
  return (
    <>
      <div class="home-m">
        {isNew && <FirstSteps />}
        <Requests who={who} />
        <ChangedSince who={who} />
        <section aria-labelledby="mine">
          <div class="sec-h">
            <h2 id="mine">Your open bugs</h2>
            <a
              class="link small push"
              href={hrefOf(`/bugs?${new URLSearchParams({ assigned_to: who.name, bug_status: '__open__' })}`)}
            >
              As a list
            </a>
          </div>
          {mine.body === undefined ? null : mine.body.bugs.length === 0 ? (
            <p class="card empty-line">Bugs that you are the assignee of stand here while they are open.</p>
          ) : (
            <BugRows bugs={mine.body.bugs} />
          )}
        </section>
      </div>
      <aside class="home-s" aria-label="More">
        <SavedSearches />
        <Drafts />
      </aside>
    </>
  )
}

function Drafts() {
  const drafts = draftNames()
  return (
    <section class="sec" aria-labelledby="drafts">
      <div class="sec-h">
        <h2 id="drafts">Drafts</h2>
      </div>
      {drafts.length === 0 ? (
        <p class="faint small">What you begin to write and do not send is kept here.</p>
      ) : (
        <ul>
          {drafts.map((name) => (
            <li key={name}>
              <a class="link" href={hrefOf(name === 'file' ? '/file' : `/bug/${name.replace(/\D+/g, '')}`)}>
                {name === 'file' ? 'A new bug' : `Bug ${name.replace(/\D+/g, '')}`}
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
