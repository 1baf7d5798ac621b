import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { Deleted } from '../../platform/wire/openapi/schemas.ts'
import {
  documentedAsRequired,
  flag,
  integers,
  MOST_TO_READ,
  readInteger,
  refs,
  secret,
  text,
} from '../../platform/wire/params.ts'
import { LONGEST_REASON } from '../editing/deletion-reason.ts'
import { flags } from '../flags/flag-params.ts'
import { draftAttachment } from '../proposals/drafts/draft-attachment.ts'
import { draftAttachmentChange } from '../proposals/drafts/draft-attachment-change.ts'
import { PROPOSAL_PARAMS, type ProposalParams } from '../proposals/proposal-params.ts'
import { PROPOSING } from '../proposals/proposing.ts'
import { attachmentLinkPurpose, attachmentLinkRoutes } from './attachment-link-routes.ts'
import { Attachments, CreatedAttachments, UpdatedAttachments } from './attachment-schema.ts'
import { createAttachments, MOST_CHARACTERS_ATTACHED, storeFile } from './create-attachments.ts'
import { deleteContent } from './delete-content.ts'
import { largestBody } from './reading/attachment-content.ts'
import { downloadAttachment } from './reading/download-attachment.ts'
import { getAttachments } from './reading/read-attachments.ts'
import { updateAttachments } from './update-attachments.ts'

const resource = 'attachment'
const pathParams = { attachment_id: 'Id of an attachment.' }

const read = {
  ids: refs('Bugs whose attachments are all returned, by number or alias.', MOST_TO_READ),
  attachment_ids: integers('Ids of single attachments. Those that do not exist are left out.', MOST_TO_READ),
}

const getOfBug = call({
  method: 'GET',
  path: '/bug/:ref/attachment',
  pathParams: { ref: 'Number or alias of a bug.' },
  resource,
  summary: 'Get the attachments of a bug.',
  about:
    'Includes the contents, unless exclude_fields=data is given. Private attachments are returned only to members of insidergroup and to the user who attached them.',
  params: read,
  answers: Attachments,
  selectsFields: true,
  scope: 'read',
  run: (context) =>
    getAttachments(context, {
      refs: [context.path.ref ?? '', ...(context.params.ids ?? [])],
      ids: context.params.attachment_ids ?? [],
    }),
})

const getOne = call({
  method: 'GET',
  path: '/bug/attachment/:attachment_id',
  pathParams,
  resource,
  summary: 'Get one attachment.',
  about: 'Returns nothing for an id that does not exist, and an error for an attachment that the caller may not see.',
  params: read,
  answers: Attachments,
  selectsFields: true,
  scope: 'read',
  run: (context) =>
    getAttachments(context, {
      refs: context.params.ids ?? [],
      ids: [idIn(context.path), ...(context.params.attachment_ids ?? [])],
    }),
})

const getData = call({
  method: 'GET',
  path: '/bug/attachment/:attachment_id/data',
  pathParams,
  resource,
  summary: 'Download the content of an attachment.',
  about: 'The response is the file itself, with headers that stop a browser from running anything in it.',
  params: { link_code: secret('Part of an address of GET /rest/bug/attachment/(attachment_id)/link.') },
  answers: Type.String({ format: 'binary' }),
  answersFile: true,
  linkedFile: attachmentLinkPurpose,
  scope: 'read',
  run: (context) => downloadAttachment(context, idIn(context.path)),
})

const descriptionParams = {
  file_name: text('Name under which the file is downloaded. Folders in front of it are removed.'),
  summary: text('Short description, at most 255 characters.'),
  content_type: text('MIME type, such as text/plain or image/png; a charset may follow.'),
  is_patch: flag('Whether it is a patch. The content type of a patch is always text/plain.'),
  is_private: flag(
    'Whether only members of insidergroup and the user who attached it can see it. Only members of insidergroup may set this.',
  ),
}

/** The bugs that get the attachment. */
function bugRefs(ref = '', more: readonly string[] = []) {
  return [ref, ...more]
}

/** Each bug gets its own attachment and comment. */
const MOST_BUGS = 100

