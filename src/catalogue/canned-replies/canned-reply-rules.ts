import { errors } from '../../platform/errors.ts'
import type { Rule } from '../../platform/rule.ts'
import { isLongerThan } from '../../platform/text/characters.ts'
import { haveAName, haveShortNames } from '../name-rules.ts'
import type { CannedReplyEdit } from './canned-reply.ts'

export const LONGEST_REPLY = 5000

export const repliesHaveAName: Rule<CannedReplyEdit> = haveAName('Canned replies')
export const repliesHaveShortNames: Rule<CannedReplyEdit> = haveShortNames('Canned replies')

export const repliesHaveAText: Rule<CannedReplyEdit> = {
  says: 'A canned reply has a text.',
  brokenBy: ({ text }) => text.trim() === '',
  error: () => errors.parameter_required({ name: 'text' }),
}

export const repliesHaveALimit: Rule<CannedReplyEdit> = {
  says: `A canned reply has at most ${LONGEST_REPLY} characters.`,
  brokenBy: ({ text }) => isLongerThan(text, LONGEST_REPLY),
  error: ({ text }) =>
    errors.bad_value({ name: 'text', value: text, right: `it must have at most ${LONGEST_REPLY} characters` }),
}

/** Checked in this order. The client gets the error of the first broken rule. */
export const cannedReplyRules = [repliesHaveAName, repliesHaveShortNames, repliesHaveAText, repliesHaveALimit]
