import { readSettings } from '../../access/installation.ts'
import { recordCreation } from '../../changes/audit.ts'
import type { Db } from '../../platform/database/db.ts'
import { createClassification } from '../classifications/change-classifications.ts'
import { type ComponentUser, NEW_COMPONENT } from '../components/component.ts'
import { insertComponent } from '../components/component-store.ts'
import { createProduct, NO_MILESTONE } from './create-product.ts'
import { NO_VOTES } from './product.ts'

/** The product that a new installation begins with. */
interface FirstProduct {
  name: string
  description: string
  version?: string
  component?: { name: string; description: string }
}

const TEST_PRODUCT: FirstProduct = {
  name: 'TestProduct',
  description: 'A place to try the tracker out. Once there is a real product, this one can be closed or deleted.',
  component: { name: 'TestComponent', description: 'Bugs that were filed to see how it is done.' },
}

/** Creates the product of a new installation, so that a first bug can be filed at once. The administrator is the assignee. */
export async function createFirstProducts(tx: Db, administrator: ComponentUser, product: FirstProduct = TEST_PRODUCT) {
  await createClassification(tx, null, {
    name: 'Unclassified',
    description: 'Products that are in no other classification.',
  })
  const { name, description, version = 'unspecified' } = product
  const id = await createProduct(tx, await readSettings(tx), null, {
    name,
    description,
    bug_template: '',
    version,
    has_unconfirmed: true,
    is_open: true,
    classification: undefined,
    default_milestone: NO_MILESTONE,
    create_series: false,
    ...NO_VOTES,
  })
  const component = {
    ...NEW_COMPONENT,
    ...(product.component ?? { name: 'General', description: 'Everything.' }),
    default_assignee: administrator,
  }
  const objectId = await insertComponent(tx, { id, name }, component)
  await recordCreation(tx, { who: null, class: 'Component', objectId }, component.name)
}
