import type { Selectable } from 'kysely'
import type { Database } from '../../platform/database/tables.ts'

/** A search whose bugs are counted at intervals of some days. */
export interface Series extends Selectable<Database['series']> {
  product: string | null
  component: string | null
  creator: string | null
}

export interface NewSeries {
  category: string
  subcategory: string
  name: string
  query: string
  frequency: number
  is_public: boolean
}

/** The date of a time in milliseconds. */
export function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10)
}

/** The last day on which a series that is due today can have been counted. */
export function lastDayBefore(day: string, frequency: number): string {
  return dayOf(Date.parse(`${day}T00:00:00Z`) - frequency * 86_400_000)
}

export function presentSeries(series: Series) {
  return {
    id: series.id,
    category: series.category,
    subcategory: series.subcategory,
    name: series.name,
    query: series.query,
    product: series.product,
    component: series.component,
    frequency: series.frequency,
    is_public: series.is_public === 1,
    creator: series.creator,
    creation_time: series.created_at,
  }
}
