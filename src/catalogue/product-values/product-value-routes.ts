import { type TArray, type TObject, Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { Created, updated } from '../../platform/wire/openapi/schemas.ts'
import { flag, integer, required, type Shape, text, texts } from '../../platform/wire/params.ts'
import { getVisibleProduct } from '../products/product-permissions.ts'
import { DeletedInSteps, inSteps, presentDeleted } from '../removals/removal-json.ts'
import { createProductValue, removeProductValue, updateProductValues } from './change-product-values.ts'
import { presentProductValue } from './product-value.ts'
import { MILESTONE, type ProductValueKind, VERSION } from './product-value-kinds.ts'
import { Milestone, Version } from './product-value-schema.ts'

const EDITORS = 'For members of editcomponents, or of a group that has that right in the product.'

interface Words {
  order: string
  /** What happens to its bugs, or prevents it. */
  deletion: string
}

/** The calls for one kind of values, with its name in paths and responses. */
function routesOf<const What extends 'version' | 'milestone', Schema extends TObject, Removing extends Shape>(
  what: What,
  kind: ProductValueKind,
  schema: Schema,
  words: Words & {
    /** Parameters of its deletion. */
    removing: Removing
  },
) {
  const product = 'Id or name of a product.'
  const pathParams = { product }
  const onePathParams = { product, [what]: `Name of a ${what} of the product.` }
  const path = `/product/:product/${what}` as const
  const onePath = `/product/:product/${what}/:${what}` as const
  const list = `${what}s` as const
  const params = {
    name: text('Unique in the product, regardless of letter case.'),
    sort_key: integer(`${kind.class}s are ordered by sort_key, then by name${words.order}. 0 by default.`),
    is_active: flag('Whether it can be chosen for bugs. On by default.'),
  }
  const lists = { [list]: Type.Array(schema) } as Record<typeof list, TArray<Schema>>
  const get = call({
    method: 'GET',
    path,
    pathParams,
    resource: what,
    summary: `List the ${list} of a product.`,
    params: {},
    answers: Type.Object(lists, { additionalProperties: false }),
    selectsFields: true,
    scope: 'read',
    async run(context) {
      const { id } = await getVisibleProduct(context, context.path.product ?? '')
      const values = await kind.store.list(context.db, [id])
      return { [list]: values.map((value) => context.select.pick(presentProductValue(value))) }
    },
  })
  const post = call({
    method: 'POST',
    idempotency: 'once',
    path,
    pathParams,
    resource: what,
    summary: `Create a ${what}.`,
    about: EDITORS,
    params: { ...params, name: required(params.name) },
    answers: Created,
    status: 201,
    scope: 'admin',
    run: async (context) => ({
      id: await createProductValue(kind, context, context.path.product ?? '', context.params),
    }),
  })
  const put = call({
    method: 'PUT',
    path: onePath,
    pathParams: onePathParams,
    resource: what,
    summary: `Change ${list}.`,
    about: `${EDITORS} Bugs keep a ${what} that is renamed.`,
    params: { ...params, names: texts(`More ${list} of the product to change.`) },
    unknownParams: 'refused',
    answers: updated(list),
    scope: 'admin',
    async run(context) {
      const { names = [], ...wanted } = context.params
      const { product = '', [what]: name = '' } = context.path
      return { [list]: await updateProductValues(kind, context, { product, names: [name, ...names] }, wanted) }
    },
  })
  const remove = call({
    method: 'DELETE',
    path: onePath,
    pathParams: onePathParams,
    resource: what,
    summary: `Delete a ${what}.`,
    about: `${EDITORS} ${words.deletion}`,
    params: words.removing,
    answers: DeletedInSteps,
    scope: 'admin',
    async run(context) {
      const { product = '', [what]: name = '' } = context.path
      const steps = (context.params as { in_steps?: unknown }).in_steps === true
      const { value, removal } = await removeProductValue(kind, context, { product, name }, steps)
      return presentDeleted(value, removal, context.caller)
    },
  })
  return [get, post, put, remove] as const
}

export const versionRoutes = routesOf('version', VERSION, Version, {
  order: ': 1.9 before 1.10',
  deletion: 'Refused for the only version of a product, and for a version that a bug has.',
  removing: {},
})

export const milestoneRoutes = routesOf('milestone', MILESTONE, Milestone, {
  order: '',
  deletion: 'Its bugs get the default milestone of the product, which itself cannot be deleted.',
  removing: { in_steps: inSteps },
})
