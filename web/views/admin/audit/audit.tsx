import { useEffect, useState } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { goWith, hrefOf, query } from '../../../core/router.ts'
import { openResponse } from '../../../core/server/files.ts'
import { getOnce } from '../../../core/server/rest.ts'
import { useData } from '../../../core/server/use-data.ts'
import { showFault } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Empty, Refused, Skeleton } from '../../../parts/states.tsx'
import { Time } from '../../../parts/time.tsx'
import { type AuditEntry, objectName } from './audit-entry.ts'
import { AuditFilters } from './audit-filters.tsx'
import { Change } from './change.tsx'

const AT_ONCE = 100

/** Who changed what, and when. The filters are in the address, so that they can be sent to somebody. */
export function Audit() {
  const filter = filterIn(query.value)
  const address = addressOf('/audit', { ...filter, limit: AT_ONCE })
  const { body, fault, reload } = useData(address)
  const [later, setLater] = useState<{ address: string; entries: readonly AuditEntry[]; isWhole: boolean }>()
  const [isBusy, setBusy] = useState(false)
  useEffect(() => setLater(undefined), [address])
  const more = later?.address === address ? later : undefined
  const entries = [...(body?.audit ?? []), ...(more?.entries ?? [])]
  const isWhole = more?.isWhole ?? (body?.audit.length ?? 0) < AT_ONCE
  const readOn = async () => {
    setBusy(true)
    try {
      const { audit } = await getOnce(addressOf('/audit', { ...filter, limit: AT_ONCE, before: entries.at(-1)?.entry }))
      setLater({ address, entries: [...(more?.entries ?? []), ...audit], isWhole: audit.length < AT_ONCE })
    } catch (fault) {
      showFault(fault)
    }
    setBusy(false)
  }
  return (
    <>
      <div class="row wrap">
        <p class="muted grow">Every change of the configuration, the newest first. Nothing can be changed here.</p>
        <Button
          icon="download"
          onClick={() => void openResponse(addressOf('/audit', { ...filter, ctype: 'csv' }), 'audit.csv')}
        >
          Save as CSV
        </Button>
      </div>
      <AuditFilters />
      <p class="visually-hidden" role="status">
        {body !== undefined && `${entries.length}${isWhole ? '' : ' or more'} entries`}
      </p>
      {body === undefined && (fault === undefined ? <Skeleton /> : <Refused fault={fault} retry={reload} />)}
      {body !== undefined && entries.length === 0 && (
        <Empty icon="history" title="Nothing was changed like that">
          <Button onClick={() => goWith(NO_FILTER)}>Show everything</Button>
        </Empty>
      )}
      {entries.length > 0 && <Entries entries={entries} />}
      {!isWhole && (
        <div>
          <Button isBusy={isBusy} onClick={() => void readOn()}>
            Show older entries
          </Button>
        </div>
      )}
    </>
  )
}

/** The parameters of the address that choose entries. */
const NO_FILTER = {
  ...{ who: undefined, class: undefined, id: undefined, text: undefined, since: undefined, until: undefined },
}

export function filterIn(given: URLSearchParams) {
  const text = (name: string) => given.get(name)?.trim() || undefined
  const id = text('id')
  const until = text('until')
  return {
    who: text('who'),
    class: given.getAll('class').filter((name) => name !== ''),
    id: id !== undefined && /^\d{1,9}$/.test(id) ? Number(id) : undefined,
    text: text('text'),
    since: dayIn(text('since'), 0),
    // The last day is included.
    until: dayIn(until, 1),
  }
}

/** The begin of a day in the reader's time zone, or of a day after it; undefined if it is not a day. */
function dayIn(day: string | undefined, daysLater: number): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '') ?? []
  if (year === undefined) return undefined
  const time = new Date(Number(year), Number(month) - 1, Number(date) + daysLater)
  return Number.isNaN(time.getTime()) ? undefined : `${time.toISOString().slice(0, 19)}Z`
}

function Entries({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <ol class="card rows audit">
      {entries.map((entry) => (
        <li key={entry.entry} class="audit-entry">
          <span class="audit-time faint">
            <Time at={entry.at} />
          </span>
          <Who login={entry.who} />
          <Change entry={entry} object={<ObjectLink entry={entry} />} />
        </li>
      ))}
    </ol>
  )
}

function Who({ login }: { login: string | null }) {
  if (login === null) return <span class="faint">the server</span>
  return (
    <a class="truncated" href={addressWith({ who: login })} title={`Only changes by ${login}`}>
      <bdi>{login}</bdi>
    </a>
  )
}

/** Leads to all entries about the same object. */
function ObjectLink({ entry }: { entry: AuditEntry }) {
  const isParameter = entry.id === 0
  const href = addressWith({
    class: entry.class,
    id: isParameter ? undefined : String(entry.id),
    ...(isParameter && { text: entry.field }),
  })
  return (
    <a class="link audit-object" href={href}>
      <bdi>{objectName(entry) || 'as a whole'}</bdi>
    </a>
  )
}

function addressWith(changes: Record<string, string | undefined>) {
  const next = new URLSearchParams(query.value)
  for (const [name, value] of Object.entries(changes))
    if (value === undefined) next.delete(name)
    else next.set(name, value)
  return hrefOf(`/admin/audit?${next}`)
}
