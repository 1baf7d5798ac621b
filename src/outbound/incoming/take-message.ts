import { join } from 'node:path'
import { restNameOf } from '../../../shared/bug-fields/field-names.ts'
import { BY_MAIL } from '../../access/change-source.ts'
import { readStateVersions } from '../../access/installation.ts'
import {
  createAttachments,
  type NewAttachment,
  type StoredFile,
  storeFile,
} from '../../bugs/attachments/create-attachments.ts'
import { createComment } from '../../bugs/comments/create-comment.ts'
import { updateBugs } from '../../bugs/editing/update-bugs.ts'
import { updateParams } from '../../bugs/editing/update-params.ts'
import { createBug, requireFileable } from '../../bugs/filing/create-bug.ts'
import { CREATE_PARAMS } from '../../bugs/filing/create-params.ts'
import { Contents } from '../../platform/contents/contents.ts'
import { ApiError } from '../../platform/errors.ts'
import { runFromSource } from '../../platform/queues/current-caller.ts'
import type { RequestParams } from '../../platform/wire/params.ts'
import { readParams } from '../../platform/wire/read-params.ts'
import type { DeliveryContext } from '../delivery/delivery-context.ts'
import { type ActingContext, actAsUsers } from '../receivers/act-as.ts'
import { countInLastHour, findTakenMessage, noteRefusedMessage, noteTakenMessage } from './incoming-store.ts'
import { isValidClaim } from './mail-address-store.ts'
import { type IncomingMessage, type RefusedMessage, readMessage } from './read-message.ts'

export type IncomingResult = { bugId: number; isNew: boolean } | RefusedMessage

/** A user who sends more is probably a program. */
const MOST_IN_AN_HOUR = 100

/**
 * Turns a message into a bug, a comment or a change, with its files and with the rights of the user whose address it
 * was sent to. It is applied completely or not at all, and only once.
 */
export async function takeMessage(context: DeliveryContext, raw: Buffer): Promise<IncomingResult> {
  const taken = await runFromSource(BY_MAIL, () => takenOrRefused(context, raw))
  return 'refused' in taken ? refuseMessage(context, taken) : taken
}

/** Notes the refusal for administrators: only the reason, and the user if the address was theirs. */
export async function refuseMessage(
  { db }: Pick<DeliveryContext, 'db'>,
  refusal: RefusedMessage & { userId?: number },
) {
  const { refused, userId = null } = refusal
  await noteRefusedMessage(db, { userId, reason: refused })
  return { refused }
}

async function takenOrRefused(
  context: DeliveryContext,
  raw: Buffer,
): Promise<IncomingResult | (RefusedMessage & { userId: number })> {
  const { db, installation, config } = context
  const { incoming_address: address } = await installation.settingsAt(await readStateVersions(db))
  if (address === '') return { refused: 'the parameter incoming_address is empty' }
  const message = await readMessage(raw, address)
  if ('refused' in message) return message
  const { claim, digest } = message
  if (!(await isValidClaim(db, claim))) return { refused: 'the secret word in the address is wrong or was replaced' }
  const acting = (await actAsUsers(context, [claim.userId])).get(claim.userId)
  const { userId } = claim
  if (acting === undefined) return { refused: 'the account is disabled', userId }
  const known = await findTakenMessage(db, digest)
  if (known !== undefined) return { bugId: known, isNew: false }
  if ((await countInLastHour(db, claim.userId)) >= MOST_IN_AN_HOUR)
    return { refused: `the user sent more than ${MOST_IN_AN_HOUR} messages in an hour`, userId }
  const contents = new Contents(join(config.dataFolder, 'attachments'))
  try {
    return await applyMessage(acting, contents, message)
  } catch (fault) {
    if (fault instanceof ApiError && fault.status < 500) return { refused: fault.message, userId }
    throw fault
  }
}

async function applyMessage(
  acting: ActingContext,
  contents: Contents,
  message: IncomingMessage,
): Promise<IncomingResult> {
  const files = message.files.length === 0 ? [] : await storedFiles(acting, contents, message)
  return acting.db.transaction(async (tx) => {
    const within = { ...acting, db: tx }
    const isNew = message.bugId === undefined
    const bugId = await bugOf(within, message)
    for (const [wanted, file] of files) await createAttachments(within, [String(bugId)], wanted, file)
    await noteTakenMessage(tx, { digest: message.digest, userId: acting.caller.id, bugId })
    return { bugId, isNew }
  })
}

/** The files are stored only if the message is not refused. */
async function storedFiles(acting: ActingContext, contents: Contents, message: IncomingMessage) {
  const { bugId, fields } = message
  if (bugId === undefined) await requireFileable(filingFrom(acting, message))
  else if (Object.keys(fields).length > 0)
    await updateBugs(updateFrom(acting, message, { dry_run: true }), [String(bugId)])
  const files: [NewAttachment, StoredFile][] = []
  for (const file of message.files) {
    const requested = attachmentFrom(file)
    const holders = bugId === undefined ? [] : [String(bugId)]
    files.push([requested, await storeFile({ ...acting, contents }, holders, requested)])
  }
  return files
}

function attachmentFrom({ name, type, bytes }: IncomingMessage['files'][number]): NewAttachment {
  return {
    data: bytes.toString('base64'),
    file_name: name,
    summary: name,
    content_type: type,
    comment: undefined,
    is_patch: false,
    is_private: false,
    flags: undefined,
  }
}

/** Files, changes or comments on a bug, and returns its id. */
async function bugOf(acting: ActingContext, message: IncomingMessage): Promise<number> {
  const { bugId, text, fields, files } = message
  if (bugId === undefined) return (await createBug(filingFrom(acting, message))).id
  if (Object.keys(fields).length > 0) await updateBugs(updateFrom(acting, message), [String(bugId)])
  else if (text !== '' || files.length === 0)
    await createComment(acting, String(bugId), { text, isPrivate: false, workTime: undefined })
  return bugId
}

function filingFrom(acting: ActingContext, { subject, text, fields }: IncomingMessage) {
  const rawParams: RequestParams = { summary: subject, description: text, ...fields }
  return { ...acting, rawParams, params: readParams(CREATE_PARAMS, rawParams) }
}

function updateFrom(acting: ActingContext, { text, fields }: IncomingMessage, more: RequestParams = {}) {
  const rawParams: RequestParams = { ...changesFrom(fields), ...(text !== '' && { comment: { body: text } }), ...more }
  return { ...acting, rawParams, params: readParams(updateParams, rawParams), ifMatch: undefined }
}

/** The value of a list field is a list of items with commas between them. */
function changesFrom(fields: Readonly<Record<string, string>>): RequestParams {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      LISTS.has(restNameOf(name)) ? { add: valuesIn(value) } : value,
    ]),
  )
}

function valuesIn(value: string) {
  return value.split(/[\s,]+/).filter((word) => word !== '')
}

const LISTS = new Set(['cc', 'keywords', 'depends_on', 'blocks', 'see_also', 'groups', 'alias'])
