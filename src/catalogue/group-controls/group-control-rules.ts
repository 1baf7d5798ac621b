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
  says: 'The othercontrol of a group fits its membercontrol: NA with NA; any value with Shown; NA, Default or Mandatory with Default; Mandatory with Mandatory.',
  brokenBy: ({ after }) => !LEGAL_OTHERS[after.membercontrol]?.includes(after.othercontrol),
  error: ({ after }) =>
    errors.othercontrol_wrong({
      membercontrol: controlWord(after.membercontrol),
      othercontrol: controlWord(after.othercontrol),
      known: (LEGAL_OTHERS[after.membercontrol] ?? []).map(controlWord).join(', '),
    }),
}

export const productsUseActiveBugGroups: Rule<GroupControlEdit> = {
  says: 'A product uses only active groups that can restrict bugs. It can always stop using a group.',
  brokenBy: ({ group, after }) => isUsed(after) && (group.is_bug_group === 0 || group.is_active === 0),
  error: ({ group }) =>
    errors.group_not_for_products({
      group: group.name,
      why: group.is_bug_group === 0 ? 'cannot restrict bugs' : 'is not active',
    }),
}

/** Checked in this order. The client gets the error of the first broken rule. */
export const groupControlRules = [controlsGoTogether, productsUseActiveBugGroups]
