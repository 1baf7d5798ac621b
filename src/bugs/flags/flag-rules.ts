import { mayGrant, mayRequest } from '../../catalogue/flag-types/flag-type.ts'
import { errors } from '../../platform/errors.ts'
import { ofPart, type Rule } from '../../platform/rule.ts'
import { type Candidate, clears, type FlagEdit, hasRequestee } from './flag.ts'

export const newFlagsAreOfAnActiveType: Rule<FlagEdit> = {
  says: 'Flags of a type that is not active stay and can be changed, but no new ones are made.',
  brokenBy: ({ before, type, ...edit }) => before === undefined && !clears(edit) && type.is_active === 0,
  error: ({ type }) => errors.flag_type_inactive({ flag: type.name }),
}

export const flagsHaveAStatus: Rule<FlagEdit> = {
  says: 'A flag is ? (asked), + (granted) or - (denied); X clears it.',
  brokenBy: ({ status }) => !['?', '+', '-', 'X'].includes(status),
  error: ({ type, status }) => errors.flag_status_wrong({ flag: type.name, status }),
}

export const onlyRequestableFlagsAreAsked: Rule<FlagEdit> = {
  says: 'A flag whose type is not requestable cannot become a request.',
  brokenBy: ({ type, before, status }) => status === '?' && type.is_requestable === 0 && before?.status !== '?',
  error: ({ type, status }) => errors.flag_status_wrong({ flag: type.name, status }),
}

export const flagsThatAreNotMultiplicableAreSetOnce: Rule<FlagEdit> = {
  says: 'A bug or an attachment has at most one flag of a type that is not multiplicable.',
  brokenBy: ({ before, type, isTaken, ...edit }) =>
    before === undefined && isTaken && !clears(edit) && type.is_multiplicable === 0,
  error: ({ type }) => errors.refused({ why: `There is a flag ${type.name} already, and there can be only one` }),
}

/** compat: everybody who may change the bug may clear a flag, whoever set it. */
export const flagsAreSetByThoseWhoMay: Rule<FlagEdit> = {
  says: 'Members of the grant group set a flag to + and -, they and members of the request group to ?. Anybody clears it.',
  brokenBy: ({ before, status, type, groups }) => {
    if (status === before?.status || status === 'X') return false
    return !(mayGrant(type, groups) || (status === '?' && mayRequest(type, groups)))
  },
  error: ({ type, status }) => errors.flag_not_yours({ flag: type.name, status }),
}

export const somebodyIsAskedOnlyWhereTheTypeAllowsIt: Rule<FlagEdit> = {
  says: 'Somebody in particular is asked only for flags of a type that is specifically requestable.',
  brokenBy: (edit) => hasRequestee(edit) && edit.type.is_requesteeble === 0,
  error: ({ type }) => errors.flag_takes_no_requestee({ flag: type.name }),
}

/** Somebody who is newly asked, and for what. */
interface FlagRequest extends FlagEdit {
  requestee: Candidate
}

function asking(edit: FlagEdit): FlagRequest | undefined {
  return hasRequestee(edit) ? (edit as FlagRequest) : undefined
}

export const whoIsAskedHasAnEnabledAccount: Rule<FlagEdit> = ofPart(asking, {
  says: 'Nobody is asked whose account is disabled.',
  brokenBy: ({ requestee }) => !requestee.isEnabled,
  error: ({ type, requestee }) =>
    errors.refused({ why: `${requestee.login} cannot be asked for ${type.name}: the account is disabled` }),
})

export const whoIsAskedSeesTheBug: Rule<FlagEdit> = ofPart(asking, {
  says: 'Nobody is asked who cannot see the bug, as it is after the change.',
  brokenBy: ({ requestee }) => !requestee.seesBug,
  error: ({ type, requestee }) =>
    errors.refused({ why: `${requestee.login} cannot be asked for ${type.name}, because they cannot see the bug` }),
})

export const whoIsAskedSeesTheAttachment: Rule<FlagEdit> = ofPart(asking, {
  says: 'About a private attachment nobody is asked who is not an insider.',
  brokenBy: ({ requestee, isOnPrivateAttachment }) => isOnPrivateAttachment && !requestee.seesPrivate,
  error: ({ type, requestee }) =>
    errors.refused({
      why: `${requestee.login} cannot be asked for ${type.name}, because they cannot see the private attachment`,
    }),
})

export const whoIsAskedMayAnswer: Rule<FlagEdit> = ofPart(asking, {
  says: 'Nobody is asked for a flag that they may not grant.',
  brokenBy: ({ type, requestee }) => !mayGrant(type, requestee.groups),
  error: ({ type, requestee }) =>
    errors.refused({ why: `${requestee.login} cannot be asked for ${type.name}, because they may not grant it` }),
})

/** In the order they are checked: the first one broken is the error the client sees. */
export const flagRules = [
  newFlagsAreOfAnActiveType,
  flagsHaveAStatus,
  onlyRequestableFlagsAreAsked,
  flagsThatAreNotMultiplicableAreSetOnce,
  flagsAreSetByThoseWhoMay,
  somebodyIsAskedOnlyWhereTheTypeAllowsIt,
  whoIsAskedHasAnEnabledAccount,
  whoIsAskedSeesTheBug,
  whoIsAskedSeesTheAttachment,
  whoIsAskedMayAnswer,
]
