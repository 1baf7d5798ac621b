import { useEffect, useState } from 'preact/hooks'
import { addressOf } from '../../../shared/rest-address.ts'
import { me } from '../../core/account/session.ts'
import { bugAddress, hrefOf } from '../../core/router.ts'
import { get, put } from '../../core/server/rest.ts'
import type { Bug } from '../../core/server/types.ts'
import { showResult } from '../../core/toasts.ts'
import { Button } from '../../parts/button.tsx'
import { Status } from '../../parts/glyphs.tsx'
import { Icon } from '../../parts/icon.tsx'

export type Similar = Pick<Bug, 'id' | 'summary' | 'status' | 'is_open' | 'product' | 'component'>

const AFTER_MILLISECONDS = 250
const SHORTEST_SUMMARY = 6
const MOST = 5

/** Bugs with a similar summary, found while one types. */
export function useSimilar(summary: string, product: string): readonly Similar[] {
  const [found, setFound] = useState<readonly Similar[]>([])
  useEffect(() => {
    if (summary.trim().length < SHORTEST_SUMMARY) return setFound([])
    const abort = new AbortController()
    const timer = setTimeout(() => {
      similarTo(summary, product, abort.signal).then(setFound, () => {})
    }, AFTER_MILLISECONDS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [summary, product])
  return found
}

/** On a phone the list is below the form, so a line at the summary leads there. */
export function DuplicatesLink({ found }: { found: readonly Similar[] }) {
  if (found.length === 0) return null
  return (
    <section class="only-phone duplicates-phone">
      <a class="note note-warn" href="#duplicates">
        <Icon name="dup" />
        <span>
          <b>{found.length === 1 ? '1 bug looks' : `${countOf(found, 'More than')} bugs look`} like this one.</b> Look
          before you file.
        </span>
      </a>
    </section>
  )
}

export function Duplicates({ found }: { found: readonly Similar[] }) {
  return (
    <aside id="duplicates" class="duplicates" aria-live="polite" aria-label="Likely duplicates">
      {found.length > 0 && (
        <>
          <div class="section-head">
            <h2>Is it one of these?</h2>
            <span class="count">{countOf(found)}</span>
          </div>
          <ul class="card">
            {found.slice(0, MOST).map((bug) => (
              <Duplicate key={bug.id} bug={bug} />
            ))}
          </ul>
        </>
      )}
    </aside>
  )
}

function countOf(found: readonly Similar[], moreThan = 'more than') {
  return found.length > MOST ? `${moreThan} ${MOST}` : String(found.length)
}

async function similarTo(summary: string, product: string, abort: AbortSignal): Promise<Similar[]> {
  const search = addressOf('/bug/possible_duplicates', {
    summary,
    // One more shows whether there are more.
    limit: MOST + 1,
    include_fields: 'id,summary,status,is_open,product,component',
    product: product === '' ? undefined : product,
  })
  return (await get(search, abort)).bugs
}

function Duplicate({ bug }: { bug: Similar }) {
  const [isFollowed, setFollowed] = useState(false)
  const follow = () =>
    showResult(
      () => put('/bug/:ref', { ref: bug.id, cc: { add: [me.value?.name ?? ''] } }),
      `You follow bug ${bug.id}.`,
      () => setFollowed(true),
    )
  return (
    <li class="duplicate">
      <div class="row">
        <Status value={bug.status} isOpen={bug.is_open} />
        <span class="cell-id">{bug.id}</span>
        <span class="align-end faint small">{bug.component}</span>
      </div>
      <a class="medium" href={hrefOf(bugAddress(bug.id))} target="_blank" rel="noreferrer" dir="auto">
        {bug.summary}
      </a>
      <div class="row">
        <Button size="small" unavailable={isFollowed ? 'You follow it already.' : undefined} onClick={follow}>
          {isFollowed ? 'You follow it' : 'This one, add me'}
        </Button>
      </div>
    </li>
  )
}
