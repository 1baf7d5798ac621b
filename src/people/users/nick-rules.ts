import {
  hasNickShape,
  idInNeutralNick,
  isReservedNick,
  LONGEST_NICK,
  nickFrom,
  SHORTEST_NICK,
} from '../../../shared/nicks.ts'
import { errors } from '../../platform/errors.ts'
import { enforce, type Rule } from '../../platform/rule.ts'

/** A nick that an account shall have. */
export interface NickEdit {
  userId: number
  nick: string
}

const SHAPE = `${SHORTEST_NICK} to ${LONGEST_NICK} lower-case letters from a to z, digits, and the characters . _ - between them, with at least one letter`

export const nicksAreShortWords: Rule<NickEdit> = {
  says: `A nick has ${SHAPE}.`,
  brokenBy: ({ nick }) => !hasNickShape(nick),
  error: ({ nick }) => errors.bad_value({ name: 'nick', value: nick, right: `it must have ${SHAPE}` }),
}

export const nicksAreNoOtherWords: Rule<NickEdit> = {
  says: 'A nick is not a word that means several people, a role or the server, such as all, admin or nobody, nor the neutral nick of another account, such as user-17.',
  brokenBy: ({ userId, nick }) => idInNeutralNick(nick) !== userId && isReservedNick(nick),
  error: ({ nick }) =>
    errors.bad_value({
      name: 'nick',
      value: nick,
      right: 'it must not be a word that means something else, such as all, admin or user-17',
    }),
}

/** Checked in this order. The client gets the error of the first broken rule. */
export const nickRules = [nicksAreShortWords, nicksAreNoOtherWords]

/** The nick as it is stored. Throws if an account may not have it. */
export function requireNick(userId: number, input: string): string {
  const nick = nickFrom(input)
  enforce(nickRules, { userId, nick })
  return nick
}
