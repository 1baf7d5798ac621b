import { Type } from '@sinclair/typebox'
import { call } from '../../../access/call.ts'
import { errors } from '../../../platform/errors.ts'
import { documentedAsRequired, flag, integer, integers, text } from '../../../platform/wire/params.ts'
import { clampedId } from '../../../platform/wire/reference.ts'
import { commentIdIn } from '../comment-rules.ts'
import { editComment, hideVersion } from './edit-comment.ts'
import { readOwnTexts, readVersions } from './read-versions.ts'

const resource = 'comment'
const pathParams = { comment_id: 'Id of a comment.' }
/** Their texts are read at once. */
const MOST_TEXTS = 20

const OwnTexts = Type.Object(
  { comments: Type.Record(Type.String(), Type.String(), { description: 'The texts, by id.' }) },
  { additionalProperties: false },
)
const Version = Type.Object(
  {
    version: Type.Integer({ minimum: 0 }),
    text: Type.Union([Type.String(), Type.Null()], {
      description: 'Null for a hidden version, unless the caller is in the group of edit_comments_admins_group.',
    }),
    is_markdown: Type.Boolean(),
    is_hidden: Type.Boolean(),
    creator: Type.String({ description: 'Who wrote this version.' }),
    time: Type.String({ format: 'date-time' }),
  },
  { title: 'CommentVersion', additionalProperties: false },
)

const getText = call({
  method: 'GET',
  path: '/editcomments/comment/:comment_id',
  pathParams,
  resource,
  summary: 'Get the text of a comment for editing.',
  about: 'What its author wrote, without the lines that the tracker adds.',
  params: {},
  answers: OwnTexts,
  scope: 'read',
  run: async (context) => ({ comments: await readOwnTexts(context, [commentIdIn(context.path.comment_id ?? '')]) }),
})

const getTexts = call({
  method: 'GET',
  path: '/editcomments/comment',
  resource,
  summary: 'Get the texts of several comments for editing.',
  params: { comment_ids: documentedAsRequired(integers('Ids of comments.', MOST_TEXTS)) },
  answers: OwnTexts,
  scope: 'read',
  async run(context) {
    const { comment_ids: ids } = context.params
    if (ids === undefined || ids.length === 0) throw errors.parameter_required({ name: 'comment_ids' })
    return { comments: await readOwnTexts(context, [...new Set(ids)]) }
  },
})

const putText = call({
  method: 'PUT',
  path: '/editcomments/comment/:comment_id',
  pathParams,
  resource,
  summary: 'Edit a comment.',
  about:
    'For its author, for a time after it was written if edit_comments_minutes says so; for members of edit_comments_admins_group; and, of the description, for users with editbugs. The text before is kept as a version. Author and time stay, and no mail is sent.',
  params: {
    new_comment: documentedAsRequired(text('The new text, at most 65535 characters.')),
    is_markdown: flag('Whether the new text is Markdown. By default it is what the text before was.'),
    is_hidden: flag('Whether the text before becomes a hidden version. For members of edit_comments_admins_group.'),
    edit_count: integer('The number of edits that the caller has seen. With another number nothing is changed.'),
  },
  answers: Type.Object(
    {
      text: Type.String(),
      html: Type.String({ description: 'The text as HTML that is safe to put on a page.' }),
      count: Type.Integer({ description: 'How often the comment was edited.' }),
    },
    { additionalProperties: false },
  ),
  scope: 'write',
  async run(context) {
    const { new_comment, is_markdown: isMarkdown, is_hidden: isHidden = false, edit_count: seenEdits } = context.params
    return editComment(context, commentIdIn(context.path.comment_id ?? ''), {
      text: new_comment ?? '',
      isMarkdown,
      isHidden,
      seenEdits,
    })
  },
})

const putRevision = call({
  method: 'PUT',
  path: '/editcomments/revision',
  resource,
  summary: 'Hide or show a version of a comment.',
  about: 'For members of edit_comments_admins_group. Nobody else reads the text of a hidden version.',
  params: {
    comment_id: documentedAsRequired(integer('Id of the comment.')),
    change_when: text('When the version was replaced, such as 2026-11-18 09:30:00.'),
    version: integer('The number of the version, instead of change_when.'),
    is_hidden: flag('Whether it becomes hidden.'),
  },
  answers: Type.Object({ change_when: Type.String(), is_hidden: Type.Boolean() }, { additionalProperties: false }),
  scope: 'write',
  async run(context) {
    const { comment_id: commentId, change_when: when, version, is_hidden: isHidden = false } = context.params
    if (commentId === undefined) throw errors.parameter_required({ name: 'comment_id' })
    if (when === undefined && version === undefined) throw errors.parameter_required({ name: 'change_when' })
    const wanted = { commentId: clampedId(commentId), when: when && storedTime(when), version, isHidden }
    const at = await hideVersion(context, wanted)
    return { change_when: at.replace('T', ' ').replace('Z', ''), is_hidden: isHidden }
  },
})

/** compat: BMO writes `2026-11-18 09:30:00`. */
function storedTime(when: string): string {
  const written = when.trim().replace(' ', 'T')
  return written.endsWith('Z') ? written : `${written}Z`
}

const getVersions = call({
  method: 'GET',
  path: '/bug/comment/:comment_id/versions',
  pathParams,
  resource,
  summary: 'Get the versions of a comment.',
  about: 'For every caller who may read the comment, oldest first. The last one is what it says now.',
  params: {},
  answers: Type.Object({ versions: Type.Array(Version) }, { additionalProperties: false }),
  scope: 'read',
  run: async (context) => ({ versions: await readVersions(context, commentIdIn(context.path.comment_id ?? '')) }),
})

export const commentEditRoutes = [getText, getTexts, putText, putRevision, getVersions] as const
