import { useState } from 'preact/hooks'
import { setDensity, setTheme } from '../../core/appearance.ts'
import { SelectField } from '../../parts/field.tsx'
import { FirstPageChoice } from './first-page-choice.tsx'
import { TimeZoneChoice } from './time-zone-choice.tsx'

const COLOURS = [
  { value: '', name: 'Same as the system' },
  { value: 'light', name: 'Light' },
  { value: 'dark', name: 'Dark' },
]
const ROWS = [
  { value: '', name: 'Normal' },
  { value: 'compact', name: 'Compact' },
  { value: 'roomy', name: 'Roomy' },
]

/** Colours, density, time zone and first page, which are kept in this browser. */
export function Appearance() {
  const { theme, density } = document.documentElement.dataset
  return (
    <section class="stack" aria-label="Appearance">
      <h2>Appearance</h2>
      <Choice
        label="Colours"
        first={theme}
        options={COLOURS}
        onChoice={(value) => setTheme(value === 'light' || value === 'dark' ? value : undefined)}
      />
      <Choice label="Rows of lists" first={density} options={ROWS} onChoice={setDensity} />
      <TimeZoneChoice />
      <FirstPageChoice />
    </section>
  )
}

interface ChoiceProps {
  label: string
  first: string | undefined
  options: readonly { value: string; name: string }[]
  /** Undefined for the usual one. */
  onChoice(value: string | undefined): void
}

function Choice({ label, first = '', options, onChoice }: ChoiceProps) {
  const [value, setValue] = useState(first)
  const choose = (next: string) => {
    setValue(next)
    onChoice(next === '' ? undefined : next)
  }
  return <SelectField label={label} value={value} options={options} onChoice={choose} />
}
