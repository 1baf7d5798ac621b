import { useState } from 'preact/hooks'
import { ALL_PRODUCTS_CALL, DASHBOARDS_CALL, SAVED_REPORTS_CALL } from '../../shared/first-calls.ts'
import { go, hrefOf } from '../core/router.ts'
import { post } from '../core/server/rest.ts'
import { useData } from '../core/server/use-data.ts'
import { useTitle } from '../core/title.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { DialogEnd } from '../parts/dialog-end.tsx'
import { SelectField, TextField } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { type PausedShare, PausedShares, ShareBadges } from '../parts/share-badges.tsx'
import { Empty, LoadingPage, RefusedPage } from '../parts/states.tsx'
import { useSubmit } from '../parts/use-submit.ts'
import { usualTiles } from './dashboard/tiles.ts'

export function View() {
  useTitle('Dashboards')
  const { body, fault, reload } = useData(DASHBOARDS_CALL)
  const [isNew, setNew] = useState(false)
  if (fault !== undefined && body === undefined) return <RefusedPage fault={fault} retry={reload} />
  if (body === undefined) return <LoadingPage />
  const own = body.dashboards.filter(({ can_change }) => can_change)
  const shared = body.dashboards.filter(({ can_change }) => !can_change)
  return (
    <main id="main" class="page">
      <div class="row wrap">
        <h1 class="grow">Dashboards</h1>
        <a class="button" href={hrefOf('/reports')}>
          <Icon name="chart" />
          Reports
        </a>
        <Button kind="primary" icon="plus" onClick={() => setNew(true)}>
          New dashboard
        </Button>
      </div>
      {body.dashboards.length === 0 && (
        <Empty icon="chart" title="No dashboards yet">
          <p>
            A dashboard has reports, lists and numbers on one page. It can be shared with groups, or shown on a wall.
          </p>
        </Empty>
      )}
      {own.length > 0 && <Rows title="Yours" rows={own} />}
      {shared.length > 0 && <Rows title="Shared with you" rows={shared} />}
      <SavedReports />
      {isNew && <NewDashboard onClose={() => setNew(false)} />}
    </main>
  )
}

/** Reports that were saved under a name, also those of an imported Bugzilla. */
function SavedReports() {
  const { body } = useData(SAVED_REPORTS_CALL)
  const reports = body?.saved_reports ?? []
  if (reports.length === 0) return null
  return (
    <section class="section" aria-label="Saved reports">
      <div class="section-head">
        <h2>Saved reports</h2>
      </div>
      <ul class="card rows">
        {reports.map(({ id, name, query }) => (
          <li key={id} class="search-row">
            <a class="medium grow" href={hrefOf(`/reports?${query}`)} dir="auto">
              {name}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface Row {
  id: number
  name: string
  owner: string
  shared_with: string[]
  paused_shares: PausedShare[]
  can_change: boolean
}

function Rows({ title, rows }: { title: string; rows: readonly Row[] }) {
  return (
    <section class="section" aria-label={title}>
      <div class="section-head">
        <h2>{title}</h2>
      </div>
      <ul class="card rows">
        {rows.map(({ id, name, owner, shared_with, paused_shares, can_change }) => (
          <li key={id} class="search-row">
            <a class="medium grow" href={hrefOf(`/dashboard/${id}`)} dir="auto">
              {name}
            </a>
            {!can_change && (
              <span class="faint small">
                by <bdi>{owner}</bdi>
              </span>
            )}
            <ShareBadges groups={shared_with} paused={paused_shares} />
            <PausedShares paused={paused_shares} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A name, and the tiles to begin with: none, or the usual ones of all bugs or of a product. */
function NewDashboard({ onClose }: { onClose(): void }) {
  const [name, setName] = useState('')
  const [begin, setBegin] = useState('all')
  const { body } = useData(ALL_PRODUCTS_CALL)
  const products = body?.products ?? []
  const { submit, isBusy, fault } = useSubmit(async () => {
    const product = products.find((it) => `product ${it.id}` === begin)?.name ?? ''
    const { id } = await post('/dashboard', { name, tiles: begin === 'none' ? [] : usualTiles(product) })
    go(`/dashboard/${id}${begin === 'none' ? '?edit=1' : ''}`)
  })
  return (
    <Dialog title="New dashboard" onClose={onClose}>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <TextField label="Name" isNeeded value={name} onText={setName} isFocused />
        <SelectField
          label="Begin with"
          value={begin}
          options={[
            { value: 'all', name: 'Six usual tiles, of all bugs' },
            ...products.map(({ id, name: product }) => ({
              value: `product ${id}`,
              name: `Six usual tiles, of ${product}`,
            })),
            { value: 'none', name: 'Nothing' },
          ]}
          onChoice={setBegin}
        />
        <DialogEnd fault={fault} action="Create" isBusy={isBusy} onClose={onClose} />
      </form>
    </Dialog>
  )
}
