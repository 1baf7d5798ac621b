import { call } from '../../access/call.ts'
import { errors } from '../../platform/errors.ts'
import { CreatedInPart, Deleted } from '../../platform/wire/openapi/schemas.ts'
import {
  documentedAsRequired,
  flag,
  hours,
  integer,
  integers,
  MOST_TO_READ,
  type ParamValues,
  readInteger,
  refs,
  text,
  texts,
  time,
} from '../../platform/wire/params.ts'
import { LONGEST_REASON } from '../editing/deletion-reason.ts'
import { draftComment } from '../proposals/drafts/draft-comment.ts'
import { PROPOSAL_PARAMS } from '../proposals/proposal-params.ts'
import { PROPOSING } from '../proposals/proposing.ts'
import { commentIdIn } from './comment-rules.ts'
import { Answer, Comments, Rendered, Tags } from './comment-schema.ts'
import { createComment, wantedComment } from './create-comment.ts'
import { deleteCommentText } from './delete-comment.ts'
import { getReaders } from './mentions/reader-routes.ts'
import { getComments } from './reading/read-comments.ts'
import { renderComment } from './reading/render-comment.ts'
import { changeCommentTags, searchCommentTags } from './tags/change-comment-tags.ts'
import { MOST_COMMENT_TAGS } from './tags/comment-tag-rules.ts'
import { markAnswer } from './tags/mark-answer.ts'

const resource = 'comment'

const read = {
  ids: refs('Bugs whose comments are all returned, by number or alias.', MOST_TO_READ),
  comment_ids: integers('Ids of single comments.', MOST_TO_READ),
  new_since: time('Return only comments of bugs that are later than this time. Single comments are not affected.'),
  from: integer('Return only comments of bugs from this number on. Single comments are not affected.'),
  to: integer('Return only comments of bugs up to this number. Single comments are not affected.'),
  oldest: integer(
    'Return only so many of the oldest comments of each bug, besides those of newest. Single comments are not affected.',
  ),
  newest: integer(
    'Return only so many of the newest comments of each bug, besides those of oldest. Single comments are not affected.',
  ),
}

function partIn({ new_since: since, from, to, oldest, newest }: ParamValues<typeof read>) {
  return { since, from, to, oldest, newest }
}

const getOfBug = call({
  method: 'GET',
  path: '/bug/:ref/comment',
  pathParams: { ref: 'Number or alias of a bug.' },
  resource,
  summary: 'Get the comments of a bug.',
  about:
    'The oldest comment comes first; the description has number 0. Private comments are returned only to members of insidergroup.',
  params: read,
  answers: Comments,
  selectsFields: true,
  scope: 'read',
  run: (context) =>
    getComments(context, {
      refs: [context.path.ref ?? '', ...(context.params.ids ?? [])],
      ...partIn(context.params),
      ids: context.params.comment_ids ?? [],
    }),
})

const getOne = call({
  method: 'GET',
  path: '/bug/comment/:comment_id',
  pathParams: { comment_id: 'Id of a comment.' },
  resource,
  summary: 'Get one comment.',
  params: read,
  answers: Comments,
  selectsFields: true,
  scope: 'read',
  run: (context) =>
    getComments(context, {
      refs: context.params.ids ?? [],
      ...partIn(context.params),
      ids: [readInteger('comment_id', context.path.comment_id), ...(context.params.comment_ids ?? [])],
    }),
})

const post = call({
  method: 'POST',
  idempotency: 'once',
  path: '/bug/:ref/comment',
  pathParams: { ref: 'Number or alias of a bug.' },
  resource,
  summary: 'Comment on a bug.',
  about: 'Needs a login and a bug that the caller can see, in a product that is not read-only for the caller.',
  params: {
    comment: documentedAsRequired(text('Text of the comment, at most 65535 characters.')),
    is_private: flag('Whether only members of insidergroup can read it. Only they may set this.'),
    private: flag('Another name for is_private.'),
    is_markdown: flag('Whether the text is Markdown. Refused while the parameter use_markdown is off.'),
    work_time: hours('Hours worked; ignored unless the caller is in the time-tracking group.'),
    comment_tags: texts('Tags of the comment. Only members of comment_taggers_group may set them.', MOST_COMMENT_TAGS),
    ...PROPOSAL_PARAMS,
  },
  answers: CreatedInPart,
  status: 201,
  scope: 'write',
  run: (context) => createComment(context, context.path.ref ?? '', wantedComment(context.params)),
  proposes: {
    draft: (context) => draftComment(context, context.path.ref ?? '', wantedComment(context.params)),
    ...PROPOSING,
  },
})

