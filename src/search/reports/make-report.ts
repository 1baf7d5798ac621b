import { sql } from 'kysely'
import { restNameOf } from '../../../shared/bug-fields/field-names.ts'
import { loginFor } from '../../access/visibility/reader-rights.ts'
import { FIELD_TYPE } from '../../catalogue/fields/field.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import { always, type Condition } from '../conditions/condition.ts'
import { type BugCount, countBugs, countBugsBy } from '../listing/bug-count-store.ts'
import type { Query } from '../parsing/query.ts'
import type { SearchContext } from '../search-context.ts'
import { type Axis, type AxisName, axisAt, axisNamed, canCountBugTwice } from './axes.ts'
import { namesIn } from './axis-names-store.ts'

export const AXIS_NAMES: readonly AxisName[] = ['x', 'y', 'z']
/** A larger report would not be readable. */
const MOST_CELLS = 20_000

/** The fields of the axes. */
export type WantedAxes = Readonly<Partial<Record<AxisName, string>>>

export interface WantedReport {
  readonly axes: WantedAxes
  /** Counts by the values at this time, of the bugs that existed then. */
  readonly at?: string | undefined
  /** Whether to count each value of an axis by itself. */
  readonly withTotals?: boolean | undefined
}

export type Report = Awaited<ReturnType<typeof makeReport>>

/** Counts the bugs of a query by the values of up to three fields. Empty cells are left out. */
export async function makeReport(context: SearchContext, query: Query, { axes: wanted, at, withTotals }: WantedReport) {
  const axes = axesIn(context, wanted, at)
  const among: Condition = at === undefined ? always : sql`bugs.created_at <= ${at}`
  const counted = await countBugsBy(context, query, [...axes.values()], MOST_CELLS + 1, among)
  if (counted.length > MOST_CELLS) throw errors.report_too_large({ most: MOST_CELLS })
  const labels = await labelsFor(context, [...axes.values()], counted)
  const cells = merged(counted, labels)
  const isOnceEach = at !== undefined || ![...axes.values()].some(canCountBugTwice)
  const total = isOnceEach ? counted.reduce((sum, { bugs }) => sum + bugs, 0) : await countBugs(context, query)
  const found = { ...presentAxes(axes, labels, cells), counts: presentCells([...axes.keys()], cells), bug_count: total }
  if (!withTotals) return found
  return { ...found, ...(await totalsOf(context, query, axes, { labels, cells, isOnceEach })) }
}

interface Counted {
  readonly labels: readonly Labels[]
  readonly cells: Cells
  readonly isOnceEach: boolean
}

/** How many bugs have each value of an axis. Where a bug is in several cells, the bugs are counted once more instead of adding up. */
async function totalsOf(context: SearchContext, query: Query, axes: ReadonlyMap<AxisName, Axis>, counted: Counted) {
  const entries: [string, number[]][] = AXIS_NAMES.map((axisName) => [`${axisName}_totals`, []])
  const totals = new Map(entries)
  for (const [at, [axisName, axis]] of [...axes].entries()) {
    const label = counted.labels[at]
    const bugs = new Map<string, number>()
    const add = (name: string, count: number) => bugs.set(name, count + (bugs.get(name) ?? 0))
    if (counted.isOnceEach || axes.size === 1)
      for (const cell of counted.cells.values()) add(cell.labels[at] ?? '', cell.bugs)
    else
      for (const { ids, bugs: count } of await countBugsBy(context, query, [axis], MOST_CELLS))
        add(label?.of(ids[0] ?? null) ?? '', count)
    const names = valuesAlong(counted.cells, at, label)
    totals.set(
      `${axisName}_totals`,
      names.map((name) => bugs.get(name) ?? 0),
    )
  }
  return Object.fromEntries(totals)
}

/** The axes as fields, or the error about one that cannot be counted by. */
export function axesIn({ fields }: SearchContext, wanted: WantedAxes, at: string | undefined): Map<AxisName, Axis> {
  const requested = AXIS_NAMES.filter((axisName) => wanted[axisName] !== undefined && wanted[axisName].trim() !== '')
  if (requested.length === 0)
    throw errors.one_of_required({ names: AXIS_NAMES.map((axisName) => `${axisName}_axis_field`) })
  return new Map(
    requested.map((axisName) => {
      const axis = axisNamed(fields, wanted[axisName] ?? '', axisName)
      return [axisName, at === undefined ? axis : axisAt(axis, axisName, at)]
    }),
  )
}

