import { readSettings } from '../../access/installation.ts'
import { recordCreation } from '../../changes/audit.ts'
import type { Db } from '../../platform/database/db.ts'
import { createClassification } from '../classifications/change-classifications.ts'
import { type ComponentUser, NEW_COMPONENT } from '../components/component.ts'
import { insertComponent } from '../components/component-store.ts'
import { createProduct, NO_MILESTONE } from './create-product.ts'

/** Creates the product of a new installation, so that a first bug can be filed at once. The administrator is the assignee. */
export async function createFirstProducts(tx: Db, administrator: ComponentUser) {
  await createClassification(tx, null, {
    name: 'Unclassified',
    description: 'Products that are in no other classification.',
  })
  const name = 'TestProduct'
  const id = await createProduct(tx, await readSettings(tx), null, {
    name,
    description: 'A place to try the tracker out. Once there is a real product, this one can be closed or deleted.',
    bug_template: '',
    version: 'unspecified',
    has_unconfirmed: true,
    is_open: true,
    classification: undefined,
    default_milestone: NO_MILESTONE,
    create_series: false,
  })
  const component = {
    ...NEW_COMPONENT,
    name: 'TestComponent',
    description: 'Bugs that were filed to see how it is done.',
    default_assignee: administrator,
  }
  const objectId = await insertComponent(tx, { id, name }, component)
  await recordCreation(tx, { who: null, class: 'Component', objectId }, component.name)
}
