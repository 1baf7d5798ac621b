// What rows and series are called in a chart and its table. CSV and addresses have the values themselves.
import { personBy } from '../../core/bugs/people.ts'
import { displayValue } from '../../parts/glyphs.tsx'
import { nameOf } from '../../parts/person.tsx'
import { type ChartData, PEOPLE } from './chart-data.ts'

const WITH_WORDS: ReadonlySet<string> = new Set(['status', 'bug_status', 'resolution'])

/** People by their real names, and the values of statuses as words. */
export function namedData(data: ChartData): ChartData {
  const seriesNames = namesIn(
    data.seriesField,
    data.series.map(({ name }) => name),
  )
  return {
    ...data,
    rows: namesIn(data.rowField, data.rows),
    series: data.series.map((one, at) => ({ ...one, name: seriesNames[at] ?? one.name })),
  }
}

function namesIn(field: string | undefined, values: readonly string[]): readonly string[] {
  if (field === undefined) return values
  const names = values.map((value) => nameFor(field, value))
  // People who share a name are told apart by their login names.
  return names.map((name, at) => (names.indexOf(name) === names.lastIndexOf(name) ? name : (values[at] ?? name)))
}

function nameFor(field: string, value: string) {
  if (value !== '' && PEOPLE.has(field)) return nameOf(personBy(value))
  return WITH_WORDS.has(field) ? displayValue(value) : value
}
