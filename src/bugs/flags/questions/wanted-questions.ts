import { type FlagType, NEEDINFO } from '../../../catalogue/flag-types/flag-type.ts'
import { errors } from '../../../platform/errors.ts'
import { fold } from '../../../platform/text/fold.ts'
import { splitWords } from '../../../platform/text/split-words.ts'
import { flag, type Param, type ParamValues, skippingBlanks, text, texts } from '../../../platform/wire/params.ts'
import type { WantedFlag } from '../flag.ts'

/** The users that one change can ask. */
const MOST_ASKED = 20

const logins = (about: string): Param<string[] | undefined> => {
  const list = skippingBlanks(texts(about, MOST_ASKED))
  return {
    ...list,
    read: (name, input) => list.read(name, typeof input === 'string' ? splitWords(input, MOST_ASKED) : input),
  }
}

const ROLES = ['other', 'assigned_to', 'reporter', 'qa_contact', 'triage_owner', 'user', ''] as const
type AskedRole = (typeof ROLES)[number]

const RIGHT_ROLE = 'it must be other, assigned_to, reporter, qa_contact, triage_owner, user, or empty for anyone'

/** compat: the parameters of BMO's form, which it also reads from the body of a REST call. */
export const questionParams = {
  needinfo: flag('Ask a question, of whom needinfo_role says.'),
  needinfo_role: text(
    `Of whom: other (those in needinfo_from), assigned_to, reporter, qa_contact, triage_owner (of the component), user (the caller), or empty for anyone. Without it, those in needinfo_from, or anyone.`,
  ),
  needinfo_from: logins(
    `Login names of the users to ask: a list, or one text with spaces or commas between them; at most ${MOST_ASKED}.`,
  ),
}

interface WantedQuestions {
  role: AskedRole
  from: readonly string[]
}

export type QuestionParams = ParamValues<typeof questionParams>

/** Whom the request asks, if it asks. A new bug needs only needinfo_from for that. */
export function wantedQuestions(params: QuestionParams, isNewBug: boolean): WantedQuestions | undefined {
  const from = params.needinfo_from ?? []
  if (!(params.needinfo || (isNewBug && params.needinfo === undefined && from.length > 0))) return undefined
  const role = params.needinfo_role?.trim() ?? (from.length > 0 ? 'other' : '')
  if (!isRole(role)) throw errors.bad_value({ name: 'needinfo_role', value: role, right: RIGHT_ROLE })
  if (role === 'other' && from.length === 0) throw errors.parameter_required({ name: 'needinfo_from' })
  return { role, from }
}

function isRole(role: string): role is AskedRole {
  return (ROLES as readonly string[]).includes(role)
}

/** The parameters that were sent without an effect. */
export function unusedQuestionParams(params: QuestionParams, asked: WantedQuestions | undefined): string[] {
  const isFromUnused = asked?.role !== 'other' && (params.needinfo_from ?? []).length > 0
  const isRoleUnused = asked === undefined && (params.needinfo_role ?? '') !== ''
  return [...(isFromUnused ? ['needinfo_from'] : []), ...(isRoleUnused ? ['needinfo_role'] : [])]
}

/** The login names of the users with a role in a bug. */
export interface BugRoles {
  assigned_to: string
  reporter: string
  qa_contact: string | null
  /** Of the component. */
  triage_owner: string | null
  /** The caller. */
  user: string
}

/** The login names of those who are asked; one empty text for a question to anyone. */
export function askedLogins({ role, from }: WantedQuestions, roles: BugRoles): readonly string[] {
  if (role === 'other') return [...new Map(from.map((login) => [fold(login.trim()), login])).values()]
  if (role === '') return ['']
  const login = roles[role]
  if (login !== null) return [login]
  throw errors.bad_value({ name: 'needinfo_role', value: role, right: 'the bug has none' })
}

/** The new flags that ask these users. The type is the question named needinfo, or the first question that applies. */
export function flagsThatAsk(types: readonly FlagType[], asked: readonly string[]): WantedFlag[] {
  if (asked.length === 0) return []
  const questions = types.filter((type) => type.is_question === 1 && type.is_active === 1)
  const type = questions.find(({ name }) => fold(name) === NEEDINFO) ?? questions[0]
  if (type === undefined) throw errors.no_such_object({ what: 'flag type', ref: NEEDINFO })
  return asked.map((requestee) => ({
    id: undefined,
    type_id: type.id,
    name: undefined,
    status: '?',
    requestee,
    new: true,
  }))
}
