import type { CallContext } from '../../access/call.ts'
import { isIn, requireGroup, requireLogin } from '../../access/caller.ts'
import { requireListRoom } from '../../access/list-limits.ts'
import { findProduct } from '../../access/visibility/visible-products.ts'
import { type Changes, recordAudit, recordCreation, recordRemoval } from '../../changes/audit.ts'
import { changesBetween } from '../../changes/changes-between.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { enforce } from '../../platform/rule.ts'
import { fold } from '../../platform/text/fold.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { changeCatalogue } from '../change-catalogue.ts'
import { findAdministeredProduct, getAdministeredProduct, keyIn } from '../products/product-permissions.ts'
import { type CannedReply, type CannedReplyEdit, type WantedReply, writtenForm } from './canned-reply.ts'
import { cannedReplyRules } from './canned-reply-rules.ts'
import {
  deleteCannedReply,
  findCannedReply,
  insertCannedReply,
  listCannedReplies,
  updateCannedReply,
} from './canned-reply-store.ts'
import { isUsableBy } from './read-canned-replies.ts'

const NEW_REPLY: CannedReplyEdit = { name: '', text: '', is_private: 0, group_id: null }

/** Without a product it is one of all products. */
export async function createCannedReply(
  context: CallContext,
  product: string | undefined,
  wanted: WantedReply,
): Promise<number> {
  return changeCatalogue(context.db, async (tx) => {
    const { who, id: productId } = await requireEditor(tx, context, product)
    const reply = changedReply(context, NEW_REPLY, wanted)
    enforce(cannedReplyRules, reply)
    const before = (await listCannedReplies(tx, productId)).length
    requireListRoom('cannedReplies', before, before + 1)
    const id = await insertCannedReply(tx, { ...reply, product_id: productId ?? null })
    await recordCreation(tx, { who, class: 'CannedReply', objectId: id }, reply.name)
    return id
  })
}

export async function changeCannedReply(
  context: CallContext,
  ref: string,
  wanted: WantedReply,
): Promise<{ id: number; changes: Changes }> {
  return changeCatalogue(context.db, async (tx) => {
    const { who, reply } = await getAdministeredReply(tx, context, ref)
    const after = changedReply(context, reply, wanted)
    enforce(cannedReplyRules, after)
    await updateCannedReply(tx, reply.id, after)
    const nameOf = (group: number) => context.groups.groups.get(group)?.name
    const changes = changesBetween(writtenForm(reply, nameOf), writtenForm(after, nameOf))
    await recordAudit(tx, { who, class: 'CannedReply', objectId: reply.id }, changes)
    return { id: reply.id, changes }
  })
}

export async function removeCannedReply(context: CallContext, ref: string): Promise<{ id: number; name: string }> {
  return changeCatalogue(context.db, async (tx) => {
    const { who, reply } = await getAdministeredReply(tx, context, ref)
    await deleteCannedReply(tx, reply.id)
    await recordRemoval(tx, { who, class: 'CannedReply', objectId: reply.id }, reply.name)
    return { id: reply.id, name: reply.name }
  })
}

async function requireEditor(tx: Db, context: CallContext, product: string | undefined) {
  if (product !== undefined) return getAdministeredProduct(tx, context, keyIn(product))
  return { who: requireGroup(context.caller, 'editcomponents').id, id: undefined }
}

/** Throws the same error for a reply that the caller may not see and for a missing one. */
async function getAdministeredReply(tx: Db, context: CallContext, ref: string) {
  const { id: who } = requireLogin(context.caller)
  const reply = await findCannedReply(tx, idIn(ref) ?? NO_REPLY)
  if (reply === undefined || !(await mayChange(tx, context, reply)))
    throw errors.no_such_id({ what: 'canned reply', ref })
  return { who, reply }
}

const NO_REPLY = 0

async function mayChange(tx: Db, context: CallContext, reply: CannedReply): Promise<boolean> {
  if (reply.product_id !== null) {
    const { caller, settings } = context
    const access = isUsableBy(context, reply) ? 'accessible' : 'administered'
    const product = await findProduct(tx, caller, settings, String(reply.product_id), access)
    return product !== undefined && (await findAdministeredProduct(tx, context, product)) !== undefined
  }
  if (isIn(context.caller, 'editcomponents')) return true
  if (isUsableBy(context, reply)) requireGroup(context.caller, 'editcomponents')
  return false
}

function changedReply(context: CallContext, before: CannedReplyEdit, wanted: WantedReply): CannedReplyEdit {
  const { name = before.name, text = before.text, is_private: isPrivate, group } = wanted
  return {
    name: name.trim(),
    text: text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').trimEnd(),
    is_private: isPrivate === undefined ? before.is_private : isPrivate ? 1 : 0,
    group_id: group === undefined ? before.group_id : groupNamed(context, before, group),
  }
}

/** Only a group that the caller is in, or manages, so that nobody learns which others there are. */
function groupNamed({ caller, groups }: CallContext, { group_id: before }: CannedReplyEdit, name: string) {
  const key = fold(name.trim())
  if (key === '') return null
  const group = [...groups.groups.values()].find((it) => fold(it.name) === key)
  if (group === undefined || !(group.id === before || caller.groups.ids.has(group.id) || isIn(caller, 'creategroups')))
    throw errors.group_not_yours({ ref: name })
  return group.id
}
