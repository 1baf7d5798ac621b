import { useRef, useState } from 'preact/hooks'
import { ALL_PRODUCTS_CALL } from '../../../../shared/first-calls.ts'
import { me } from '../../../core/account/session.ts'
import type { FieldList } from '../../../core/bugs/fields.ts'
import { currentAddress, go, query } from '../../../core/router.ts'
import { useData } from '../../../core/server/use-data.ts'
import { Combobox } from '../../../parts/combobox.tsx'
import { matching } from '../../../parts/matching.ts'
import { peopleLike } from '../../../parts/options.ts'
import { valueWords } from './filters.ts'

/** Changes the values of one filter in the address. What is filtered follows at once. */
export function FilterEditor({ name, fields }: { name: string; fields: FieldList }) {
  const isFirst = useRef(true)
  const values = query.value.getAll(name)
  const change = (next: readonly string[]) => {
    const search = new URLSearchParams(query.value)
    search.delete(name)
    for (const value of next) search.append(name, value)
    // The back button undoes all changes that were made while the editor was open.
    go(`${currentAddress.value.path}?${search}`, isFirst.current ? 'push' : 'replace')
    isFirst.current = false
  }
  const label = fields.label(name)
  const kind = fields.kind(name)
  if (name === 'product') return <Products label={label} values={values} onChange={change} />
  if (kind === 'choice') {
    const offered = fields.values(name, query.value.getAll('product')).map(({ name: value }) => value ?? '')
    const special = name === 'status' ? ['__open__', '__closed__'] : name === 'resolution' ? ['---'] : []
    return <Choices label={label} offered={[...special, ...offered]} values={values} onChange={change} />
  }
  if (kind === 'person') return <People label={label} values={values} onChange={change} />
  return <TextValue label={label} value={values[0] ?? ''} isTime={kind === 'time'} onChange={change} />
}

interface ValuesProps {
  label: string
  values: readonly string[]
  onChange(values: readonly string[]): void
}

/** The list of fields has no products: each reader sees others. */
function Products(props: ValuesProps) {
  const { body } = useData(ALL_PRODUCTS_CALL)
  return <Choices {...props} offered={body?.products.map(({ name }) => name) ?? []} />
}

function Choices({ label, offered, values, onChange }: ValuesProps & { offered: readonly string[] }) {
  const [text, setText] = useState('')
  const all = [...new Set([...offered, ...values])]
  const shown = matching(all, text, (value) => [valueWords(value), value])
  const toggle = (value: string) =>
    onChange(values.includes(value) ? values.filter((it) => it !== value) : [...values, value])
  return (
    <fieldset class="filter-choices">
      <legend>{label}</legend>
      <input
        class="input"
        aria-label={`Find a value of ${label}`}
        placeholder="Find"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          const first = shown[0]
          if (event.key === 'Enter' && first !== undefined) toggle(first)
        }}
      />
      <div class="filter-values">
        {shown.map((value) => (
          <label key={value} class="menu-item">
            <input class="checkbox" type="checkbox" checked={values.includes(value)} onChange={() => toggle(value)} />
            <span dir="auto">{valueWords(value)}</span>
          </label>
        ))}
        {shown.length === 0 && <div class="empty-line">Nothing matches.</div>}
      </div>
    </fieldset>
  )
}

function People({ label, values, onChange }: ValuesProps) {
  return (
    <div class="filter-people">
      <b>{label}</b>
      {values.map((value) => (
        <label key={value} class="menu-item">
          <input
            class="checkbox"
            type="checkbox"
            checked
            onChange={() => onChange(values.filter((it) => it !== value))}
          />
          <span dir="auto">{valueWords(value)}</span>
        </label>
      ))}
      <Combobox
        key={values.length}
        label={`Add a person: ${label}`}
        value=""
        placeholder="Name or login"
        isFree={me.value === undefined}
        hasFocus
        options={peopleLike}
        onChoice={({ value }) => value !== '' && !values.includes(value) && onChange([...values, value])}
      />
    </div>
  )
}

interface TextProps {
  label: string
  value: string
  isTime: boolean
  onChange(values: readonly string[]): void
}

function TextValue({ label, value, isTime, onChange }: TextProps) {
  const [text, setText] = useState(value)
  const take = () => onChange(text.trim() === '' ? [] : [text.trim()])
  return (
    <form
      class="filter-text"
      onSubmit={(event) => {
        event.preventDefault()
        take()
      }}
    >
      <label>
        {label}
        {isTime ? ' since' : ' contains'}
        <input
          class="input"
          value={text}
          placeholder={isTime ? '2026-11-01, 7d, 0d' : ''}
          onInput={(event) => setText(event.currentTarget.value)}
          onBlur={() => text.trim() !== value && take()}
        />
      </label>
      {isTime && <p class="hint">A day, or a distance from now: 7d is a week ago, 0d the beginning of today.</p>}
    </form>
  )
}