/** The names of the ids along an axis, and their order. */
interface Labels {
  of(id: number | string | null): string
  compare(a: string, b: string): number
}

function labelsFor(context: SearchContext, axes: readonly Axis[], counted: readonly BugCount[]): Promise<Labels[]> {
  return Promise.all(
    axes.map(async (axis, index) => {
      if ('areNumbers' in axis.names) return NUMBERS
      if ('values' in axis.names) return labelsOfValues(axis)
      const ids = counted.flatMap(({ ids }) => currentId(ids[index] ?? null) ?? [])
      return labelsOfRows(context, axis, await namesIn(context.db, axis.names.table, ids))
    }),
  )
}

/** Values of select fields are in the order that an administrator gave them. */
function labelsOfValues({ names }: Axis): Labels {
  const field = 'values' in names ? names.values : undefined
  const values = field?.values ?? []
  const byId = new Map(values.map(({ id, name }) => [id, name]))
  const places = new Map(values.map(({ name }, index) => [name, index]))
  const none = field?.is_custom === 1 && field.type === FIELD_TYPE.singleSelect ? '---' : ''
  return {
    of: (id) => recordedText(id) ?? byId.get(currentId(id) ?? 0) ?? none,
    compare: (a, b) => (places.get(a) ?? -1) - (places.get(b) ?? -1),
  }
}

const NUMBERS: Labels = { of: String, compare: (a, b) => Number(a) - Number(b) }

function labelsOfRows(context: SearchContext, { names }: Axis, known: ReadonlyMap<number, string>): Labels {
  const isPeople = 'table' in names && names.table === 'users'
  const shown = (name: string) => (isPeople ? loginFor(name, context) : name)
  return {
    of: (id) => shown(recordedText(id) ?? known.get(currentId(id) ?? 0) ?? ''),
    compare: byName,
  }
}

/** The text of a value in the past; see axisAt. */
function recordedText(id: number | string | null) {
  return typeof id === 'string' && id.startsWith('=') ? id.slice(1) : undefined
}

function currentId(id: number | string | null): number | undefined {
  if (typeof id === 'number') return id
  return id?.startsWith('#') ? Number(id.slice(1)) : undefined
}

function byName(a: string, b: string) {
  const [one, other] = [fold(a), fold(b)]
  return one < other ? -1 : one > other ? 1 : 0
}

/** By the names along the axes: two components of the same name in two products are one. */
type Cells = ReadonlyMap<string, { labels: readonly string[]; bugs: number }>

function merged(counted: readonly BugCount[], labels: readonly Labels[]): Cells {
  const cells = new Map<string, { labels: readonly string[]; bugs: number }>()
  for (const { ids, bugs } of counted) {
    const named = labels.map((label, index) => label.of(ids[index] ?? null))
    const key = JSON.stringify(named)
    cells.set(key, { labels: named, bugs: bugs + (cells.get(key)?.bugs ?? 0) })
  }
  const sorted = [...cells].sort(([, a], [, b]) => {
    const differing = labels.findIndex((_, index) => a.labels[index] !== b.labels[index])
    return labels[differing]?.compare(a.labels[differing] ?? '', b.labels[differing] ?? '') ?? 0
  })
  return new Map(sorted)
}

type PresentedAxes = Record<`${AxisName}_axis_field`, string | null> & Record<`${AxisName}_values`, string[]>

function presentAxes(axes: ReadonlyMap<AxisName, Axis>, labels: readonly Labels[], cells: Cells) {
  const places = [...axes.keys()]
  const entries = AXIS_NAMES.flatMap((axisName): [string, unknown][] => {
    const axis = axes.get(axisName)
    const at = places.indexOf(axisName)
    return [
      [`${axisName}_axis_field`, axis ? restNameOf(axis.field) : null],
      [`${axisName}_values`, axis ? valuesAlong(cells, at, labels[at]) : []],
    ]
  })
  return Object.fromEntries(entries) as PresentedAxes
}

function valuesAlong(cells: Cells, at: number, labels: Labels | undefined): string[] {
  const values = new Set([...cells.values()].map((cell) => cell.labels[at] ?? ''))
  return [...values].sort((a, b) => labels?.compare(a, b) ?? 0)
}

function presentCells(places: readonly AxisName[], cells: Cells) {
  return [...cells.values()].map(({ labels, bugs }) => ({
    ...(Object.fromEntries(places.map((axisName, at) => [axisName, labels[at]])) as Partial<Record<AxisName, string>>),
    bug_count: bugs,
  }))
}