const post = call({
  method: 'POST',
  idempotency: 'once',
  path: '/bug/:ref/attachment',
  pathParams: { ref: 'Number or alias of a bug.' },
  resource,
  summary: 'Attach a file to a bug, or to several.',
  about:
    'Needs a login and bugs that the caller can see, in products that are not read-only for the caller. Each bug gets its own attachment, and a comment about it.',
  params: {
    ids: refs(
      `More bugs, by number or alias. The number of bugs times the characters of the comment and of a text file is at most ${MOST_CHARACTERS_ATTACHED}.`,
      MOST_BUGS,
    ),
    data: documentedAsRequired(text('The content, in base64.')),
    file_name: documentedAsRequired(descriptionParams.file_name),
    summary: documentedAsRequired(descriptionParams.summary),
    content_type: descriptionParams.content_type,
    comment: text('Text of the comment on the bug.'),
    is_markdown: flag('Whether the comment is Markdown. Refused while the parameter use_markdown is off.'),
    in_comment: flag(
      'A comment in Markdown that the caller has just written on the bug shows this picture by its file name: it gets no comment of its own, and no mail.',
    ),
    is_patch: descriptionParams.is_patch,
    is_private: descriptionParams.is_private,
    flags: flags('Flags to set on the new attachment.'),
    ...PROPOSAL_PARAMS,
  },
  takesFile: { in: 'data', limit: largestBody },
  answers: CreatedAttachments,
  status: 201,
  scope: 'write',
  ahead: (context) => storeFile(context, bugRefs(context.path.ref, context.params.ids), context.params),
  run: async (context, file) => ({
    ids: await createAttachments(context, bugRefs(context.path.ref, context.params.ids), context.params, file),
  }),
  proposes: {
    draft: (context) => draftAttachment(context, bugRefs(context.path.ref, context.params.ids), context.params),
    ...PROPOSING,
  },
})

const put = call({
  method: 'PUT',
  path: '/bug/attachment/:attachment_id',
  pathParams,
  resource,
  summary: 'Change the description of one or several attachments.',
  about:
    'For the user who attached it and for members of editbugs. The setter and the requestee of a flag may change that flag only. Contents never change.',
  params: {
    ids: integers('More attachments.'),
    ...descriptionParams,
    is_obsolete: flag('Whether it is out of date. Making it obsolete cancels its pending flag requests.'),
    comment: text('Text of a comment on the bug about the attachment.'),
    is_markdown: flag('Whether the comment is Markdown. Refused while the parameter use_markdown is off.'),
    flags: flags('Flags to set, change or clear.'),
    ...PROPOSAL_PARAMS,
  },
  unknownParams: 'refused',
  answers: UpdatedAttachments,
  scope: 'write',
  async run(context) {
    const { ids, wanted } = wantedUpdate(context.params)
    return { attachments: await updateAttachments(context, [idIn(context.path), ...ids], wanted) }
  },
  proposes: {
    draft(context) {
      const { ids, wanted } = wantedUpdate(context.params)
      return draftAttachmentChange(context, [idIn(context.path), ...ids], wanted)
    },
    ...PROPOSING,
  },
})

const deleteOne = call({
  method: 'DELETE',
  path: '/bug/attachment/:attachment_id',
  pathParams,
  resource,
  summary: 'Delete the content of an attachment.',
  about:
    'For members of admin, while the parameter allow_attachment_deletion is on. The content is gone for good. The attachment stays, obsolete and without flags, and a comment on the bug gives the reason.',
  params: { reason: documentedAsRequired(text(`Why it is deleted, in at most ${LONGEST_REASON} characters.`)) },
  answers: Deleted,
  scope: 'admin',
  run: (context) => deleteContent(context, idIn(context.path), context.params.reason),
})

/** What is changed, and of which other attachments. The reasons for a proposal are no part of it. */
function wantedUpdate<Wanted extends ProposalParams & { ids?: number[] | undefined }>(params: Wanted) {
  const { ids = [], proposal_reason: _, proposal_reasons: __, ...wanted } = params
  return { ids, wanted }
}

function idIn(path: Readonly<Record<string, string>>): number {
  return readInteger('attachment_id', path.attachment_id)
}

export const attachmentRoutes = [getOfBug, getOne, getData, ...attachmentLinkRoutes, post, put, deleteOne] as const
