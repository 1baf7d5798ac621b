import { type CallContext, call } from '../../access/call.ts'
import { requireGroup } from '../../access/caller.ts'
import { listProducts, type ProductAccess } from '../../access/visibility/visible-products.ts'
import { errors } from '../../platform/errors.ts'
import { CreatedInPart, updated } from '../../platform/wire/openapi/schemas.ts'
import { documentedAsRequired, flag, integer, integers, text, texts } from '../../platform/wire/params.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { DeletedInSteps, inSteps, presentDeleted } from '../removals/removal-json.ts'
import { createProduct, NO_MILESTONE } from './create-product.ts'
import { NO_VOTES } from './product.ts'
import { keyIn, type ProductKey } from './product-permissions.ts'
import { ProductIds, Products } from './product-schema.ts'
import { readProducts } from './read-products.ts'
import { removeProduct } from './remove-product.ts'
import { updateProducts } from './update-products.ts'

const resource = 'product'
const pathParams = { ref: 'Id or name of a product.' }

function idsCall(access: ProductAccess, summary: string) {
  return call({
    method: 'GET',
    path: `/product_${access}`,
    resource,
    summary,
    params: {},
    answers: ProductIds,
    scope: 'read',
    async run({ db, caller, settings }) {
      const products = await listProducts(db, caller, settings, access)
      return { ids: products.map(({ id }) => id) }
    },
  })
}

const getSelectable = idsCall('selectable', 'List the ids of products that the caller can search in, ordered by name.')
const getEnterable = idsCall('enterable', 'List the ids of products that the caller can file bugs in, ordered by name.')
const getAccessible = idsCall(
  'accessible',
  'List the ids of products that the caller can search in or file bugs in, ordered by name.',
)

const readParams = {
  ids: texts('Ids of products.'),
  names: texts('Names of products.'),
  type: texts('One or several of accessible, selectable, enterable and administered: adds all such products.'),
}

const aboutReading =
  'Products that do not exist or that the caller may not see are left out. Without ids, names and type, returns all accessible products.'

const getProducts = call({
  method: 'GET',
  path: '/product',
  resource,
  summary: 'Get products.',
  about: aboutReading,
  params: readParams,
  answers: Products,
  selectsFields: true,
  scope: 'read',
  run: (context) => answerProducts(context, [], context.params),
})

const getProduct = call({
  method: 'GET',
  path: '/product/:ref',
  pathParams,
  resource,
  summary: 'Get one product, and those in ids, names and type.',
  about: 'Products that do not exist or that the caller may not see are left out.',
  params: readParams,
  answers: Products,
  selectsFields: true,
  scope: 'read',
  run: (context) => answerProducts(context, [keyIn(context.path.ref ?? '')], context.params),
})

async function answerProducts(
  context: CallContext,
  keys: readonly ProductKey[],
  params: { ids: string[] | undefined; names: string[] | undefined; type: string[] | undefined },
) {
  const { ids = [], names = [], type } = params
  // compat: an id that is not a number matches no product.
  const asksForNone = keys.length + ids.length + names.length === 0 && type === undefined
  const targets = {
    ids: [...keys.flatMap((key) => ('id' in key ? key.id : [])), ...ids.flatMap((id) => idIn(id) ?? [])],
    names: [...keys.flatMap((key) => ('name' in key ? key.name : [])), ...names],
    access: asksForNone ? (['accessible'] as const) : (type ?? []).map(requireAccess),
  }
  return readProducts(context, targets)
}

const ACCESSES: readonly ProductAccess[] = ['accessible', 'selectable', 'enterable', 'administered']

function requireAccess(type: string): ProductAccess {
  const access = ACCESSES.find((it) => it === type)
  if (!access) throw errors.product_type_wrong({ known: ACCESSES.join(', ') })
  return access
}

const aboutTemplate = 'Text that the description of a new bug begins with, at most 65,535 characters.'

const voteLimits = {
  votesperuser: integer('Votes that a user has for all bugs of the product; 0 for no voting.'),
  maxvotesperbug: integer('Votes that a user can give to one bug, at most those that a user has.'),
  votestoconfirm: integer('Votes with which an UNCONFIRMED bug is confirmed; 0 for never.'),
}

