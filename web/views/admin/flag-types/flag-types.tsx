import { useRef, useState } from 'preact/hooks'
import { hrefOf } from '../../../core/router.ts'
import { Button } from '../../../parts/button.tsx'
import { Empty, Refused, Skeleton } from '../../../parts/states.tsx'
import { TableHead } from '../../../parts/table-head.tsx'
import { AuditTrail } from '../changes/audit-trail.tsx'
import { FindBox } from '../changes/find-box.tsx'
import { isFound } from '../changes/is-found.ts'
import { usePlace } from '../changes/use-place.ts'
import { PlaceHead } from '../place-head.tsx'
import { FlagTypePage } from './flag-type-page.tsx'
import { type FlagType, flagTypeAddress, loadFlagTypes } from './flag-type-state.ts'
import { whereInWords } from './flag-type-words.ts'
import { NewFlagType } from './new-flag-type.tsx'

export function FlagTypes({ item }: { item?: string | undefined }) {
  return item === undefined ? <FlagTypeList /> : <FlagTypePage item={item} />
}

const LISTS = [
  ['bug', 'On bugs'],
  ['attachment', 'On attachments'],
] as const

const EVERYBODY = <span class="nowrap">everybody</span>

function FlagTypeList() {
  const { state, fault, version } = usePlace({
    name: 'flag-types',
    title: 'Flag types',
    load: loadFlagTypes,
    values: () => new Map(),
  })
  const [text, setText] = useState('')
  const form = useRef<HTMLDivElement>(null)
  if (state === undefined) return fault === undefined ? <Skeleton /> : <Refused fault={fault} />
  const found = state.filter((type) => isFound(text, type.name, type.description, whereInWords(type)))
  return (
    <>
      <p class="muted">What people ask of each other on bugs and attachments, such as a review, and where.</p>
      <PlaceHead
        actions={
          <Button icon="plus" onClick={() => form.current?.querySelector('input')?.focus()}>
            New flag type
          </Button>
        }
      >
        <FindBox label="Find a flag type" text={text} onText={setText} found={found.length} />
      </PlaceHead>
      <div class="with-trail">
        <div class="stack">
          {found.length === 0 && text !== '' && <Empty icon="search" title="No flag type matches" />}
          {LISTS.map(([target, title]) => (
            <FlagTable key={target} title={title} types={found.filter((it) => it.target_type === target)} />
          ))}
          <div ref={form} class="card admin-card">
            <NewFlagType />
          </div>
        </div>
        <AuditTrail classes={['Tracker::FlagType']} version={version} />
      </div>
    </>
  )
}

function FlagTable({ title, types }: { title: string; types: readonly FlagType[] }) {
  if (types.length === 0) return null
  return (
    <section class="card" aria-label={title}>
      <div class="admin-head">
        <h2>{title}</h2>
        <span class="faint">{types.length}</span>
      </div>
      <div class="scroll-box">
        <table class="table admin-table stacked-table flag-table">
          <TableHead columns={['Flag', 'Where', 'Granted by', 'Asked by']} />
          <tbody>
            {types.map((type) => (
              <tr key={type.id} class={type.is_active ? undefined : 'is-closed'}>
                <th scope="row">
                  <a class="link" dir="auto" href={hrefOf(flagTypeAddress(type.id))}>
                    {type.name}
                  </a>{' '}
                  {!type.is_active && <span class="badge">cannot be set</span>}
                  <div class="faint small" dir="auto">
                    {type.description}
                  </div>
                </th>
                <td dir="auto" data-label="Where">
                  {whereInWords(type).replace(/^on \w+ in /, '')}
                </td>
                <td dir="auto" data-label="Granted by">
                  {type.grant_group ?? EVERYBODY}
                </td>
                <td dir="auto" data-label="Asked by">
                  {askedBy(type)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function askedBy({ is_requestable, grant_group, request_group }: FlagType) {
  if (!is_requestable) return <span class="nowrap">nobody</span>
  return grant_group === null || request_group === null ? EVERYBODY : request_group
}
