// Each view is a script of its own, loaded when it is first shown.
import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import type { View, ViewName } from '../../shared/addresses.ts'

export type ViewComponent = ComponentType<{ parts: View['parts'] }>

const LOADERS: Readonly<Record<ViewName, () => Promise<{ View: ViewComponent }>>> = {
  home: () => import('../views/home.tsx'),
  list: () => import('../views/list.tsx'),
  bug: () => import('../views/bug.tsx'),
  file: () => import('../views/file.tsx'),
  products: () => import('../views/products.tsx'),
  product: () => import('../views/product.tsx'),
  requests: () => import('../views/requests.tsx'),
  user: () => import('../views/user.tsx'),
  settings: () => import('../views/settings.tsx'),
  admin: () => import('../views/admin.tsx'),
  login: () => import('../views/login.tsx'),
  'login-return': () => import('../views/login-return.tsx'),
  join: () => import('../views/join.tsx'),
  forgot: () => import('../views/forgot.tsx'),
  confirm: () => import('../views/confirm.tsx'),
  help: () => import('../views/help.tsx'),
  design: () => import('../views/design.tsx'),
  missing: () => import('../views/missing.tsx'),
}

export const loadedViews = signal<ReadonlyMap<ViewName, ViewComponent>>(new Map())

export async function loadView(name: ViewName) {
  if (loadedViews.value.has(name)) return
  const { View } = await LOADERS[name]()
  loadedViews.value = new Map(loadedViews.value).set(name, View)
}
