/** Something that a user watches. A watch of a component also names its product. */
export interface Watch {
  id: number
  product: Named | undefined
  /** Undefined also for a watch of the whole product. */
  component: Named | undefined
  keyword: Named | undefined
}

export interface Named {
  id: number
  name: string
}

/** The kinds of calls: those for components also have the watches of whole products, as in BMO. */
export const WATCH_KINDS = ['component', 'product', 'keyword'] as const
export type WatchKind = (typeof WATCH_KINDS)[number]

export function isOfKind(kind: WatchKind, { product, component, keyword }: Watch): boolean {
  if (kind === 'keyword') return keyword !== undefined
  return product !== undefined && (kind === 'component' || component === undefined)
}

/** compat: the names of BMO. It also has watches of all components whose name begins with a text; those are not here. */
export function presentProductWatch({ id, product, component }: Watch) {
  return {
    id,
    product_name: product?.name ?? '',
    component_name: component?.name ?? '',
    component_prefix: '',
    product: product ?? { id: 0, name: '' },
    component: component ?? null,
  }
}

export function presentKeywordWatch({ id, keyword }: Watch) {
  return { id, keyword_name: keyword?.name ?? '', keyword: keyword ?? { id: 0, name: '' } }
}
