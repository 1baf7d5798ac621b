import type { Rule } from '../../platform/rule.ts'
import { haveAName, haveShortDescriptions, haveShortNames, haveSortKeysFrom } from '../name-rules.ts'
import type { ClassificationEdit } from './classification.ts'

export const classificationsHaveAName: Rule<ClassificationEdit> = haveAName('Classifications')
export const classificationNamesAreShort: Rule<ClassificationEdit> = haveShortNames('Classifications')
export const classificationDescriptionsAreShort: Rule<ClassificationEdit> = haveShortDescriptions('Classifications')
export const classificationSortKeysAreInRange: Rule<ClassificationEdit> = haveSortKeysFrom(0, 'Classifications')

/** Checked in this order. The client gets the error of the first broken rule. */
export const classificationRules = [
  classificationsHaveAName,
  classificationNamesAreShort,
  classificationDescriptionsAreShort,
  classificationSortKeysAreInRange,
]
