import type { Db } from '../../../platform/database/db.ts'
import { errors } from '../../../platform/errors.ts'
import { sameAs } from '../../../platform/text/fold.ts'
import { mayChange, requireMayChange } from '../../rights/bug-permissions.ts'
import {
  type BugProduct,
  getBugComponent,
  getBugMilestone,
  getBugVersion,
  getEnterableProduct,
  milestoneAfterMove,
} from '../../values/bug-location.ts'
import { type Batch, type BugEdit, isMoving } from '../batch/batch.ts'
import { listComponentCc } from './location-store.ts'

/**
 * Changes product, component, version and milestone. A bug that moves keeps values that exist under the same name in the new product.
 * Otherwise the request must name a component and a version, and the milestone becomes the default one.
 */
export async function editLocation(tx: Db, batch: Batch) {
  const { product, component, version, target_milestone } = batch.params
  if (product !== undefined) await moveBugs(tx, batch, product)
  await setComponents(tx, batch, component)
  await setVersions(tx, batch, version)
  await setMilestones(tx, batch, target_milestone)
}

async function moveBugs(tx: Db, { editor, settings, edits }: Batch, name: string) {
  if (name.trim() === '') throw errors.parameter_required({ name: 'product', field: 'product' })
  const isThere = sameAs(name.trim())
  const moving = edits.filter(({ before }) => !isThere(before.product))
  if (moving.length === 0) return
  for (const { rights } of moving) requireMayChange(rights, 'product')
  const product = await getEnterableProduct(tx, editor, settings, name)
  for (const edit of moving) moveTo(edit, product)
}

function moveTo(edit: BugEdit, product: BugProduct) {
  edit.product = product
  edit.after.product_id = product.id
  edit.after.product = product.name
  edit.after.classification_id = product.classification_id
}

async function setComponents(tx: Db, { edits }: Batch, name: string | undefined) {
  const find = rememberLookups((edit: BugEdit) =>
    getBugComponent(tx, edit.product, name ?? edit.before.component, { id: edit.before.component_id }),
  )
  const moved = []
  for (const edit of edits) {
    if (name === undefined && !isMoving(edit)) continue
    const { before, after } = edit
    const component = await find([edit.product.id, name ?? before.component, before.component_id], edit)
    if (component.id === before.component_id) continue
    requireMayChange(edit.rights, 'component')
    after.component_id = component.id
    after.component = component.name
    moved.push(edit)
  }
  await addDefaultCc(tx, moved)
}

/** A bug that gets a new component also gets its default CC list. */
async function addDefaultCc(tx: Db, edits: readonly BugEdit[]) {
  if (edits.length === 0) return
  const ids = [...new Set(edits.map(({ after }) => after.component_id))]
  const people = Map.groupBy(await listComponentCc(tx, ids), (row) => row.component_id)
  for (const { after } of edits) {
    const added = (people.get(after.component_id) ?? []).filter(({ id }) => !after.cc.some((it) => it.id === id))
    after.cc = [...after.cc, ...added.map(({ id, login }) => ({ id, login }))]
  }
}

async function setVersions(tx: Db, { edits }: Batch, name: string | undefined) {
  if (name?.trim() === '') throw errors.parameter_required({ name: 'version', field: 'version' })
  const find = rememberLookups((edit: BugEdit) =>
    getBugVersion(tx, edit.product, name ?? edit.before.version, { id: edit.before.version_id }),
  )
  for (const edit of edits) {
    if (name === undefined && !isMoving(edit)) continue
    const { before, after } = edit
    const version = await find([edit.product.id, name ?? before.version, before.version_id], edit)
    if (version.id === before.version_id) continue
    requireMayChange(edit.rights, 'version')
    after.version_id = version.id
    after.version = version.name
  }
}

/** If an editor moves a bug but may not choose its milestone, the requested milestone is ignored. */
async function setMilestones(tx: Db, { edits }: Batch, name: string | undefined) {
  const find = rememberLookups((edit: BugEdit) =>
    getBugMilestone(tx, edit.product, name ?? '', { id: edit.before.milestone_id }),
  )
  const follow = rememberLookups((edit: BugEdit) => milestoneAfterMove(tx, edit.product, edit.before.milestone))
  for (const edit of edits) {
    const { before, after, rights, product } = edit
    const isChosen = name !== undefined && (!isMoving(edit) || mayChange(rights, 'target_milestone'))
    if (!isChosen && !isMoving(edit)) continue
    const milestone = isChosen
      ? await find([product.id, before.milestone_id], edit)
      : await follow([product.id, before.milestone], edit)
    if (milestone.id === before.milestone_id) continue
    if (isChosen) requireMayChange(rights, 'target_milestone')
    after.milestone_id = milestone.id
    after.milestone = milestone.name
  }
}

/** Remembers each lookup, so that it runs once for any number of bugs. */
function rememberLookups<Value>(find: (edit: BugEdit) => Promise<Value>) {
  const known = new Map<string, Value>()
  return async (key: readonly unknown[], edit: BugEdit): Promise<Value> => {
    const name = JSON.stringify(key)
    const value = known.get(name) ?? (await find(edit))
    known.set(name, value)
    return value
  }
}
