import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { documentedAsRequired, flag, text } from '../../platform/wire/params.ts'
import { copyProduct } from './copy-product.ts'

const Count = Type.Integer({ minimum: 0 })

const postCopy = call({
  method: 'POST',
  idempotency: 'once',
  path: '/product/:ref/copy',
  pathParams: { ref: 'Id or name of a product.' },
  resource: 'product',
  summary: 'Create a product like another one, without its bugs.',
  about:
    'For members of editcomponents, and of creategroups if the other product has group controls. The new product has the same components with their users, versions, milestones, group controls, template and classification, and flag types apply to it as to the other one.',
  params: {
    name: documentedAsRequired(text('Unique, regardless of letter case.')),
    description: text('Description; that of the other product by default.'),
    is_open: flag('Whether bugs can be filed; as in the other product by default.'),
    create_series: flag('Whether to create series that count its bugs by status and resolution. On by default.'),
  },
  unknownParams: 'refused',
  answers: Type.Object(
    {
      id: Type.Integer(),
      copied: Type.Object(
        {
          components: Count,
          versions: Count,
          milestones: Count,
          group_controls: Count,
          flag_types: Type.Integer({
            minimum: 0,
            description: 'Flag types that name the other product, and now also the new one.',
          }),
        },
        { title: 'CopiedParts', additionalProperties: false },
      ),
    },
    { title: 'CopiedProduct', additionalProperties: false },
  ),
  status: 201,
  scope: 'admin',
  run: (context) => {
    const { name = '', description, is_open, create_series = true } = context.params
    const wanted = { name, description, isOpen: is_open, withSeries: create_series }
    return copyProduct(context, context.path.ref ?? '', wanted)
  },
})

export const productCopyRoutes = [postCopy] as const
