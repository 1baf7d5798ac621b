import type { ComponentType } from 'preact'
import type { View, ViewName } from '../../shared/addresses.ts'

export type ViewComponent = ComponentType<{ parts: View['parts'] }>

/** How to load each view. The build writes this table from the list of addresses: see src/pages/build-pages.ts. */
export const VIEW_SCRIPTS = {} as Readonly<Record<ViewName, () => Promise<{ View: ViewComponent }>>>
