import type { Rule } from '../../platform/rule.ts'
import { haveAName, haveShortNames, haveSortKeysFrom } from '../name-rules.ts'
import type { VersionEdit } from './version.ts'

export const versionsHaveAName: Rule<VersionEdit> = haveAName('Versions')
export const versionNamesAreShort: Rule<VersionEdit> = haveShortNames('Versions')
export const versionSortKeysAreInRange: Rule<VersionEdit> = haveSortKeysFrom(0, 'Versions')

/** Checked in this order. The client gets the error of the first broken rule. */
export const versionRules = [versionsHaveAName, versionNamesAreShort, versionSortKeysAreInRange]
