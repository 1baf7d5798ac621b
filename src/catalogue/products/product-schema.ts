import { Type } from '@sinclair/typebox'
import { Component } from '../components/component-schema.ts'
import { Milestone } from '../milestones/milestone-schema.ts'
import { Version } from '../versions/version-schema.ts'

/** Every field is optional, because include_fields and exclude_fields decide which there are. */
export const Product = Type.Object(
  {
    id: Type.Optional(Type.Integer()),
    name: Type.Optional(Type.String()),
    description: Type.Optional(Type.String({ description: 'May hold HTML.' })),
    is_active: Type.Optional(Type.Boolean({ description: 'Whether bugs can be filed.' })),
    default_milestone: Type.Optional(Type.String()),
    default_version: Type.Optional(Type.String({ description: 'Only when it is asked for.' })),
    has_unconfirmed: Type.Optional(Type.Boolean({ description: 'Whether bugs can be UNCONFIRMED.' })),
    classification: Type.Optional(Type.String()),
    components: Type.Optional(Type.Array(Component)),
    versions: Type.Optional(Type.Array(Version)),
    milestones: Type.Optional(Type.Array(Milestone)),
  },
  { additionalProperties: false },
)

export const Products = Type.Object({ products: Type.Array(Product) }, { additionalProperties: false })

export const ProductIds = Type.Object({ ids: Type.Array(Type.Integer()) }, { additionalProperties: false })
