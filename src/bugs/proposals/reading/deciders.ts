import type { CallContext } from '../../../access/call.ts'
import { isSignedIn } from '../../../access/caller.ts'
import { editorRightsOf } from '../../editing/batch/editor-rights.ts'
import { listProductsOfBugs } from '../../editing/product-rights.ts'

type DeciderContext = Pick<CallContext, 'db' | 'caller' | 'settings'>

interface Decided {
  id: number
  bug_id: number | null
  product_id: number
}

/** What the caller may try with a proposal that they can read. */
export interface DeciderRights {
  /** The product is not read-only for them. Whether they may make the change itself is found out when they do. */
  accept: boolean
  /** A part of the bug is theirs to work on: others cannot make a proposal disappear. */
  decline: boolean
}

const NONE: DeciderRights = { accept: false, decline: false }

/** The rights of the caller on each of these proposals. */
export async function decidersOf(
  { db, caller, settings }: DeciderContext,
  proposals: readonly Decided[],
): Promise<(proposal: Decided) => DeciderRights> {
  if (!isSignedIn(caller) || !caller.scopes.has('write')) return () => NONE
  const bugIds = [...new Set(proposals.flatMap(({ bug_id }) => bug_id ?? []))]
  const bugs = await editorRightsOf(db, { editor: caller, settings }, bugIds)
  const productIds = proposals.flatMap(({ bug_id, product_id }) => (bug_id === null ? [product_id] : []))
  const products = productIds.length === 0 ? new Map() : await listProductsOfBugs(db, caller, settings, productIds)
  return ({ bug_id, product_id }) => {
    if (bug_id === null)
      return { accept: products.has(product_id), decline: products.get(product_id)?.hasEditbugs === true }
    const found = bugs.get(bug_id)
    if (found === undefined || !found.isEditable) return NONE
    const { hasEditbugs, isAssignee, isQaContact, isReporter } = found.rights
    return { accept: true, decline: hasEditbugs || isAssignee || isQaContact || isReporter }
  }
}
