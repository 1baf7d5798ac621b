import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { Created, Deleted, updated } from '../../platform/wire/openapi/schemas.ts'
import { documentedAsRequired, flag, text } from '../../platform/wire/params.ts'
import { LONGEST_REPLY } from './canned-reply-rules.ts'
import { changeCannedReply, createCannedReply, removeCannedReply } from './change-canned-replies.ts'
import { readCannedReplies } from './read-canned-replies.ts'

const resource = 'canned_reply'
const pathParams = { id: 'Id of a canned reply.' }
const aboutWriting =
  'For members of editcomponents, or of a group that has that right in the product. Replies of all products are for members of editcomponents.'

const Nullable = Type.Union([Type.String(), Type.Null()])
/** `product` is null for a reply of all products, `group` for one of every user. */
const CannedReply = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    text: Type.String(),
    is_private: Type.Boolean(),
    product: Nullable,
    group: Nullable,
  },
  { title: 'CannedReply', additionalProperties: false },
)

const params = {
  name: text('One line of at most 64 characters, unique in its product regardless of letter case.'),
  text: text(`What it puts into a comment, at most ${LONGEST_REPLY} characters.`),
  is_private: flag('Whether the comment becomes private. Such replies are only for members of insidergroup.'),
  group: text('The group whose members use it; empty for every user. The caller must be a member or in creategroups.'),
}

const getReplies = call({
  method: 'GET',
  path: '/canned_reply',
  resource,
  summary: 'List canned replies.',
  about:
    'For logged-in users: those that the caller can use on bugs of the product, then those of all products, each by name.',
  params: {
    product: text('Name or id of a product. Without it only replies of all products are returned.'),
    for_editing: flag('Whether to return also those that the caller may change but not use.'),
  },
  answers: Type.Object({ canned_replies: Type.Array(CannedReply) }, { additionalProperties: false }),
  selectsFields: true,
  scope: 'read',
  async run(context) {
    const { product, for_editing: forEditing = false } = context.params
    const replies = await readCannedReplies(context, { product, forEditing })
    return { canned_replies: replies.map((reply) => context.select.pick(reply)) }
  },
})

const postReply = call({
  method: 'POST',
  idempotency: 'once',
  path: '/canned_reply',
  resource,
  summary: 'Create a canned reply.',
  about: aboutWriting,
  params: {
    ...params,
    name: documentedAsRequired(params.name),
    text: documentedAsRequired(params.text),
    product: text('Name or id of its product. Without it, it is a reply of all products.'),
  },
  answers: Created,
  status: 201,
  scope: 'admin',
  async run(context) {
    const { product, ...wanted } = context.params
    return { id: await createCannedReply(context, product, wanted) }
  },
})

const putReply = call({
  method: 'PUT',
  path: '/canned_reply/:id',
  pathParams,
  resource,
  summary: 'Change a canned reply.',
  about: `${aboutWriting} Its product stays.`,
  params,
  unknownParams: 'refused',
  answers: updated('canned_replies'),
  scope: 'admin',
  run: async (context) => ({
    canned_replies: [await changeCannedReply(context, context.path.id ?? '', context.params)],
  }),
})

const deleteReply = call({
  method: 'DELETE',
  path: '/canned_reply/:id',
  pathParams,
  resource,
  summary: 'Delete a canned reply.',
  about: `${aboutWriting} Comments that were written with it stay.`,
  params: {},
  answers: Deleted,
  scope: 'admin',
  run: (context) => removeCannedReply(context, context.path.id ?? ''),
})

export const cannedReplyRoutes = [getReplies, postReply, putReply, deleteReply] as const
