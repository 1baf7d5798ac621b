import { LIST_LIMITS, listLimit } from '../../access/list-limits.ts'
import { mayGrant, mayRequest } from '../../catalogue/flag-types/flag-type.ts'
import { errors } from '../../platform/errors.ts'
import { type Rule, ruleForPart } from '../../platform/rule.ts'
import { clears, type FlagEdit, hasRequestee, type PossibleRequestee } from './flag.ts'

export const newFlagsAreOfAnActiveType: Rule<FlagEdit> = {
  says: 'New flags need an active flag type. Existing flags of an inactive type stay and can be changed.',
  brokenBy: ({ before, type, ...edit }) => before === undefined && !clears(edit) && type.is_active === 0,
  error: ({ type }) => errors.flag_type_inactive({ flag: type.name }),
}

export const flagsHaveAStatus: Rule<FlagEdit> = {
  says: 'The status of a flag is ? (requested), + (granted) or - (denied); X clears the flag.',
  brokenBy: ({ status }) => !['?', '+', '-', 'X'].includes(status),
  error: ({ type, status }) => errors.flag_status_wrong({ flag: type.name, status, right: 'it must be ?, +, - or X' }),
}

export const onlyRequestableFlagsAreAsked: Rule<FlagEdit> = {
  says: 'A flag whose type is not requestable cannot become a request.',
  brokenBy: ({ type, before, status }) => status === '?' && type.is_requestable === 0 && before?.status !== '?',
  error: ({ type, status }) => errors.flag_status_wrong({ flag: type.name, status, right: 'it cannot be requested' }),
}

export const flagsThatAreNotMultiplicableAreSetOnce: Rule<FlagEdit> = {
  says: 'A bug or an attachment has at most one flag of a type that is not multiplicable.',
  brokenBy: ({ before, type, ofThisType, ...edit }) =>
    before === undefined && ofThisType > 0 && !clears(edit) && type.is_multiplicable === 0,
  error: ({ type }) => errors.flag_taken({ flag: type.name }),
}

export const flagsOfOneTypeAreLimited: Rule<FlagEdit> = {
  says: `${listLimit('flags')}. Those of an import may be more.`,
  brokenBy: ({ before, ofThisType, ...edit }) =>
    before === undefined && ofThisType >= LIST_LIMITS.flags.most && !clears(edit),
  error: () => errors.list_full(LIST_LIMITS.flags),
}

/** compat: every user who may change the bug may clear any of its flags. */
export const flagsAreSetByThoseWhoMay: Rule<FlagEdit> = {
  says: 'Only members of the grant group may set a flag to + or -. They and members of the request group may set it to ?. Every user who may change the bug may clear it.',
  brokenBy: ({ before, status, type, caller: { groups } }) => {
    if (status === before?.status || status === 'X') return false
    return !(mayGrant(type, groups) || (status === '?' && mayRequest(type, groups)))
  },
  error: ({ type, status }) => errors.flag_not_yours({ flag: type.name, status }),
}

export const questionsAreAskedOrCleared: Rule<FlagEdit> = {
  says: 'A question is set to ? or cleared, never to + or -. One that has + or - from before can be asked again or cleared.',
  brokenBy: ({ type, status, before }) =>
    type.is_question === 1 && (status === '+' || status === '-') && status !== before?.status,
  error: ({ type, status }) =>
    errors.flag_status_wrong({ flag: type.name, status, right: 'it is a question, which is asked (?) or cleared (X)' }),
}

export const questionsAreClearedByThoseWhoMay: Rule<FlagEdit> = {
  says: 'A question to a user is cleared or passed on only by its setter, its requestee, and users with canconfirm or editbugs in the product. One to no particular user may be taken by everybody who may change the bug.',
  brokenBy: ({ type, before, status, requestee, caller }) => {
    if (type.is_question === 0 || before?.status !== '?' || before.requestee === null) return false
    if (status === '?' && requestee === undefined) return false
    return !(caller.mayConfirm || before.setterId === caller.id || before.requestee.id === caller.id)
  },
  error: ({ type, before }) =>
    errors.question_not_yours({ flag: type.name, requestee: before?.requestee?.login ?? '' }),
}

export const somebodyIsAskedOnlyWhereTheTypeAllowsIt: Rule<FlagEdit> = {
  says: 'A flag can have a requestee only if its type is specifically requestable.',
  brokenBy: (edit) => hasRequestee(edit) && edit.type.is_requesteeble === 0,
  error: ({ type }) => errors.flag_takes_no_requestee({ flag: type.name }),
}

/** An edit that names a new requestee. */
interface FlagRequest extends FlagEdit {
  requestee: PossibleRequestee
}

function requestIn(edit: FlagEdit): FlagRequest | undefined {
  return hasRequestee(edit) ? (edit as FlagRequest) : undefined
}

export const whoIsAskedHasAnEnabledAccount: Rule<FlagEdit> = ruleForPart(requestIn, {
  says: 'The account of a requestee is not disabled.',
  brokenBy: ({ requestee }) => !requestee.isEnabled,
  error: ({ type, requestee }) => errors.requestee_disabled({ requestee: requestee.login, flag: type.name }),
})

export const whoIsAskedSeesTheBug: Rule<FlagEdit> = ruleForPart(requestIn, {
  says: 'A requestee can see the bug as it is after the change.',
  brokenBy: ({ requestee }) => !requestee.seesBug,
  error: ({ type, requestee }) => errors.requestee_cannot_see_bug({ requestee: requestee.login, flag: type.name }),
})

export const whoIsAskedSeesTheAttachment: Rule<FlagEdit> = ruleForPart(requestIn, {
  says: 'A requestee of a flag on a private attachment is a member of insidergroup.',
  brokenBy: ({ requestee, isOnPrivateAttachment }) => isOnPrivateAttachment && !requestee.seesPrivate,
  error: ({ type, requestee }) =>
    errors.requestee_cannot_see_attachment({ requestee: requestee.login, flag: type.name }),
})

export const whoIsAskedMayAnswer: Rule<FlagEdit> = ruleForPart(requestIn, {
  says: 'A requestee has the right to grant the flag, unless it is a question.',
  brokenBy: ({ type, requestee }) => type.is_question === 0 && !mayGrant(type, requestee.groups),
  error: ({ type, requestee }) => errors.requestee_cannot_grant({ requestee: requestee.login, flag: type.name }),
})

export const whoIsAskedTakesQuestions: Rule<FlagEdit> = ruleForPart(requestIn, {
  says: 'A question is not asked of a user with the setting block_needinfo.',
  brokenBy: ({ type, requestee }) => type.is_question === 1 && requestee.blocksQuestions,
  error: ({ type, requestee }) => errors.requestee_blocks_questions({ requestee: requestee.login, flag: type.name }),
})

/** Checked in this order. The client gets the error of the first broken rule. */
export const flagRules = [
  newFlagsAreOfAnActiveType,
  flagsHaveAStatus,
  onlyRequestableFlagsAreAsked,
  flagsThatAreNotMultiplicableAreSetOnce,
  flagsOfOneTypeAreLimited,
  flagsAreSetByThoseWhoMay,
  questionsAreAskedOrCleared,
  questionsAreClearedByThoseWhoMay,
  somebodyIsAskedOnlyWhereTheTypeAllowsIt,
  whoIsAskedHasAnEnabledAccount,
  whoIsAskedSeesTheBug,
  whoIsAskedSeesTheAttachment,
  whoIsAskedMayAnswer,
  whoIsAskedTakesQuestions,
]
