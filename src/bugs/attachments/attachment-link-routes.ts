import { Type } from '@sinclair/typebox'
import { fileLinkFor, LINK_MINUTES } from '../../access/authentication/file-link.ts'
import { call } from '../../access/call.ts'
import { requireLogin } from '../../access/caller.ts'
import { requireOwnPage } from '../../people/sessions/sign-in.ts'
import { errors } from '../../platform/errors.ts'
import { toTime } from '../../platform/time/clock.ts'
import { readInteger } from '../../platform/wire/params.ts'
import { attachmentsByIds } from './reading/read-attachments.ts'

const AttachmentLink = Type.Object(
  {
    address: Type.String({ description: 'Below the base address.' }),
    expires: Type.String({ format: 'date-time' }),
  },
  { additionalProperties: false },
)

const getLink = call({
  method: 'GET',
  path: '/bug/attachment/:attachment_id/link',
  pathParams: { attachment_id: 'Id of an attachment.' },
  resource: 'attachment',
  summary: 'Get an address with which a page shows or downloads an attachment.',
  about: `Only pages of this server can make this call, in a session. The address works for ${LINK_MINUTES} minutes, in the same session only, and while its user may see the attachment.`,
  params: {},
  answers: AttachmentLink,
  scope: 'read',
  async run(context) {
    const id = readInteger('attachment_id', context.path.attachment_id)
    if ((await attachmentsByIds(context, [id])).length === 0)
      throw errors.no_such_object({ what: 'attachment', ref: String(id) })
    requireOwnPage(context)
    requireLogin(context.caller)
    const { token } = context.credentials
    if (token === undefined) throw errors.session_only()
    const { code, expires } = await fileLinkFor(context.db, token, attachmentLinkPurpose({ attachment_id: String(id) }))
    return { address: `/rest/bug/attachment/${id}/data?link_code=${code}`, expires: toTime(expires) }
  },
})

/** What a code in the address of a download is for. */
export function attachmentLinkPurpose({ attachment_id: id }: Readonly<Record<string, string>>) {
  return `attachment ${id}`
}

export const attachmentLinkRoutes = [getLink] as const
