// Each view is a script of its own, loaded when it is first shown.
import { signal } from '@preact/signals'
import { isStyledApart, type ViewName } from '../../shared/addresses.ts'
import { loadStyleApart } from '../core/style-apart.ts'
import { VIEW_SCRIPTS, type ViewComponent } from './view-scripts.ts'

export const loadedViews = signal<ReadonlyMap<ViewName, ViewComponent>>(new Map())

export async function loadView(name: ViewName) {
  if (loadedViews.value.has(name)) return
  const [{ View }] = await Promise.all([VIEW_SCRIPTS[name](), isStyledApart({ name }) && loadStyleApart()])
  loadedViews.value = new Map(loadedViews.value).set(name, View)
}