const postProduct = call({
  method: 'POST',
  idempotency: 'once',
  path: '/product',
  resource,
  summary: 'Create a product.',
  about:
    'For members of editcomponents. The new product has one version, one milestone and no component; bugs can be filed once it has a component.',
  params: {
    name: documentedAsRequired(text('Unique, regardless of letter case.')),
    description: documentedAsRequired(text('Description; may contain HTML.')),
    bug_template: text(`${aboutTemplate} Empty by default.`),
    version: documentedAsRequired(text('Name of its first version, which becomes the default.')),
    has_unconfirmed: flag('Whether bugs can be UNCONFIRMED. On by default.'),
    classification: text(
      'Name of its classification; ignored while the parameter useclassification is off. Unclassified by default.',
    ),
    default_milestone: text(`Name of its first milestone; ${NO_MILESTONE} by default.`),
    is_open: flag('Whether bugs can be filed. On by default.'),
    ...voteLimits,
    create_series: flag('Whether to create series that count its bugs by status and resolution. On by default.'),
  },
  answers: CreatedInPart,
  status: 201,
  scope: 'admin',
  async run({ db, caller, settings, params }) {
    const editor = requireGroup(caller, 'editcomponents')
    const wanted = {
      name: params.name ?? '',
      description: params.description ?? '',
      bug_template: params.bug_template ?? '',
      version: params.version ?? '',
      has_unconfirmed: params.has_unconfirmed ?? true,
      classification: params.classification,
      default_milestone: params.default_milestone ?? NO_MILESTONE,
      is_open: params.is_open ?? true,
      create_series: params.create_series ?? true,
      votesperuser: params.votesperuser ?? NO_VOTES.votesperuser,
      maxvotesperbug: params.maxvotesperbug ?? NO_VOTES.maxvotesperbug,
      votestoconfirm: params.votestoconfirm ?? NO_VOTES.votestoconfirm,
    }
    const isIgnored = !settings.useclassification && (params.classification ?? '').trim() !== ''
    return {
      id: await createProduct(db, settings, editor, wanted),
      ...(isIgnored && { ignored: ['classification'] }),
    }
  },
})

const putProduct = call({
  method: 'PUT',
  path: '/product/:ref',
  pathParams,
  resource,
  summary: 'Change products.',
  about: 'For members of editcomponents. Either all products are changed, or none.',
  params: {
    ids: integers('More products to change, by id.'),
    names: texts('More products to change, by name.'),
    name: text('New name; for one product only.'),
    description: text('Description; may contain HTML.'),
    bug_template: text(aboutTemplate),
    default_milestone: text('Name of one of its active milestones.'),
    default_version: text('Name of one of its active versions.'),
    has_unconfirmed: flag('Whether bugs can be UNCONFIRMED.'),
    is_open: flag('Whether bugs can be filed.'),
    classification: text('Name of its classification.'),
    ...voteLimits,
  },
  unknownParams: 'refused',
  answers: updated('products'),
  scope: 'admin',
  async run(context) {
    const { id: who } = requireGroup(context.caller, 'editcomponents')
    const { ids = [], names = [], ...wanted } = context.params
    const keys = [keyIn(context.path.ref ?? ''), ...ids.map((id) => ({ id })), ...names.map((name) => ({ name }))]
    return { products: await updateProducts(context, who, keys, wanted) }
  },
})

const deleteProduct = call({
  method: 'DELETE',
  path: '/product/:ref',
  pathParams,
  resource,
  summary: 'Delete a product with its components, versions and milestones.',
  about:
    'For members of editcomponents. Refused while the product has bugs, unless the parameter allowbugdeletion is on: then the bugs are deleted too.',
  params: { in_steps: inSteps },
  answers: DeletedInSteps,
  scope: 'admin',
  async run(context) {
    const { caller, path, params } = context
    const { id: who } = requireGroup(caller, 'editcomponents')
    const { product, removal } = await removeProduct(context, who, keyIn(path.ref ?? ''), params.in_steps ?? false)
    return presentDeleted(product, removal, caller)
  },
})

export const productRoutes = [
  getSelectable,
  getEnterable,
  getAccessible,
  getProducts,
  getProduct,
  postProduct,
  putProduct,
  deleteProduct,
] as const
