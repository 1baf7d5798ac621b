import type { CallContext } from '../../access/call.ts'
import { type Caller, isIn, requireLogin } from '../../access/caller.ts'
import { isInsider } from '../../access/visibility/reader-rights.ts'
import { findProduct } from '../../access/visibility/visible-products.ts'
import { getVisibleProduct } from '../products/product-permissions.ts'
import type { CannedReply } from './canned-reply.ts'
import { listCannedReplies } from './canned-reply-store.ts'

/** The product of the bug that is commented on, if any; `forEditing` adds what the caller may change but not use. */
interface Wanted {
  product: string | undefined
  forEditing: boolean
}

/** Those of the product, then those of all products, each by name. */
export async function readCannedReplies(context: CallContext, { product: ref, forEditing }: Wanted) {
  const { db, caller, groups } = context
  requireLogin(caller)
  const product = ref === undefined ? undefined : await getVisibleProduct(context, ref)
  const own = product === undefined ? [] : await listCannedReplies(db, product.id)
  const all = await listCannedReplies(db)
  const changesAll = isIn(caller, 'editcomponents')
  const changesOwn = changesAll || (forEditing && product !== undefined && (await administers(context, product.id)))
  const list = [
    ...own.filter((it) => (forEditing && changesOwn) || isUsableBy(context, it)),
    ...all.filter((it) => (forEditing && changesAll) || isUsableBy(context, it)),
  ]
  return list.map((reply) => ({
    id: reply.id,
    name: reply.name,
    text: reply.text,
    is_private: reply.is_private === 1,
    product: reply.product_id === null ? null : (product?.name ?? null),
    group: reply.group_id === null ? null : (groups.groups.get(reply.group_id)?.name ?? null),
  }))
}

/** Only insiders write private comments, so the private replies are for them. */
export function isUsableBy({ caller, settings }: Pick<CallContext, 'caller' | 'settings'>, reply: CannedReply) {
  return isForGroupsOf(caller, reply) && (reply.is_private === 0 || isInsider(caller, settings))
}

function isForGroupsOf(caller: Caller, { group_id: group }: CannedReply) {
  return group === null || caller.groups.ids.has(group)
}

async function administers({ db, caller, settings }: CallContext, id: number) {
  return (await findProduct(db, caller, settings, String(id), 'administered')) !== undefined
}
