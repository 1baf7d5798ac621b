import { type Changes, recordAudit, recordCreation, recordRemoval } from '../../changes/audit.ts'
import { changesBetween } from '../../changes/changes-between.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { enforce } from '../../platform/rule.ts'
import { changeCatalogue } from '../change-catalogue.ts'
import { requireControlsNothing } from '../controlled-fields.ts'
import { type EditorContext, getAdministeredProduct, keyIn } from '../products/product-permissions.ts'
import { setDefaultVersion } from '../products/product-store.ts'
import { editOf, NEW_VERSION, type Version, type WantedVersion } from './version.ts'
import { versionRules } from './version-rules.ts'
import {
  deleteVersion,
  getVersion,
  insertVersion,
  listVersions,
  updateVersion,
  versionHasBugs,
} from './version-store.ts'

export async function createVersion(
  context: EditorContext,
  productRef: string,
  wanted: WantedVersion,
): Promise<number> {
  return changeCatalogue(context.db, async (tx) => {
    const product = await getAdministeredProduct(tx, context, keyIn(productRef))
    const version = editOf(NEW_VERSION, wanted)
    enforce(versionRules, version)
    const id = await insertVersion(tx, product.id, version)
    await recordCreation(tx, { who: product.who, class: 'Version', objectId: id }, version.name)
    return id
  })
}

/** Makes the same changes to several versions: to all of them, or to none if one fails. Bugs keep a version that is renamed. */
export async function updateVersions(
  context: EditorContext,
  productRef: string,
  names: readonly string[],
  wanted: WantedVersion,
): Promise<{ id: number; changes: Changes }[]> {
  return changeCatalogue(context.db, async (tx) => {
    const product = await getAdministeredProduct(tx, context, keyIn(productRef))
    const versions = new Map<number, Version>()
    for (const name of names) {
      const { product_id: _, ...version } = await getVersion(tx, product.id, name)
      versions.set(version.id, version)
    }
    if (versions.size > 1 && wanted.name !== undefined) throw errors.one_at_a_time({ name: 'name', what: 'version' })
    const updated = []
    for (const before of versions.values())
      updated.push({ id: before.id, changes: await updateOne(tx, product.who, before, wanted) })
    if (wanted.is_active === false) await settleDefaultVersion(tx, product)
    return updated
  })
}

async function updateOne(tx: Db, who: number, before: Version, wanted: WantedVersion): Promise<Changes> {
  const after = { id: before.id, ...editOf(before, wanted) }
  enforce(versionRules, after)
  await updateVersion(tx, after)
  const changes = changesBetween({ ...before }, { ...after })
  await recordAudit(tx, { who, class: 'Version', objectId: before.id }, changes)
  return changes
}

/** Deletes a version, but not the last one of a product, nor one that a bug has. */
export async function removeVersion(context: EditorContext, productRef: string, name: string): Promise<Version> {
  return changeCatalogue(context.db, async (tx) => {
    const product = await getAdministeredProduct(tx, context, keyIn(productRef))
    const version = await getVersion(tx, product.id, name)
    const what = `The version ${version.name}`
    if ((await listVersions(tx, [product.id])).length === 1)
      throw errors.version_is_last({ version: version.name, product: product.name })
    if (await versionHasBugs(tx, version.id)) throw errors.version_has_bugs({ version: version.name })
    await requireControlsNothing(tx, 'version', [version.id], what)
    await deleteVersion(tx, version)
    await settleDefaultVersion(tx, product)
    await recordRemoval(tx, { who: product.who, class: 'Version', objectId: version.id }, version.name)
    return version
  })
}

/** If the default version was deleted or disabled, the first active one becomes the default. */
async function settleDefaultVersion(tx: Db, product: { id: number; default_version_id: number | null }) {
  const versions = await listVersions(tx, [product.id])
  const isUsable = versions.some(({ id, is_active }) => id === product.default_version_id && is_active === 1)
  const next = versions.find(({ is_active }) => is_active === 1) ?? versions[0]
  if (!isUsable && next) await setDefaultVersion(tx, product.id, next.id)
}
