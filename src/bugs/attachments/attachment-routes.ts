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
  text,
} from '../../platform/wire/params.ts'
import { LONGEST_REASON } from '../editing/deletion-reason.ts'
import { flags } from '../flags/flag-params.ts'
import { Attachments, CreatedAttachments, UpdatedAttachments } from './attachment-schema.ts'
import { createAttachments, storeFile } from './create-attachments.ts'
import { deleteContent } from './delete-content.ts'
import { largestBody } from './reading/attachment-content.ts'
import { downloadAttachment } from './reading/download-attachment.ts'
import { getAttachments } from './reading/read-attachments.ts'
import { updateAttachments } from './update-attachments.ts'

const resource = 'attachment'
const pathParams = { attachment_id: 'Id of an attachment.' }

const read = {
  ids: refs('Bugs of which all attachments are wanted, by number or alias.', MOST_TO_READ),
  attachment_ids: integers(
    'Attachments that are wanted by their own ids. Those that do not exist are left out.',
    MOST_TO_READ,
  ),
}

const getOfBug = call({
  method: 'GET',
  path: '/bug/:ref/attachment',
  pathParams: { ref: 'Number or alias of a bug.' },
  resource,
  summary: 'Get the attachments of a bug.',
  about:
    'With their contents, unless exclude_fields=data is said. Private ones are left out for all but members of insidergroup and whoever attached them.',
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
  about: 'An id that does not exist is answered with nothing. One that the caller may not see is refused.',
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
  summary: 'Get the content of an attachment as it is.',
  about: 'As a file to be saved, under headers that keep a browser from running anything of it.',
  params: {},
  answers: Type.String({ format: 'binary' }),
  answersFile: true,
  scope: 'read',
  run: (context) => downloadAttachment(context, idIn(context.path)),
})

const described = {
  file_name: text('Name of the file, for those who save it. Folders before it are dropped.'),
  summary: text('What it is, in at most 255 characters.'),
  content_type: text('Such as text/plain or image/png; a charset may follow.'),
  is_patch: flag('It is a patch; its content type is then text/plain.'),
  is_private: flag('Only for members of insidergroup and whoever attached it; only members can say so.'),
}

/** The bugs that are to have it. */
function holders(ref = '', more: readonly string[] = []) {
  return [ref, ...more]
}

/** Each gets an attachment and a comment of its own. */
const MOST_BUGS = 100

const post = call({
  method: 'POST',
  path: '/bug/:ref/attachment',
  pathParams: { ref: 'Number or alias of a bug.' },
  resource,
  summary: 'Attach a file to a bug, or to several.',
  about:
    'For whoever is logged in and sees the bugs, unless their product is read-only. Each bug gets an attachment of its own, and a comment that tells of it.',
  params: {
    ids: refs('More bugs, by number or alias.', MOST_BUGS),
    data: documentedAsRequired(text('The content, in base64.')),
    file_name: documentedAsRequired(described.file_name),
    summary: documentedAsRequired(described.summary),
    content_type: described.content_type,
    comment: text('Said about it on the bug.'),
    is_patch: described.is_patch,
    is_private: described.is_private,
    flags: flags('Flags that it has from the beginning.'),
  },
  takesFile: { in: 'data', limit: largestBody },
  answers: CreatedAttachments,
  status: 201,
  scope: 'write',
  ahead: (context) => storeFile(context, holders(context.path.ref, context.params.ids), context.params),
  run: async (context, file) => ({
    ids: await createAttachments(context, holders(context.path.ref, context.params.ids), context.params, file),
  }),
})

const put = call({
  method: 'PUT',
  path: '/bug/attachment/:attachment_id',
  pathParams,
  resource,
  summary: 'Change what is said about an attachment, or about several.',
  about:
    'For whoever attached it and for members of editbugs. Whoever set a flag or is asked for one may change that flag, and nothing else. Contents never change.',
  params: {
    ids: integers('More attachments.'),
    ...described,
    is_obsolete: flag('It is no longer of use; what is still asked about it is cancelled.'),
    comment: text('Said about it on the bug.'),
    flags: flags('Flags to be set, changed or cleared.'),
  },
  unknownParams: 'refused',
  answers: UpdatedAttachments,
  scope: 'write',
  async run(context) {
    const { ids = [], ...wanted } = context.params
    return { attachments: await updateAttachments(context, [idIn(context.path), ...ids], wanted) }
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

function idIn(path: Readonly<Record<string, string>>): number {
  return readInteger('attachment_id', path.attachment_id)
}

export const attachmentRoutes = [getOfBug, getOne, getData, post, put, deleteOne]
