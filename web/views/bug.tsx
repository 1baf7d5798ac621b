import { useEffect, useMemo } from 'preact/hooks'
import { me } from '../core/account/session.ts'
import { query } from '../core/router.ts'
import { useTitle } from '../core/title.ts'
import { late } from '../parts/late.tsx'
import { LoadingPage, Refused } from '../parts/states.tsx'
import { References } from '../parts/text/text-with-links.tsx'
import { BugBody } from './bug/body.tsx'
import { BugStore } from './bug/bug-store.ts'
import { Head } from './bug/head.tsx'
import { knownReferences } from './bug/stream/known-references.ts'
import { StoreProvider } from './bug/use-bug.ts'

const Hidden = late(async () => (await import('./bug/access/hidden.tsx')).Hidden)

/** The page of one bug, to read and to change it. */
export function View({ parts }: { parts: Readonly<Record<string, string>> }) {
  const ref = parts.ref ?? ''
  const reader = me.value?.id
  const store = useMemo(() => new BugStore(ref), [ref, reader])
  const references = useMemo(() => knownReferences(store), [store])
  useEffect(() => void store.load(), [store])
  const bug = store.shown.value
  const fault = store.fault.value
  useTitle(bug === undefined ? `Bug ${ref}` : `${bug.id} ${bug.summary}`)
  const asOf = timeIn(query.value.get('as_of'))
  if (fault !== undefined && bug === undefined)
    return (
      <main id="main">
        {store.hiddenId !== undefined ? (
          <Hidden bug={store.hiddenId} />
        ) : (
          <Refused fault={fault} retry={() => void store.load()} isPage />
        )}
      </main>
    )
  if (bug === undefined) return <LoadingPage />
  return (
    <StoreProvider value={store}>
      <References.Provider value={references}>
        <main id="main" class="bug-page" key={ref}>
          <Head />
          <BugBody asOf={asOf} />
        </main>
      </References.Provider>
    </StoreProvider>
  )
}

/** The time in the address, as the API writes it. */
function timeIn(text: string | null): string | undefined {
  const time = new Date(text ?? '')
  return text === null || Number.isNaN(time.getTime()) ? undefined : `${time.toISOString().slice(0, 19)}Z`
}
