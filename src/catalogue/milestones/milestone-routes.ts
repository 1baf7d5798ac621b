import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { Created, Deleted, updated } from '../../platform/wire/openapi/schemas.ts'
import { flag, integer, required, text, texts } from '../../platform/wire/params.ts'
import { getVisibleProduct } from '../products/product-permissions.ts'
import { createMilestone, removeMilestone, updateMilestones } from './change-milestones.ts'
import { presentMilestone } from './milestone.ts'
import { Milestone } from './milestone-schema.ts'
import { listMilestones } from './milestone-store.ts'

const resource = 'milestone'
const product = 'Id or name of a product.'
const name = 'Name of a milestone of the product.'
const about = 'For members of editcomponents, or of a group that has that right in the product.'

const params = {
  name: text('Unique in the product, regardless of letter case.'),
  sort_key: integer('Milestones are ordered by sort_key, then by name. 0 by default.'),
  is_active: flag('Whether it can be chosen for bugs. On by default.'),
}

const getMilestones = call({
  method: 'GET',
  path: '/product/:product/milestone',
  pathParams: { product },
  resource,
  summary: 'List the milestones of a product.',
  params: {},
  answers: Type.Object({ milestones: Type.Array(Milestone) }, { additionalProperties: false }),
  selectsFields: true,
  scope: 'read',
  async run(context) {
    const { id } = await getVisibleProduct(context, context.path.product ?? '')
    const milestones = await listMilestones(context.db, [id])
    return { milestones: milestones.map((milestone) => context.select.pick(presentMilestone(milestone))) }
  },
})

const postMilestone = call({
  method: 'POST',
  idempotency: 'once',
  path: '/product/:product/milestone',
  pathParams: { product },
  resource,
  summary: 'Create a milestone.',
  about,
  params: { ...params, name: required(params.name) },
  answers: Created,
  status: 201,
  scope: 'admin',
  run: async (context) => ({ id: await createMilestone(context, context.path.product ?? '', context.params) }),
})

const putMilestone = call({
  method: 'PUT',
  path: '/product/:product/milestone/:milestone',
  pathParams: { product, milestone: name },
  resource,
  summary: 'Change milestones.',
  about: `${about} Bugs keep a milestone that is renamed.`,
  params: { ...params, names: texts('More milestones of the product to change.') },
  unknownParams: 'refused',
  answers: updated('milestones'),
  scope: 'admin',
  async run(context) {
    const { names = [], ...wanted } = context.params
    const { product = '', milestone = '' } = context.path
    return { milestones: await updateMilestones(context, product, [milestone, ...names], wanted) }
  },
})

const deleteMilestone = call({
  method: 'DELETE',
  path: '/product/:product/milestone/:milestone',
  pathParams: { product, milestone: name },
  resource,
  summary: 'Delete a milestone.',
  about: `${about} Its bugs get the default milestone of the product, which itself cannot be deleted.`,
  params: {},
  answers: Deleted,
  scope: 'admin',
  async run(context) {
    const { id, name } = await removeMilestone(context, context.path.product ?? '', context.path.milestone ?? '')
    return { id, name }
  },
})

export const milestoneRoutes = [getMilestones, postMilestone, putMilestone, deleteMilestone] as const
