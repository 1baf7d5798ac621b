import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { getAdministeredProduct, keyIn } from '../products/product-permissions.ts'
import { listDefaultCc } from './component-store.ts'

export const getDefaultCc = call({
  method: 'GET',
  path: '/product/:product/default_cc',
  pathParams: { product: 'Id or name of a product.' },
  resource: 'component',
  summary: 'List who is on the CC list of new bugs, by component.',
  about:
    'For members of editcomponents, or of a group that has that right in the product. Components without such a list are left out.',
  params: {},
  answers: Type.Object(
    {
      components: Type.Array(
        Type.Object(
          {
            id: Type.Integer(),
            name: Type.String(),
            default_cc: Type.Array(Type.String(), { description: 'Login names.' }),
          },
          { title: 'ComponentCc', additionalProperties: false },
        ),
      ),
    },
    { additionalProperties: false },
  ),
  scope: 'admin',
  async run(context) {
    const { id } = await getAdministeredProduct(context.db, context, keyIn(context.path.product ?? ''))
    return { components: await listDefaultCc(context.db, id) }
  },
})
