import type { CallContext } from '../../access/call.ts'
import { requireGroup } from '../../access/caller.ts'
import { requireRecentProof } from '../../access/recent-proof.ts'
import { recordAudit, recordCreation, recordCreations } from '../../changes/audit.ts'
import { changesBetween } from '../../changes/changes-between.ts'
import { readGrantor } from '../../people/grantor.ts'
import type { Db } from '../../platform/database/db.ts'
import { enforce } from '../../platform/rule.ts'
import { changeCatalogue } from '../change-catalogue.ts'
import { CHANGED } from '../flag-types/editing/update-flag-types.ts'
import { requireMayControl, underName } from '../group-controls/change-group-control.ts'
import { NO_CONTROL, wordedForm } from '../group-controls/group-control.ts'
import { listGroupControls } from '../group-controls/group-control-store.ts'
import type { Product } from '../products/product.ts'
import { keyIn } from '../products/product-permissions.ts'
import { productRules } from '../products/product-rules.ts'
import { getProducts, insertProduct } from '../products/product-store.ts'
import { insertComponentSeries, insertProductSeries } from '../series/series-store.ts'
import { copyParts } from './copy-store.ts'

export interface WantedCopy {
  name: string
  /** Undefined for that of the other product. */
  description: string | undefined
  isOpen: boolean | undefined
  withSeries: boolean
}

/** Makes a product that has everything of another one except for its bugs, or nothing if a part of it may not be copied. */
export async function copyProduct(context: CallContext, ref: string, wanted: WantedCopy) {
  const { id: who } = requireGroup(context.caller, 'editcomponents')
  return changeCatalogue(context.db, async (tx) => {
    const [source] = (await getProducts(tx, context, [keyIn(ref)])) as [Product]
    const product = {
      name: wanted.name.trim(),
      description: wanted.description?.trim() ?? source.description,
      bug_template: source.bug_template,
      votesperuser: source.votesperuser,
      maxvotesperbug: source.maxvotesperbug,
      votestoconfirm: source.votestoconfirm,
    }
    enforce(productRules, product)
    const controls = await listGroupControls(tx, source.id)
    if (controls.length > 0) await requireMayCopyControls(tx, context, controls)
    const id = await insertProduct(tx, {
      ...product,
      is_active: (wanted.isOpen ?? source.is_active === 1) ? 1 : 0,
      has_unconfirmed: source.has_unconfirmed,
      classification_id: source.classification_id,
    })
    const { versions, milestones, components, cannedReplies, scopes } = await copyParts(tx, { from: source.id, to: id })
    const copy = { id, name: product.name }
    if (wanted.withSeries) {
      await insertProductSeries(tx, who, copy)
      await insertComponentSeries(tx, who, copy, components)
    }
    await recordCreation(tx, { who, class: 'Product', objectId: id }, product.name)
    await recordCreations(tx, who, 'Version', versions)
    await recordCreations(tx, who, 'Milestone', milestones)
    await recordCreations(tx, who, 'Component', components)
    await recordCreations(tx, who, 'CannedReply', cannedReplies)
    await recordControls(tx, who, id, controls)
    const flagTypes = await recordScopes(tx, who, scopes)
    return {
      id,
      copied: {
        components: components.length,
        versions: versions.length,
        milestones: milestones.length,
        group_controls: controls.length,
        flag_types: flagTypes,
      },
    }
  })
}

type Controls = Awaited<ReturnType<typeof listGroupControls>>

/** As for each of them alone: without them the bugs of the copy would be seen by users who do not see those of the other product. */
async function requireMayCopyControls(tx: Db, context: CallContext, controls: Controls) {
  const { id: who } = requireGroup(context.caller, 'creategroups')
  requireRecentProof(context)
  const grantor = await readGrantor(tx, who)
  for (const { id, name, ...control } of controls) requireMayControl(grantor, { id, name }, NO_CONTROL, control)
}

async function recordControls(tx: Db, who: number, productId: number, controls: Controls) {
  for (const { id: _, name, ...control } of controls) {
    const changes = changesBetween(wordedForm(NO_CONTROL), wordedForm(control))
    await recordAudit(tx, { who, class: 'GroupControl', objectId: productId }, underName(name, changes))
  }
}

/** Flag types that apply, or do not apply, to the other product say the same of the copy. Returns how many. */
async function recordScopes(tx: Db, who: number, scopes: readonly { flag_type_id: number; kind: string }[]) {
  const byType = Map.groupBy(scopes, (it) => it.flag_type_id)
  for (const [objectId, own] of byType) {
    const kinds = new Set(own.map(({ kind }) => `${kind}s`))
    await recordAudit(
      tx,
      { who, class: 'FlagType', objectId },
      Object.fromEntries([...kinds].map((it) => [it, CHANGED])),
    )
  }
  return byType.size
}
