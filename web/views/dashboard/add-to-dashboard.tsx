import { useState } from 'preact/hooks'
import { DASHBOARDS_CALL, dashboardCall } from '../../../shared/first-calls.ts'
import { chartsOf, MOST_TILES } from '../../../shared/tile-kinds.ts'
import { go } from '../../core/router.ts'
import { getOnce, post, put } from '../../core/server/rest.ts'
import { useData } from '../../core/server/use-data.ts'
import { showToast } from '../../core/toasts.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { DialogEnd } from '../../parts/dialog-end.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { axesOf, KINDS, kindIn } from '../reports/report-kinds.ts'
import type { Tile } from './tiles.ts'

/** Keeps a report as a tile of a dashboard. */
export function AddToDashboard({ query }: { query: URLSearchParams }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon="plus" onClick={() => setOpen(true)}>
        Add to dashboard
      </Button>
      {isOpen && <AddDialog query={query} onClose={() => setOpen(false)} />}
    </>
  )
}

const NEW = 'new'

function AddDialog({ query, onClose }: { query: URLSearchParams; onClose(): void }) {
  const kind = kindIn(query)
  const [title, setTitle] = useState(KINDS.find(({ value }) => value === kind)?.name ?? '')
  const [name, setName] = useState('')
  const { body } = useData(DASHBOARDS_CALL)
  const own = (body?.dashboards ?? []).filter(({ can_change }) => can_change)
  const [chosen, setChosen] = useState<string>()
  const to = chosen ?? (own[0] === undefined ? NEW : String(own[0].id))
  const { submit, isBusy, fault } = useSubmit(async () => {
    const tile = tileOf(query, title)
    const id = to === NEW ? (await post('/dashboard', { name, tiles: [tile] })).id : await append(to, tile)
    showToast({
      kind: 'done',
      text: `“${tile.title}” is on the dashboard.`,
      action: { name: 'Open it', run: () => go(`/dashboard/${id}`) },
    })
    onClose()
  })
  return (
    <Dialog title="Add to dashboard" onClose={onClose}>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <TextField label="Title" isNeeded value={title} onText={setTitle} isFocused />
        <SelectField
          label="Dashboard"
          value={to}
          options={[
            ...own.map((it) => ({ value: String(it.id), name: it.name })),
            { value: NEW, name: 'A new dashboard' },
          ]}
          onChoice={setChosen}
        />
        {to === NEW && <TextField label="Name of the dashboard" isNeeded value={name} onText={setName} />}
        <DialogEnd fault={fault} action="Add" isBusy={isBusy} onClose={onClose} />
      </form>
    </Dialog>
  )
}

/** The report as it stands in the address. */
function tileOf(query: URLSearchParams, title: string): Tile {
  const kind = kindIn(query)
  const parameters = new URLSearchParams(query)
  if (kind === 'table') for (const [name, field] of axesOf(query)) parameters.set(name, field)
  const chart = chartsOf(kind).find((one) => one === query.get('chart')) ?? chartsOf(kind)[0] ?? ''
  for (const name of ['kind', 'chart']) parameters.delete(name)
  if (parameters.size === 0) parameters.set('quicksearch', 'ALL')
  return { title: title.trim(), kind, chart, width: 1, query: parameters.toString() }
}

async function append(id: string, tile: Tile): Promise<number> {
  const { dashboards } = await getOnce(dashboardCall(id))
  const before = dashboards[0]
  if ((before?.tiles.length ?? 0) >= MOST_TILES) throw new Error(`A dashboard has at most ${MOST_TILES} tiles.`)
  const tiles = [...(before?.tiles ?? []), tile]
  await put('/dashboard/:id', { id: Number(id), tiles }, { 'If-Match': `"${before?.version}"` })
  return Number(id)
}
