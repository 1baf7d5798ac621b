import { useEffect, useState } from 'preact/hooks'
import { countCall } from '../../../shared/first-calls.ts'
import type { FieldList } from '../../core/bugs/fields.ts'
import { hrefOf, query } from '../../core/router.ts'
import { get, RestError } from '../../core/server/rest.ts'
import { Empty, Refused } from '../../parts/states.tsx'
import { type Filter, filtersOf } from './criteria/filters.ts'

const MOST_SUGGESTIONS = 5

/** No bug is found: which part of the query to leave out, and how many there are then. */
export function NoBugs({ fields }: { fields: FieldList }) {
  const filters = filtersOf(query.value, fields)
  const closest = useCountsWithout(filters.length > 1 ? filters.slice(0, MOST_SUGGESTIONS) : [])
  return (
    <div class="bug-table">
      <Empty icon="search" title="No bug matches">
        {closest.length > 0 ? (
          <ul class="closest-filters">
            {closest.map(({ filter, count }) => (
              <li key={filter.key}>
                <a class="link" href={hrefOf(`/bugs?${filter.without}`)}>
                  Without {filter.label} {filter.text}
                </a>{' '}
                <span class="faint">{count.toLocaleString()}</span>
              </li>
            ))}
          </ul>
        ) : (
          <p>
            A search for words finds only open bugs.{' '}
            <a class="link" href={hrefOf('/bugs?quicksearch=ALL')}>
              Show all bugs
            </a>
          </p>
        )}
      </Empty>
    </div>
  )
}

interface Closest {
  filter: Filter
  count: number
}

function useCountsWithout(filters: readonly Filter[]): readonly Closest[] {
  const [found, setFound] = useState<readonly Closest[]>([])
  const key = filters.map(({ without }) => String(without)).join(' ')
  useEffect(() => {
    const abort = new AbortController()
    const count = async (filter: Filter) => {
      const { bug_count: found = 0 } = await get(countCall(filter.without), abort.signal)
      return { filter, count: found }
    }
    Promise.all(filters.map(count)).then(
      (all) => setFound(all.filter((it) => it.count > 0).sort((one, other) => one.count - other.count)),
      () => undefined,
    )
    return () => abort.abort()
  }, [key])
  return found
}

/** The server's sentence names the part that is wrong; its chip is marked too. */
export function WrongQuery({ fault, retry }: { fault: Error; retry(): void }) {
  return (
    <div class="bug-table" role="alert">
      {fault instanceof RestError && fault.status === 400 ? (
        <Empty icon="warn" title="This search is not valid">
          <p>{fault.message}</p>
          <p>Change the marked filter, or remove it.</p>
        </Empty>
      ) : (
        <Refused fault={fault} retry={retry} />
      )}
    </div>
  )
}
