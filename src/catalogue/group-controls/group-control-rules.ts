import { errors } from '../../platform/errors.ts'
import type { Rule } from '../../platform/rule.ts'
import { CONTROL, controlWord, type GroupControl, isUsed } from './group-control.ts'

export interface GroupControlEdit {
  group: { name: string; is_bug_group: 0 | 1; is_active: 0 | 1 }
  after: GroupControl
}

const { NA, Shown, Default, Mandatory } = CONTROL

const LEGAL_OTHERS: readonly (readonly number[])[] = [
  /* NA */ [NA],
  /* Shown */ [NA, Shown, Default, Mandatory],
  /* Default */ [NA, Default, Mandatory],
  /* Mandatory */ [Mandatory],
]

export const controlsGoTogether: Rule<GroupControlEdit> = {
  says: 'What a group means to others goes with what it means to members: NA with NA; Shown with anything; Default with NA, Default and Mandatory; Mandatory with Mandatory.',
  brokenBy: ({ after }) => !LEGAL_OTHERS[after.membercontrol]?.includes(after.othercontrol),
  error: ({ after }) =>
    errors.refused({
      why: `membercontrol ${controlWord(after.membercontrol)} does not go with othercontrol ${controlWord(after.othercontrol)}, only with ${(LEGAL_OTHERS[after.membercontrol] ?? []).map(controlWord).join(', ')}`,
    }),
}

export const productsUseActiveBugGroups: Rule<GroupControlEdit> = {
  says: 'A product uses only active groups that can restrict bugs; it can always stop using a group.',
  brokenBy: ({ group, after }) => isUsed(after) && (group.is_bug_group === 0 || group.is_active === 0),
  error: ({ group }) =>
    errors.refused({
      why: `The group ${group.name} is ${group.is_bug_group === 0 ? 'not one that restricts bugs' : 'not active'}, so no product can use it`,
    }),
}

/** In the order they are checked: the first one broken is the error the client sees. */
export const groupControlRules = [controlsGoTogether, productsUseActiveBugGroups]
