import { Type } from '@sinclair/typebox'
import { Component } from '../components/component-schema.ts'
import { Milestone, Version } from '../product-values/product-value-schema.ts'
import { GROUP_USES } from './filing.ts'

const Filing = Type.Object(
  {
    groups: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          description: Type.String(),
          use: Type.Union(
            GROUP_USES.map((use) => Type.Literal(use)),
            { description: 'Whether the bug gets the group on request, unless `groups` is sent, or always.' },
          ),
        },
        { additionalProperties: false },
      ),
      { description: 'Groups that the caller can restrict a new bug to.' },
    ),
    can_edit: Type.Boolean({
      description: 'Whether the caller can choose assignee, QA contact, status, depends_on and blocks.',
    }),
    can_confirm: Type.Boolean({ description: 'Whether the caller can choose the status.' }),
    can_track_time: Type.Boolean({ description: 'Whether the caller can set deadline and estimated_time.' }),
  },
  { title: 'Filing', additionalProperties: false },
)

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
    votesperuser: Type.Optional(
      Type.Integer({
        description: 'Votes that a user has for all bugs of the product; 0 without voting. Only on request.',
      }),
    ),
    maxvotesperbug: Type.Optional(
      Type.Integer({ description: 'Votes that a user can give to one bug. Only on request.' }),
    ),
    votestoconfirm: Type.Optional(
      Type.Integer({ description: 'Votes that confirm an unconfirmed bug; 0 for never. Only on request.' }),
    ),
    has_unconfirmed: Type.Boolean({ description: 'Whether bugs can be UNCONFIRMED.' }),
    classification: Type.String(),
    components: Type.Array(Component),
    filing: Type.Optional(
      Type.Union([Filing, Type.Null()], {
        description: 'What the caller can choose for a new bug; null if they cannot file bugs here. Only on request.',
      }),
    ),
    versions: Type.Array(Version),
    milestones: Type.Array(Milestone),
  },
  { title: 'Product', additionalProperties: false },
)

export const Products = Type.Object({ products: Type.Array(Product) }, { additionalProperties: false })

export const ProductIds = Type.Object({ ids: Type.Array(Type.Integer()) }, { additionalProperties: false })
