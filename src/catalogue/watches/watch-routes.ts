import { Type } from '@sinclair/typebox'
import { type CallContext, call } from '../../access/call.ts'
import { requireLogin } from '../../access/caller.ts'
import { refs, required, text } from '../../platform/wire/params.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { endWatch, watchKeyword, watchProduct } from './change-watches.ts'
import { isOfKind, presentKeywordWatch, presentProductWatch, type Watch, type WatchKind } from './watch.ts'
import { listWatches, type WatchContext } from './watch-store.ts'

const resource = 'watching'
const strict = { additionalProperties: false }
const Nothing = Type.Object({}, strict)
const Named = Type.Object({ id: Type.Integer(), name: Type.String() }, strict)
const ProductWatch = Type.Object(
  {
    id: Type.Integer(),
    product_name: Type.String(),
    component_name: Type.String(),
    component_prefix: Type.String(),
    product: Named,
    component: Type.Union([Named, Type.Null()]),
  },
  { title: 'ProductWatch', ...strict },
)
const KeywordWatch = Type.Object(
  { id: Type.Integer(), keyword_name: Type.String(), keyword: Named },
  { title: 'KeywordWatch', ...strict },
)
const Status = Type.Object({ status: Type.Union([Type.Literal(0), Type.Literal(1)]) }, strict)
const pathParams = { id: 'Id of a watch.' }
/** A product with more of them can be watched as a whole. */
const MOST_COMPONENTS = 100

function contextOf({ db, settings, caller }: CallContext): WatchContext {
  return { db, settings, caller: requireLogin(caller) }
}

async function watchesOf(context: CallContext, kind: WatchKind): Promise<Watch[]> {
  return (await listWatches(contextOf(context))).filter((watch) => isOfKind(kind, watch))
}

async function oneOf(context: CallContext, kind: WatchKind): Promise<Watch[]> {
  const id = idIn(context.path.id ?? '')
  return (await watchesOf(context, kind)).filter((watch) => watch.id === id)
}

async function ending(context: CallContext, kind: WatchKind): Promise<{ status: 0 | 1 }> {
  const own = contextOf(context)
  const id = idIn(context.path.id ?? '')
  return { status: id !== undefined && (await endWatch(own, kind, id)) ? 1 : 0 }
}

const listComponentWatches = call({
  method: 'GET',
  path: '/component-watching',
  resource,
  summary: 'List the components and products that the caller watches.',
  params: {},
  answers: Type.Array(ProductWatch),
  scope: 'read',
  run: async (context) => (await watchesOf(context, 'component')).map(presentProductWatch),
})

const getComponentWatch = call({
  method: 'GET',
  path: '/component-watching/:id',
  pathParams,
  resource,
  summary: 'Get one watched component or product.',
  params: {},
  answers: Type.Union([ProductWatch, Nothing]),
  scope: 'read',
  run: async (context) => (await oneOf(context, 'component')).map(presentProductWatch)[0] ?? {},
})

const postComponentWatch = call({
  method: 'POST',
  idempotency: 'once',
  path: '/component-watching',
  resource,
  summary: 'Watch a component, or a whole product.',
  about: 'Returns the new watch; an empty object if the caller watches it already.',
  params: {
    product: required(text('Name or id of a product.')),
    component: refs(
      'Name of a component of the product, or several. If it is missing or empty: the whole product.',
      MOST_COMPONENTS,
    ),
  },
  answers: Type.Union([ProductWatch, Nothing]),
  scope: 'write',
  async run(context) {
    const { product, component = [] } = context.params
    const named = component.filter((name) => /\S/.test(name))
    return (await watchProduct(contextOf(context), product, named)).map(presentProductWatch)[0] ?? {}
  },
})

const deleteComponentWatch = call({
  method: 'DELETE',
  path: '/component-watching/:id',
  pathParams,
  resource,
  summary: 'Stop watching a component or a product.',
  params: {},
  answers: Status,
  scope: 'write',
  run: (context) => ending(context, 'component'),
})

const listProductWatches = call({
  method: 'GET',
  path: '/product-watching',
  resource,
  summary: 'List the products that the caller watches as a whole.',
  params: {},
  answers: Type.Array(ProductWatch),
  scope: 'read',
  run: async (context) => (await watchesOf(context, 'product')).map(presentProductWatch),
})

const getProductWatch = call({
  method: 'GET',
  path: '/product-watching/:id',
  pathParams,
  resource,
  summary: 'Get one watched product.',
  params: {},
  answers: Type.Union([ProductWatch, Nothing]),
  scope: 'read',
  run: async (context) => (await oneOf(context, 'product')).map(presentProductWatch)[0] ?? {},
})

const postProductWatch = call({
  method: 'POST',
  idempotency: 'once',
  path: '/product-watching',
  resource,
  summary: 'Watch a product.',
  about: 'Returns the new watch; an empty object if the caller watches it already.',
  params: { product: required(text('Name or id of a product.')) },
  answers: Type.Union([ProductWatch, Nothing]),
  scope: 'write',
  run: async (context) =>
    (await watchProduct(contextOf(context), context.params.product, [])).map(presentProductWatch)[0] ?? {},
})

const deleteProductWatch = call({
  method: 'DELETE',
  path: '/product-watching/:id',
  pathParams,
  resource,
  summary: 'Stop watching a product.',
  params: {},
  answers: Status,
  scope: 'write',
  run: (context) => ending(context, 'product'),
})

const listKeywordWatches = call({
  method: 'GET',
  path: '/keyword-watching',
  resource,
  summary: 'List the keywords that the caller watches.',
  params: {},
  answers: Type.Array(KeywordWatch),
  scope: 'read',
  run: async (context) => (await watchesOf(context, 'keyword')).map(presentKeywordWatch),
})

const getKeywordWatch = call({
  method: 'GET',
  path: '/keyword-watching/:id',
  pathParams,
  resource,
  summary: 'Get one watched keyword.',
  params: {},
  answers: Type.Union([KeywordWatch, Nothing]),
  scope: 'read',
  run: async (context) => (await oneOf(context, 'keyword')).map(presentKeywordWatch)[0] ?? {},
})

const postKeywordWatch = call({
  method: 'POST',
  idempotency: 'once',
  path: '/keyword-watching',
  resource,
  summary: 'Watch a keyword.',
  about: 'Returns the new watch; an empty object if the caller watches it already.',
  params: { keyword: required(text('Name or id of a keyword.')) },
  answers: Type.Union([KeywordWatch, Nothing]),
  scope: 'write',
  run: async (context) =>
    (await watchKeyword(contextOf(context), context.params.keyword)).map(presentKeywordWatch)[0] ?? {},
})

const deleteKeywordWatch = call({
  method: 'DELETE',
  path: '/keyword-watching/:id',
  pathParams,
  resource,
  summary: 'Stop watching a keyword.',
  params: {},
  answers: Status,
  scope: 'write',
  run: (context) => ending(context, 'keyword'),
})

const productWatchRoutes = [listProductWatches, getProductWatch, postProductWatch, deleteProductWatch] as const
const keywordWatchRoutes = [listKeywordWatches, getKeywordWatch, postKeywordWatch, deleteKeywordWatch] as const
export const watchRoutes = [
  listComponentWatches,
  getComponentWatch,
  postComponentWatch,
  deleteComponentWatch,
  ...productWatchRoutes,
  ...keywordWatchRoutes,
] as const
