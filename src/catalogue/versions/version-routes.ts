import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { Created, Deleted, updated } from '../../platform/wire/openapi/schemas.ts'
import { flag, integer, required, text, texts } from '../../platform/wire/params.ts'
import { getVisibleProduct } from '../products/product-permissions.ts'
import { createVersion, removeVersion, updateVersions } from './change-versions.ts'
import { presentVersion } from './version.ts'
import { Version } from './version-schema.ts'
import { listVersions } from './version-store.ts'

const resource = 'version'
const product = 'Id or name of a product.'
const name = 'Name of a version of the product.'
const about = 'For members of editcomponents, or of a group that has that right in the product.'

const params = {
  name: text('Unique in the product, regardless of letter case.'),
  sort_key: integer('Versions are ordered by sort_key, then by name: 1.9 before 1.10. 0 by default.'),
  is_active: flag('Whether it can be chosen for bugs. On by default.'),
}

const getVersions = call({
  method: 'GET',
  path: '/product/:product/version',
  pathParams: { product },
  resource,
  summary: 'List the versions of a product.',
  params: {},
  answers: Type.Object({ versions: Type.Array(Version) }, { additionalProperties: false }),
  selectsFields: true,
  scope: 'read',
  async run(context) {
    const { id } = await getVisibleProduct(context, context.path.product ?? '')
    const versions = await listVersions(context.db, [id])
    return { versions: versions.map((version) => context.select.pick(presentVersion(version))) }
  },
})

const postVersion = call({
  method: 'POST',
  idempotency: 'once',
  path: '/product/:product/version',
  pathParams: { product },
  resource,
  summary: 'Create a version.',
  about,
  params: { ...params, name: required(params.name) },
  answers: Created,
  status: 201,
  scope: 'admin',
  run: async (context) => ({ id: await createVersion(context, context.path.product ?? '', context.params) }),
})

const putVersion = call({
  method: 'PUT',
  path: '/product/:product/version/:version',
  pathParams: { product, version: name },
  resource,
  summary: 'Change versions.',
  about: `${about} Bugs keep a version that is renamed.`,
  params: { ...params, names: texts('More versions of the product to change.') },
  unknownParams: 'refused',
  answers: updated('versions'),
  scope: 'admin',
  async run(context) {
    const { names = [], ...wanted } = context.params
    const { product = '', version = '' } = context.path
    return { versions: await updateVersions(context, product, [version, ...names], wanted) }
  },
})

const deleteVersion = call({
  method: 'DELETE',
  path: '/product/:product/version/:version',
  pathParams: { product, version: name },
  resource,
  summary: 'Delete a version.',
  about: `${about} Refused for the only version of a product, and for a version that a bug has.`,
  params: {},
  answers: Deleted,
  scope: 'admin',
  async run(context) {
    const { id, name } = await removeVersion(context, context.path.product ?? '', context.path.version ?? '')
    return { id, name }
  },
})

export const versionRoutes = [getVersions, postVersion, putVersion, deleteVersion] as const
