import {
  hasNickShape,
  idInNeutralNick,
  isReservedNick,
  LONGEST_NICK,
  nickFrom,
  SHORTEST_NICK,
} from '../../shared/nicks.ts'
import { TextField } from './field.tsx'

interface Props {
  value: string
  onText(text: string): void
  userId: number
  /** The nick that the account has now; undefined if nobody has chosen it, so that no comment can have it. */
  before: string | undefined
}

/** The short name of an account. What is wrong with it is said while it is typed; whether it is free is known when it is saved. */
export function NickField({ value, onText, userId, before }: Props) {
  const nick = nickFrom(value)
  return (
    <TextField
      label="Nick"
      value={value}
      onText={onText}
      autocomplete="nickname"
      error={nick === '' ? undefined : wrongWith(nick, userId)}
      hint={hintAt(nick, before)}
    />
  )
}

function hintAt(nick: string, before: string | undefined) {
  if (before === undefined)
    return nick === '' ? 'A short name, to mention you in comments.' : `Comments mention you as @${nick}.`
  if (nick === before || nick === '') return `Comments mention the account as @${before}.`
  return `Comments will mention the account as @${nick}. @${before} still leads to it, and nobody else can take it.`
}

function wrongWith(nick: string, userId: number): string | undefined {
  if (!hasNickShape(nick))
    return `A nick has ${SHORTEST_NICK} to ${LONGEST_NICK} letters from a to z, digits, and the characters . _ - between them, with at least one letter.`
  if (idInNeutralNick(nick) !== userId && isReservedNick(nick))
    return 'This word means something else. Choose another one.'
  return undefined
}

export function isNickWrong(text: string, userId: number) {
  return wrongWith(nickFrom(text), userId) !== undefined
}
