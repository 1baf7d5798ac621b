import { type Changes, recordAudit, recordCreation, recordRemoval } from '../../changes/audit.ts'
import { changesBetween } from '../../changes/changes-between.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { enforce } from '../../platform/rule.ts'
import { changeCatalogue } from '../change-catalogue.ts'
import { requireControlsNothing } from '../controlled-fields.ts'
import {
  type Classification,
  changedClassification,
  NEW_CLASSIFICATION,
  UNCLASSIFIED_ID,
  type WantedClassification,
} from './classification.ts'
import { classificationRules } from './classification-rules.ts'
import {
  deleteClassification,
  emptyClassification,
  getClassification,
  insertClassification,
  updateClassification,
} from './classification-store.ts'

export async function createClassification(db: Db, who: number | null, wanted: WantedClassification): Promise<number> {
  const classification = changedClassification(NEW_CLASSIFICATION, wanted)
  enforce(classificationRules, classification)
  return changeCatalogue(db, async (tx) => {
    const id = await insertClassification(tx, classification)
    await recordCreation(tx, { who, class: 'Classification', objectId: id }, classification.name)
    return id
  })
}

/** Makes the same changes to several classifications: to all of them, or to none if one fails. */
export async function updateClassifications(
  db: Db,
  who: number,
  refs: readonly string[],
  wanted: WantedClassification,
): Promise<{ id: number; changes: Changes }[]> {
  return changeCatalogue(db, async (tx) => {
    const found = new Map<number, Classification>()
    for (const ref of refs) {
      const classification = await getClassification(tx, ref)
      found.set(classification.id, classification)
    }
    if (found.size > 1 && wanted.name !== undefined)
      throw errors.one_at_a_time({ name: 'name', what: 'classification' })
    const updated = []
    for (const before of found.values())
      updated.push({ id: before.id, changes: await updateOne(tx, who, before, wanted) })
    return updated
  })
}

async function updateOne(tx: Db, who: number, before: Classification, wanted: WantedClassification): Promise<Changes> {
  const after = { id: before.id, ...changedClassification(before, wanted) }
  enforce(classificationRules, after)
  await updateClassification(tx, after)
  const changes = changesBetween({ ...before }, { ...after })
  await recordAudit(tx, { who, class: 'Classification', objectId: before.id }, changes)
  return changes
}

/** Deletes a classification. Its products move to the default one. */
export async function removeClassification(db: Db, who: number, ref: string): Promise<Classification> {
  return changeCatalogue(db, async (tx) => {
    const classification = await getClassification(tx, ref)
    const { id, name } = classification
    if (id === UNCLASSIFIED_ID) throw errors.default_classification_kept({ name })
    await requireControlsNothing(tx, 'classification', [id], `The classification ${name}`)
    const unclassified = await getClassification(tx, String(UNCLASSIFIED_ID))
    for (const objectId of await emptyClassification(tx, id))
      await recordAudit(
        tx,
        { who, class: 'Product', objectId },
        { classification: { removed: name, added: unclassified.name } },
      )
    await deleteClassification(tx, classification)
    await recordRemoval(tx, { who, class: 'Classification', objectId: id }, name)
    return classification
  })
}
