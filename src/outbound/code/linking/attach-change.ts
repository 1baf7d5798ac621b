import { createAttachments, type NewAttachment, storeFile } from '../../../bugs/attachments/create-attachments.ts'
import { updateAttachments } from '../../../bugs/attachments/update-attachments.ts'
import { CHANGE_LINK_TYPES } from '../../../changes/change-links.ts'
import type { Contents } from '../../../platform/contents/contents.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { ActingContext } from '../../receivers/act-as.ts'
import type { CodeSource } from '../sources/code-source.ts'
import type { ReportedChange } from './code-change.ts'

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

const attachedBefore = statement<{ ids: string; userId: number; address: string; type: string }>()((q, p, d) =>
  q
    .selectFrom('attachments')
    .innerJoin('attachment_texts', 'attachment_texts.attachment_id', 'attachments.id')
    .select('attachments.id')
    .where('attachments.bug_id', 'in', d.integersIn(p.ids))
    .where('attachments.content_type', '=', p.type)
    .where('attachments.user_id', '=', p.userId)
    .where('attachments.is_obsolete', '=', 0)
    .where('attachment_texts.text', '=', p.address)
    .orderBy('attachments.id'),
)

/** What was attached, and why something was not. */
interface AttachedChange {
  ids: Map<number, number>
  refusals: string[]
}

/**
 * Attaches the address of a change to the bugs that it is linked to and that do not have it yet, if the source does so. On bugs that it names
 * no longer, the attachment becomes obsolete.
 */
export async function attachChange(
  contents: Contents,
  acting: ActingContext,
  source: CodeSource,
  { kind, key, address, repository, number }: ReportedChange,
  unlinked: readonly number[],
): Promise<AttachedChange> {
  const attached: AttachedChange = { ids: new Map(), refusals: [] }
  if (!source.attaches || kind !== 'change' || source.kind === 'git' || address === '') return attached
  const type = CHANGE_LINK_TYPES[source.kind]
  for (const { bug_id, title } of await acting.db.all(unattached, { sourceId: source.id, key, address, type })) {
    const attachment = attachmentOf({ type, address, title, repository, number })
    await unlessRefused(attached, async () => {
      const file = await storeFile({ ...acting, contents }, [String(bug_id)], attachment)
      const [id = 0] = await createAttachments(acting, [String(bug_id)], attachment, file)
      attached.ids.set(bug_id, id)
    })
  }
  const comment = 'The change names other bugs now.'
  const before = { ids: JSON.stringify(unlinked), userId: acting.caller.id, address, type }
  for (const { id } of unlinked.length === 0 ? [] : await acting.db.all(attachedBefore, before))
    await unlessRefused(attached, () => updateAttachments(acting, [id], { is_obsolete: true, comment }))
  return attached
}

async function unlessRefused({ refusals }: AttachedChange, work: () => Promise<unknown>) {
  try {
    await work()
  } catch (fault) {
    if (!(fault instanceof ApiError) || fault.status >= 500) throw fault
    refusals.push(fault.reason)
  }
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
    summary: [`[${repository}]`, title, `(#${number})`]
      .filter((part) => part !== '')
      .join(' ')
      .slice(0, 250),
    content_type: type,
    comment: undefined,
    is_patch: false,
    is_private: false,
    flags: undefined,
  }
}
