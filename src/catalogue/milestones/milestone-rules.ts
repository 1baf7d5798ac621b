import type { Rule } from '../../platform/rule.ts'
import { haveAName, haveShortNames, haveSortKeysFrom } from '../name-rules.ts'
import type { MilestoneEdit } from './milestone.ts'

export const milestonesHaveAName: Rule<MilestoneEdit> = haveAName('Milestones')
export const milestoneNamesAreShort: Rule<MilestoneEdit> = haveShortNames('Milestones')
export const milestoneSortKeysAreInRange: Rule<MilestoneEdit> = haveSortKeysFrom(-32_768, 'Milestones')

/** Checked in this order. The client gets the error of the first broken rule. */
export const milestoneRules = [milestonesHaveAName, milestoneNamesAreShort, milestoneSortKeysAreInRange]
