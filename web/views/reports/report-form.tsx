import { useState } from 'preact/hooks'
import type { FieldList } from '../../core/bugs/fields.ts'
import { go, hrefOf } from '../../core/router.ts'
import { Button } from '../../parts/button.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'
import { axesOf, isOverTime, KINDS, kindIn, searchIn } from './report-kinds.ts'

/** What is counted, and how. Each choice is in the address at once. */
export function ReportForm({ query, fields }: { query: URLSearchParams; fields: FieldList }) {
  const kind = kindIn(query)
  const set = (changes: Record<string, string>) => {
    const next = new URLSearchParams(query)
    for (const [name, value] of Object.entries(changes))
      if (value === '') next.delete(name)
      else next.set(name, value)
    go(`/reports?${next}`, 'replace')
  }
  const axes = axesOf(query)
  const options = [{ value: '', name: 'Nothing' }, ...axisOptions(fields)]
  const axis = (name: string, label: string) => (
    <SelectField
      label={label}
      value={axes.get(name) ?? ''}
      options={options}
      onChoice={(value) => set({ ...Object.fromEntries(axes), [name]: value })}
    />
  )
  return (
    <section class="report-form" aria-label="What is counted">
      <Bugs query={query} set={set} />
      <SelectField label="Report" value={kind} options={[...KINDS]} onChoice={(value) => set({ kind: value })} />
      {kind === 'table' && (
        <>
          {axis('y_axis_field', 'Rows')}
          {axis('x_axis_field', 'Columns')}
          {axis('z_axis_field', 'Tables')}
        </>
      )}
      {isOverTime(kind) && (
        <SelectField
          label="Points"
          value={query.get('interval') ?? 'week'}
          options={[
            { value: 'day', name: 'Each day' },
            { value: 'week', name: 'Each week' },
            { value: 'month', name: 'Each month' },
          ]}
          onChoice={(value) => set({ interval: value })}
        />
      )}
      {(isOverTime(kind) || kind === 'time_to_close') && (
        <>
          <TextField label="From" type="date" value={query.get('from') ?? ''} onText={(from) => set({ from })} />
          <TextField label="To" type="date" value={query.get('to') ?? ''} onText={(to) => set({ to })} />
        </>
      )}
      {(kind === 'table' || kind === 'load' || kind === 'age') && (
        <TextField label="As of" type="date" value={query.get('as_of') ?? ''} onText={(as_of) => set({ as_of })} />
      )}
    </section>
  )
}

/** One line to search by. The conditions of a list that led here stay, and can be left. */
function Bugs({ query, set }: { query: URLSearchParams; set(changes: Record<string, string>): void }) {
  const [text, setText] = useState(query.get('quicksearch') ?? '')
  const search = searchIn(query)
  const others = [...search.keys()].filter((name) => name !== 'quicksearch')
  if (others.length > 0 && kindIn(query) !== 'load')
    return (
      <div class="report-bugs">
        <a class="link" href={hrefOf(`/bugs?${search}`)}>
          The bugs of a list
        </a>
        <Button onClick={() => go(`/reports?${new URLSearchParams({ kind: kindIn(query) })}`)}>All bugs</Button>
      </div>
    )
  return (
    <form
      class="report-bugs"
      onSubmit={(event) => {
        event.preventDefault()
        set({ quicksearch: text })
      }}
    >
      <TextField
        label="Which bugs"
        value={text}
        placeholder="All"
        onText={setText}
        hint="As in the search at the top; Enter counts."
      />
    </form>
  )
}

const AXIS_FIELDS = [
  ...['product', 'component', 'version', 'target_milestone', 'status', 'resolution', 'priority', 'severity', 'type'],
  ...['assigned_to', 'creator', 'qa_contact', 'keywords', 'op_sys', 'platform', 'classification'],
]

function axisOptions(fields: FieldList) {
  const custom = fields.choices.filter(({ name }) => name.startsWith('cf_')).map(({ name }) => name)
  return [...AXIS_FIELDS, ...custom].map((value) => ({ value, name: fields.label(value) }))
}
