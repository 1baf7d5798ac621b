import { Type } from '@sinclair/typebox'
import { type CallContext, call } from '../../access/call.ts'
import { isIn, requireGroup } from '../../access/caller.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import { Created, Deleted, updated } from '../../platform/wire/openapi/schemas.ts'
import { documentedAsRequired, integer, integers, text, texts } from '../../platform/wire/params.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { createClassification, removeClassification, updateClassifications } from './change-classifications.ts'
import type { Classification as ClassificationRow } from './classification.ts'
import {
  listClassificationsVisibleTo,
  listProductsInClassifications,
  noSuchClassification,
} from './classification-store.ts'

const resource = 'classification'
const pathParams = { ref: 'Name or id of a classification.' }
const aboutReading =
  'While the parameter useclassification is off, only for members of editclassifications. Other callers see the classifications with at least one product that they may see. All callers see only such products.'

const ListedProduct = Type.Object(
  { id: Type.Integer(), name: Type.String(), description: Type.String() },
  { title: 'ClassificationProduct', additionalProperties: false },
)
const Classification = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    description: Type.String(),
    sort_key: Type.Integer(),
    products: Type.Array(ListedProduct),
  },
  { title: 'Classification', additionalProperties: false },
)
const Classifications = Type.Object({ classifications: Type.Array(Classification) }, { additionalProperties: false })

async function answerClassifications(context: CallContext, isAskedFor: (it: ClassificationRow) => boolean) {
  const { db, caller, settings, select } = context
  if (!settings.useclassification && !isIn(caller, 'editclassifications')) throw errors.classifications_off()
  const found = (await listClassificationsVisibleTo(db, caller, settings)).filter(isAskedFor)
  const isProductsWanted = select.wants('products') && found.length > 0
  const products = isProductsWanted ? await listProductsInClassifications(db, caller, settings) : []
  const part = select.within('products')
  return found.map((classification) =>
    select.pick({
      ...classification,
      products: products
        .filter((product) => product.classification_id === classification.id)
        .map(({ id, name, description }) => part.pick({ id, name, description })),
    }),
  )
}

const getClassifications = call({
  method: 'GET',
  path: '/classification',
  resource,
  summary: 'List the classifications.',
  about: aboutReading,
  params: {},
  answers: Classifications,
  selectsFields: true,
  scope: 'read',
  run: async (context) => ({ classifications: await answerClassifications(context, () => true) }),
})

const getOneClassification = call({
  method: 'GET',
  path: '/classification/:ref',
  pathParams,
  resource,
  summary: 'Get one classification.',
  about: aboutReading,
  params: {},
  answers: Classifications,
  selectsFields: true,
  scope: 'read',
  async run(context) {
    const { ref = '' } = context.path
    const key = fold(ref.trim())
    const byName = await answerClassifications(context, ({ name }) => fold(name) === key)
    const found = byName.length > 0 ? byName : await answerClassifications(context, ({ id }) => id === idIn(ref))
    if (found.length === 0) throw noSuchClassification(ref)
    return { classifications: found }
  },
})

const params = {
  name: text('Unique, regardless of letter case.'),
  description: text('Description; may be empty.'),
  sort_key: integer('Classifications are ordered by sort_key, then by name. 0 by default.'),
}

const postClassification = call({
  method: 'POST',
  idempotency: 'once',
  path: '/classification',
  resource,
  summary: 'Create a classification.',
  about: 'For members of editclassifications.',
  params: { ...params, name: documentedAsRequired(params.name) },
  answers: Created,
  status: 201,
  scope: 'admin',
  run: async ({ db, caller, params }) => ({
    id: await createClassification(db, requireGroup(caller, 'editclassifications').id, params),
  }),
})

const putClassification = call({
  method: 'PUT',
  path: '/classification/:ref',
  pathParams,
  resource,
  summary: 'Change classifications.',
  about: 'For members of editclassifications.',
  params: {
    ...params,
    ids: integers('More classifications to change, by id.'),
    names: texts('More classifications to change, by name.'),
  },
  unknownParams: 'refused',
  answers: updated('classifications'),
  scope: 'admin',
  async run({ db, caller, path, params }) {
    const { id: who } = requireGroup(caller, 'editclassifications')
    const { ids = [], names = [], ...wanted } = params
    const refs = [path.ref ?? '', ...ids.map(String), ...names]
    return { classifications: await updateClassifications(db, who, refs, wanted) }
  },
})

const deleteClassification = call({
  method: 'DELETE',
  path: '/classification/:ref',
  pathParams,
  resource,
  summary: 'Delete a classification.',
  about:
    'For members of editclassifications. Its products move to the classification with id 1, which itself cannot be deleted.',
  params: {},
  answers: Deleted,
  scope: 'admin',
  async run({ db, caller, path }) {
    const { id: who } = requireGroup(caller, 'editclassifications')
    const { id, name } = await removeClassification(db, who, path.ref ?? '')
    return { id, name }
  },
})

export const classificationRoutes = [
  getClassifications,
  getOneClassification,
  postClassification,
  putClassification,
  deleteClassification,
] as const
