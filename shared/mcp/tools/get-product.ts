import { answerOf, inputOf, listOf, objectOf } from '../input-schema.ts'
import type { Tool } from '../tool.ts'
import type { Tracker } from '../tracker.ts'

const MOST = 50
const LISTED = ['name', 'description', 'is_active'] as const
const PARTS = ['name', 'description', 'is_active', 'components', 'versions', 'milestones'] as const
/** Fields whose values are the same in all products. */
const VALUE_FIELDS = ['priority', 'bug_severity', 'bug_type'] as const

export const getProduct: Tool = {
  name: 'get_product',
  title: 'Look up products',
  about: `Without a name: the products in which bugs can be filed. With one: its components, versions and milestones, and the values of priority, severity and type. At most ${MOST} of each at once. Use it before filing a bug.`,
  needs: 'read',
  input: inputOf({
    product: { type: 'string', minLength: 1, maxLength: 100, description: 'Name of a product.' },
    offset: {
      type: 'integer',
      minimum: 0,
      maximum: 1_000_000,
      description: 'Skips so many products, or components, versions and milestones.',
    },
  }),
  data: objectOf({
    products: listOf(answerOf('Product', LISTED)),
    product: answerOf('Product', PARTS),
    values: objectOf(Object.fromEntries(VALUE_FIELDS.map((name) => [name, listOf({ type: 'string' })]))),
  }),
  run: (tracker, args) => {
    const { product, offset = 0 } = args as { product?: string; offset?: number }
    return product === undefined ? listProducts(tracker, offset) : readProduct(tracker, product, offset)
  },
}

async function listProducts(tracker: Tracker, offset: number) {
  const { body } = await tracker.call('GET', '/product', { type: 'enterable', include_fields: LISTED.join() })
  const { products } = body as { products: object[] }
  const shown = products.slice(offset, offset + MOST)
  const end = offset + shown.length
  return {
    says: `${shown.length} of ${products.length} products.`,
    data: { products: shown },
    next: end < products.length ? { offset: end } : undefined,
  }
}

interface Listed {
  name: string
  description?: string
  is_active?: boolean
}

interface ProductParts {
  components: Listed[]
  versions: Listed[]
  milestones: Listed[]
}

async function readProduct(tracker: Tracker, name: string, offset: number) {
  const { body } = await tracker.call('GET', '/product/:ref', {
    ref: name,
    include_fields: PARTS.join(),
    exclude_fields: 'components.flag_types',
  })
  const [product] = (body as { products: ProductParts[] }).products
  if (product === undefined) return { says: 'There is no such product, or you may not see it.', data: {} }
  const lists = [product.components, product.versions, product.milestones].map(usable)
  const [components = [], versions = [], milestones = []] = lists.map((list) => list.slice(offset, offset + MOST))
  const longest = Math.max(...lists.map(({ length }) => length))
  return {
    says: `One product, with ${lists.map(({ length }) => length).join(', ')} components, versions and milestones.`,
    data: { product: { ...product, components, versions, milestones }, values: await readValues(tracker) },
    next: offset + MOST < longest ? { offset: offset + MOST } : undefined,
  }
}

/** Without those that are closed, and without what a model does not need of them. */
function usable(list: readonly Listed[] = []): Listed[] {
  return list
    .filter(({ is_active: isActive }) => isActive !== false)
    .map(({ name, description }) => ({
      name,
      ...(description !== undefined && { description: description.slice(0, 200) }),
    }))
}

async function readValues(tracker: Tracker): Promise<Record<string, string[]>> {
  const read = async (name: string): Promise<[string, string[]][]> => {
    const { body } = await tracker.call('GET', '/field/bug/:field', { field: name, include_fields: 'name,values' })
    const [found] = (body as { fields: { values?: Listed[] }[] }).fields
    return found === undefined ? [] : [[name, usable(found.values).map((value) => value.name)]]
  }
  // A Bugzilla has no types.
  const names = tracker.isLacewing ? VALUE_FIELDS : VALUE_FIELDS.filter((name) => name !== 'bug_type')
  const lists: [string, string[]][] = []
  for (const name of names) lists.push(...(await read(name)))
  return Object.fromEntries(lists)
}