const putTags = call({
  method: 'PUT',
  path: '/bug/comment/:comment_id/tags',
  pathParams: { comment_id: 'Id of a comment.' },
  resource,
  summary: 'Tag a comment.',
  about: 'For members of comment_taggers_group. Returns the tags that the comment has after the change.',
  params: {
    add: texts('Tags to add, each of 3 to 24 letters, digits and the characters . _ -.', MOST_COMMENT_TAGS),
    remove: texts('Tags to remove.', MOST_COMMENT_TAGS),
  },
  answers: Tags,
  scope: 'write',
  run: (context) =>
    changeCommentTags(context, commentIdIn(context.path.comment_id ?? ''), {
      add: context.params.add ?? [],
      remove: context.params.remove ?? [],
    }),
})

const putAnswer = call({
  method: 'PUT',
  path: '/bug/comment/:comment_id/answer',
  pathParams: { comment_id: 'Id of a comment.' },
  resource,
  summary: 'Mark a comment as an answer.',
  about:
    'For users with editbugs in the product. An answer says what was decided; the page of a long discussion leads to it.',
  params: { is_answer: documentedAsRequired(flag('Whether the comment is an answer.')) },
  answers: Answer,
  scope: 'write',
  async run(context) {
    const { is_answer: isAnswer } = context.params
    if (isAnswer === undefined) throw errors.parameter_required({ name: 'is_answer' })
    return markAnswer(context, commentIdIn(context.path.comment_id ?? ''), isAnswer)
  },
})

const deleteText = call({
  method: 'DELETE',
  path: '/bug/comment/:comment_id',
  pathParams: { comment_id: 'Id of a comment.' },
  resource,
  summary: 'Delete the text of a comment.',
  about:
    'For members of admin. The text is gone for good. The comment stays with its number, author and time, and gives the reason instead.',
  params: { reason: documentedAsRequired(text(`Why it is deleted, in at most ${LONGEST_REASON} characters.`)) },
  answers: Deleted,
  scope: 'admin',
  run: (context) => deleteCommentText(context, commentIdIn(context.path.comment_id ?? ''), context.params.reason),
})

const searchTags = call({
  method: 'GET',
  path: '/bug/comment/tags/:query',
  pathParams: { query: 'Part of a tag, in any letter case.' },
  resource,
  summary: 'Search for tags of comments.',
  about: 'For members of comment_taggers_group. Finds tags of comments that the caller may read.',
  params: { limit: integer('Largest number of tags to return; 10 by default.') },
  answers: Tags,
  scope: 'read',
  run: (context) => searchCommentTags(context, context.path.query ?? '', context.params.limit),
})

const render = call({
  method: 'POST',
  idempotency: 'reads',
  path: '/bug/comment/render',
  resource,
  summary: 'Render text as a comment.',
  about: 'Returns HTML that is safe to put on a page. Nothing is stored.',
  params: {
    text: documentedAsRequired(text('Text of the comment, at most 65535 characters.')),
    id: text('The bug that references such as “comment 3” link to, by number or alias.'),
    is_markdown: flag('Whether the text is Markdown.'),
  },
  answers: Rendered,
  scope: 'read',
  run: async (context) => ({ html: await renderComment(context, context.params) }),
})

export const commentRoutes = [
  getOfBug,
  getOne,
  post,
  putTags,
  putAnswer,
  deleteText,
  searchTags,
  render,
  getReaders,
] as const
