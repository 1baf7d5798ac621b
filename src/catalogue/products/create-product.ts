import type { SignedIn } from '../../access/caller.ts'
import { recordCreation } from '../../changes/audit.ts'
import { createGroup } from '../../people/groups/create-group.ts'
import { findGroups } from '../../people/groups/group-store.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { enforce } from '../../platform/rule.ts'
import { changeCatalogue } from '../change-catalogue.ts'
import { UNCLASSIFIED_ID } from '../classifications/classification.ts'
import { getVisibleClassification } from '../classifications/classification-store.ts'
import { CONTROL, NO_CONTROL } from '../group-controls/group-control.ts'
import { saveGroupControl } from '../group-controls/group-control-store.ts'
import { NEW_PRODUCT_VALUE } from '../product-values/product-value.ts'
import { milestoneRules, versionRules } from '../product-values/product-value-rules.ts'
import { milestones, versions } from '../product-values/product-value-store.ts'
import { insertProductSeries } from '../series/series-store.ts'
import { templateIn, type VoteLimits } from './product.ts'
import { productRules } from './product-rules.ts'
import { insertProduct, setDefaultMilestone, setDefaultVersion } from './product-store.ts'

export interface WantedProduct extends VoteLimits {
  name: string
  description: string
  bug_template: string
  version: string
  has_unconfirmed: boolean
  is_open: boolean
  classification: string | undefined
  default_milestone: string
  create_series: boolean
}

export const NO_MILESTONE = '---'

/** Creates a product with its first version and milestone. Bugs can be filed once it has a component. */
export async function createProduct(
  db: Db,
  settings: Settings,
  caller: SignedIn | null,
  wanted: WantedProduct,
): Promise<number> {
  const who = caller?.id ?? null
  const product = {
    name: wanted.name.trim(),
    description: wanted.description.trim(),
    bug_template: templateIn(wanted.bug_template),
    votesperuser: wanted.votesperuser,
    maxvotesperbug: wanted.maxvotesperbug,
    votestoconfirm: wanted.votestoconfirm,
  }
  const version = { ...NEW_PRODUCT_VALUE, name: wanted.version.trim() }
  const milestone = { ...NEW_PRODUCT_VALUE, name: wanted.default_milestone.trim() || NO_MILESTONE }
  enforce(productRules, product)
  if (version.name === '') throw errors.product_version_empty()
  enforce(versionRules, version)
  enforce(milestoneRules, milestone)
  return changeCatalogue(db, async (tx) => {
    const id = await insertProduct(tx, {
      ...product,
      is_active: wanted.is_open ? 1 : 0,
      has_unconfirmed: wanted.has_unconfirmed ? 1 : 0,
      classification_id: await classificationFor(tx, settings, caller, wanted.classification),
    })
    await setDefaultVersion(tx, id, await versions.insert(tx, id, version))
    await setDefaultMilestone(tx, id, await milestones.insert(tx, id, milestone))
    if (settings.makeproductgroups) await makeProductGroup(tx, who, { id, name: product.name })
    if (wanted.create_series) await insertProductSeries(tx, who, { id, name: product.name })
    await recordCreation(tx, { who, class: 'Product', objectId: id }, product.name)
    return id
  })
}

async function classificationFor(tx: Db, settings: Settings, caller: SignedIn | null, name = ''): Promise<number> {
  if (!settings.useclassification || caller === null || name.trim() === '') return UNCLASSIFIED_ID
  return (await getVisibleClassification(tx, caller, settings, name)).id
}

/** Creates a bug group with the name of the product, the default for bugs of its members. Underscores are added to a name that is taken. */
async function makeProductGroup(tx: Db, who: number | null, product: { id: number; name: string }) {
  let name = /^\d+$/.test(product.name) ? `${product.name}_` : product.name
  while ((await findGroups(tx, [name])).get(name)) name += '_'
  const groupId = await createGroup(tx, who, {
    name,
    description: `Bugs of the product ${product.name}`,
    user_regexp: '',
    is_active: 1,
    is_bug_group: 1,
    icon_url: null,
    is_system: 0,
  })
  await saveGroupControl(tx, product.id, groupId, { ...NO_CONTROL, membercontrol: CONTROL.Default })
}
