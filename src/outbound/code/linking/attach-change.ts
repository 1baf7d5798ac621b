import { join } from 'node:path'
import { createAttachments, type NewAttachment, storeFile } from '../../../bugs/attachments/create-attachments.ts'
import { Contents } from '../../../platform/contents/contents.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { DeliveryContext } from '../../delivery/delivery-context.ts'
import type { ActingContext } from '../../receivers/act-as.ts'
import type { CodeSource, SourceKind } from '../sources/code-source.ts'
import type { ReportedChange } from './code-change.ts'

/** The types of attachments that are links to changes: two are BMO's. */
export const LINK_TYPES: Readonly<Record<Exclude<SourceKind, 'git'>, string>> = {
  github: 'text/x-github-pull-request',
  phabricator: 'text/x-phabricator-request',
  gitlab: 'text/x-gitlab-merge-request',
  forgejo: 'text/x-forgejo-pull-request',
  gerrit: 'text/x-gerrit-change',
}

const unattached = statement<{ sourceId: number; key: string; address: string; type: string }>()((q, p) =>
  q
    .selectFrom('code_changes')
    .innerJoin('code_links', 'code_links.change_id', 'code_changes.id')
    .select(['code_links.bug_id', 'code_changes.title'])
    .where('code_changes.source_id', '=', p.sourceId)
    .where('code_changes.change_key', '=', p.key)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('attachments')
            .innerJoin('attachment_texts', 'attachment_texts.attachment_id', 'attachments.id')
            .select('attachments.id')
            .whereRef('attachments.bug_id', '=', 'code_links.bug_id')
            .where('attachments.content_type', '=', p.type)
            .where('attachment_texts.text', '=', p.address),
        ),
      ),
    )
    .orderBy('code_links.bug_id'),
)

/** Attaches the address of a change to the bugs that it is linked to and that do not have it yet, if the source does so. */
export async function attachChange(
  { config }: DeliveryContext,
  acting: ActingContext,
  source: CodeSource,
  { kind, key, address, repository, number }: ReportedChange,
): Promise<string[]> {
  if (!source.attaches || kind !== 'change' || source.kind === 'git' || address === '') return []
  const type = LINK_TYPES[source.kind]
  const rows = await acting.db.all(unattached, { sourceId: source.id, key, address, type })
  const refusals = []
  const contents = new Contents(join(config.dataFolder, 'attachments'))
  for (const { bug_id, title } of rows) {
    const attachment = attachmentOf({ type, address, title, repository, number })
    try {
      const file = await storeFile({ ...acting, contents }, [String(bug_id)], attachment)
      await createAttachments(acting, [String(bug_id)], attachment, file)
    } catch (fault) {
      if (!(fault instanceof ApiError) || fault.status >= 500) throw fault
      refusals.push(fault.reason)
    }
  }
  return refusals
}

/** The address as the content of a file. */
function attachmentOf(change: {
  type: string
  address: string
  title: string
  repository: string
  number: string
}): NewAttachment {
  const { type, address, title, repository, number } = change
  const word = type.replace(/^text\/x-|-(pull-request|merge-request|change|request)$/g, '')
  return {
    data: Buffer.from(address).toString('base64'),
    file_name: `${word}-${repository.replaceAll(/[^\w.-]+/g, '_')}-${number}-url.txt`.slice(0, 200),
    summary: `[${repository}] ${title} (#${number})`.slice(0, 250),
    content_type: type,
    comment: undefined,
    is_patch: false,
    is_private: false,
    flags: undefined,
  }
}
