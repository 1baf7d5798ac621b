import { useLayoutEffect, useState } from 'preact/hooks'
import { SAVED_CALL } from '../../../shared/first-calls.ts'
import { chartsOf, MOST_COLUMNS } from '../../../shared/tile-kinds.ts'
import type { FieldList } from '../../core/bugs/fields.ts'
import { RestError } from '../../core/server/rest.ts'
import { useData } from '../../core/server/use-data.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'
import { ReportForm } from '../reports/report-form.tsx'
import { axesOf, kindIn } from '../reports/report-kinds.ts'
import { CHART_NAMES, TILE_KIND_NAMES, type Tile } from './tiles.ts'

interface Props {
  /** The tile that is changed; a new one without it. */
  tile: Tile | undefined
  fields: FieldList
  /** Refused with what is wrong about the tile. */
  onSave(tile: Tile): Promise<void>
  onClose(): void
}

/** What a tile shows, of which bugs, how it is drawn and how wide it is. */
export function TileDialog({ tile, fields, onSave, onClose }: Props) {
  const [title, setTitle] = useState(tile?.title ?? '')
  const [query, setQuery] = useState(() => withKind(tile))
  const [chart, setChart] = useState(tile?.chart ?? '')
  const [width, setWidth] = useState(String(tile?.width ?? 1))
  const [fault, setFault] = useState<Error>()
  const [isBusy, setBusy] = useState(false)
  // What is wrong can be typed anew at once.
  useLayoutEffect(() => {
    if (fault !== undefined) document.querySelector<HTMLElement>('dialog [aria-invalid="true"]')?.focus()
  }, [fault])
  const isAboutTitle = fault instanceof RestError && fault.parameter === 'tiles.title'
  const kind = query.get('kind') ?? 'over_time'
  const charts = chartsOf(kind)
  const drawn = charts.find((one) => one === chart) ?? charts[0] ?? ''
  const usual = TILE_KIND_NAMES.find(({ value }) => value === kind)?.name ?? ''
  const save = async () => {
    const parameters = new URLSearchParams(query)
    if (kind === 'table') for (const [name, field] of axesOf(query)) parameters.set(name, field)
    for (const name of ['kind', 'chart']) parameters.delete(name)
    for (const [name, value] of [...parameters]) if (value === '') parameters.delete(name)
    if (parameters.size === 0) parameters.set('quicksearch', 'ALL')
    setBusy(true)
    setFault(undefined)
    try {
      const name = title.trim() || usual
      await onSave({ title: name, kind, chart: drawn, width: Number(width), query: parameters.toString() })
    } catch (refusal) {
      setFault(refusal as Error)
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={tile === undefined ? 'Add a tile' : 'Change the tile'}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" isBusy={isBusy} onClick={() => void save()}>
            {tile === undefined ? 'Add it' : 'Save'}
          </Button>
        </>
      }
    >
      <TextField
        label="Title"
        value={title}
        placeholder={usual}
        onText={setTitle}
        error={isAboutTitle ? fault.message : undefined}
        isFocused
      />
      <FromSavedSearch query={query} onChange={setQuery} />
      <ReportForm
        query={query}
        fields={fields}
        kinds={TILE_KIND_NAMES}
        fault={isAboutTitle ? undefined : fault}
        onChange={setQuery}
      />
      {charts.length > 1 && (
        <SelectField
          label="Drawn as"
          value={drawn}
          options={charts.map((value) => ({ value, name: CHART_NAMES.get(value) ?? value }))}
          onChoice={setChart}
          {...(drawn === 'pie' && { hint: 'A pie shows few parts of one whole: choose only rows.' })}
        />
      )}
      <SelectField
        label="Width"
        value={width}
        options={Array.from({ length: MOST_COLUMNS }, (_, at) => ({
          value: String(at + 1),
          name: at === 0 ? '1 column' : `${at + 1} columns`,
        }))}
        onChoice={setWidth}
      />
    </Dialog>
  )
}

function withKind(tile: Tile | undefined) {
  const query = new URLSearchParams(tile?.query ?? '')
  query.set('kind', tile?.kind ?? 'over_time')
  if (query.get('quicksearch') === 'ALL') query.delete('quicksearch')
  return query
}

/** The parameters of a saved search are copied: the tile stays as it is when the search is changed or deleted. */
function FromSavedSearch({ query, onChange }: { query: URLSearchParams; onChange(next: URLSearchParams): void }) {
  const { body } = useData(SAVED_CALL)
  const [chosen, setChosen] = useState('')
  const searches = body?.saved_searches ?? []
  if (searches.length === 0) return null
  return (
    <SelectField
      label="Bugs of a saved search"
      value={chosen}
      options={[{ value: '', name: '…' }, ...searches.map(({ id, name }) => ({ value: String(id), name }))]}
      onChoice={(id) => {
        setChosen(id)
        const found = searches.find((it) => String(it.id) === id)
        if (found === undefined) return
        const next = new URLSearchParams(found.query)
        next.set('kind', query.get('kind') ?? kindIn(query))
        onChange(next)
      }}
    />
  )
}
