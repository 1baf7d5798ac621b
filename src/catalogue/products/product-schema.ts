import { Type } from '@sinclair/typebox'
import { Component } from '../components/component-schema.ts'
import { Milestone } from '../milestones/milestone-schema.ts'
import { Version } from '../versions/version-schema.ts'

export const Product = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    description: Type.String({ description: 'May contain HTML.' }),
    bug_template: Type.Optional(
      Type.String({ description: 'Text that the description of a new bug begins with. Only on request.' }),
    ),
    is_active: Type.Boolean({ description: 'Whether bugs can be filed.' }),
    default_milestone: Type.String(),
    default_version: Type.Optional(Type.String({ description: 'Only on request.' })),
    has_unconfirmed: Type.Boolean({ description: 'Whether bugs can be UNCONFIRMED.' }),
    classification: Type.String(),
    components: Type.Array(Component),
    versions: Type.Array(Version),
    milestones: Type.Array(Milestone),
  },
  { title: 'Product', additionalProperties: false },
)

export const Products = Type.Object({ products: Type.Array(Product) }, { additionalProperties: false })

export const ProductIds = Type.Object({ ids: Type.Array(Type.Integer()) }, { additionalProperties: false })
