import type { Rule } from '../../platform/rule.ts'
import { haveAName, haveShortNames, haveSortKeysFrom } from '../name-rules.ts'
import type { ProductValueEdit } from './product-value.ts'

export const versionsHaveAName: Rule<ProductValueEdit> = haveAName('Versions')
export const versionNamesAreShort: Rule<ProductValueEdit> = haveShortNames('Versions')
export const versionSortKeysAreInRange: Rule<ProductValueEdit> = haveSortKeysFrom(0, 'Versions')

/** Checked in this order. The client gets the error of the first broken rule. */
export const versionRules = [versionsHaveAName, versionNamesAreShort, versionSortKeysAreInRange]

export const milestonesHaveAName: Rule<ProductValueEdit> = haveAName('Milestones')
export const milestoneNamesAreShort: Rule<ProductValueEdit> = haveShortNames('Milestones')
export const milestoneSortKeysAreInRange: Rule<ProductValueEdit> = haveSortKeysFrom(-32_768, 'Milestones')

/** The same for milestones. */
export const milestoneRules = [milestonesHaveAName, milestoneNamesAreShort, milestoneSortKeysAreInRange]
