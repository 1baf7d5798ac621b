import { useState } from 'preact/hooks'
import { fieldNameOf } from '../../../shared/bug-fields/field-names.ts'
import { AXES } from '../../../shared/report-search.ts'
import type { FieldList } from '../../core/bugs/fields.ts'
import { hrefOf } from '../../core/router.ts'
import { RestError } from '../../core/server/rest.ts'
import { Button } from '../../parts/button.tsx'
import { FieldError, SelectField, TextField } from '../../parts/field.tsx'
import { axesOf, isOverTime, KINDS, kindIn, searchIn } from './report-kinds.ts'

interface Props {
  query: URLSearchParams
  fields: FieldList
  /** The kinds to choose from. */
  kinds?: readonly { value: string; name: string }[]
  /** What the server refused. */
  fault?: Error | undefined
  onChange(next: URLSearchParams): void
}

/** What is counted, and how. What is refused stands at the field that it is about, or at the search. */
export function ReportForm({ query, fields, kinds = KINDS, fault, onChange }: Props) {
  const chosen = query.get('kind') ?? ''
  const kind = chosen === 'list' || chosen === 'count' ? undefined : kindIn(query)
  const set = (changes: Record<string, string>) => {
    const next = new URLSearchParams(query)
    for (const [name, value] of Object.entries(changes))
      if (value === '') next.delete(name)
      else next.set(name, value)
    onChange(next)
  }
  const about = fault instanceof RestError ? fault.parameter : undefined
  const errorAt = (name: string) => (name === about ? fault?.message : undefined)
  // A distance from now, such as -12w, is no date.
  const day = (name: string, label: string, hint?: string) => (
    <TextField
      label={label}
      {...(hint !== undefined && { hint })}
      type={/^[-+]/.test(query.get(name) ?? '') ? 'text' : 'date'}
      value={query.get(name) ?? ''}
      error={errorAt(name)}
      onText={(value) => set({ [name]: value })}
    />
  )
  // Of these all days are shown.
  const isOfSeries = query.has('series')
  const days = (
    <>
      {day('from', 'From', isOfSeries ? undefined : 'If empty, a year before.')}
      {day('to', 'To', isOfSeries ? undefined : 'If empty, today.')}
    </>
  )
  if (isOfSeries)
    return (
      <section class="report-form" aria-label="What is shown">
        {days}
      </section>
    )
  const axes = axesOf(query)
  const options = [{ value: '', name: 'Nothing' }, ...axisOptions(fields)]
  // Links from Bugzilla have its names of fields, such as bug_status, and fields that are not offered here.
  const chosenFor = (axis: string) => {
    const value = axes.get(axis) ?? ''
    const offered = options.find((it) => fieldNameOf(it.value) === fieldNameOf(value))
    return offered ?? { value, name: fields.label(value) }
  }
  const axis = (name: string, label: string) => {
    const current = chosenFor(name)
    return (
      <SelectField
        label={label}
        value={current.value}
        error={errorAt(name)}
        options={options.includes(current) ? options : [...options, current]}
        onChoice={(value) => set({ ...Object.fromEntries(axes), [name]: value })}
      />
    )
  }
  return (
    <section class="report-form" aria-label="What is counted">
      <Bugs
        query={query}
        set={set}
        onChange={onChange}
        error={about !== undefined && OWN_FIELDS.includes(about) ? undefined : fault?.message}
      />
      <SelectField
        label="Report"
        value={kind ?? chosen}
        options={[...kinds]}
        onChoice={(value) => set({ kind: value, chart: '' })}
      />
      {kind === 'table' && (
        <>
          {axis('y_axis_field', 'Rows')}
          {axis('x_axis_field', 'Columns')}
          {axis('z_axis_field', 'Tables')}
        </>
      )}
      {kind !== undefined && isOverTime(kind) && (
        <SelectField
          label="Points"
          value={query.get('interval') ?? 'week'}
          error={errorAt('interval')}
          options={[
            { value: 'day', name: 'Each day' },
            { value: 'week', name: 'Each week' },
            { value: 'month', name: 'Each month' },
          ]}
          onChoice={(value) => set({ interval: value })}
        />
      )}
      {kind !== undefined && (isOverTime(kind) || kind === 'time_to_close') && days}
      {(kind === 'table' || kind === 'load' || kind === 'age') && day('as_of', 'As of')}
    </section>
  )
}

/** The parameters that have a field of their own. */
const OWN_FIELDS: readonly string[] = ['from', 'to', 'interval', 'as_of', ...AXES]

interface BugsProps {
  error: string | undefined
  query: URLSearchParams
  set(changes: Record<string, string>): void
  onChange(next: URLSearchParams): void
}

/** One line to search by. The conditions of a list that led here stay, and can be left. */
function Bugs({ query, error, set, onChange }: BugsProps) {
  const [text, setText] = useState(query.get('quicksearch') ?? '')
  const search = searchIn(query)
  const others = [...search.keys()].filter((name) => name !== 'quicksearch')
  if (others.length > 0 && query.get('kind') !== 'load')
    return (
      <div class="report-bugs">
        <a class="link" href={hrefOf(`/bugs?${search}`)}>
          The bugs of a list
        </a>
        <Button onClick={() => onChange(new URLSearchParams({ kind: query.get('kind') ?? 'table' }))}>All bugs</Button>
        {error !== undefined && <FieldError error={error} />}
      </div>
    )
  return (
    <form
      class="report-bugs"
      onSubmit={(event) => {
        event.preventDefault()
        set({ quicksearch: text })
      }}
      onChange={() => set({ quicksearch: text })}
    >
      <TextField
        label="Which bugs"
        value={text}
        placeholder="All"
        onText={setText}
        error={error}
        hint="As in the search at the top, such as severity:major."
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
