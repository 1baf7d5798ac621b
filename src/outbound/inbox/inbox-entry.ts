import { REASONS, type ReasonName } from '../../../shared/reasons.ts'

/** What the owner did with an entry; the numbers are stored. */
export const STATES = { open: 0, done: 1, snoozed: 2 } as const
export type InboxState = keyof typeof STATES

/** How long the inbox remembers. What is watched and was changed before is not found any more. */
export const KEPT_DAYS = 90
export const WATCHED_DAYS = 14

export function bitOf(reason: { number: number }): number {
  return 1 << reason.number
}

/** The reasons of these bits, the strongest first. */
export function reasonsIn(bits: number): ReasonName[] {
  return REASONS.flatMap((reason) => ((bits & bitOf(reason)) === 0 ? [] : [reason.name]))
}

/** How far a user has seen a bug: the number of the last comment, and the id of the last line of its history. */
export interface Mark {
  comment: number
  change: number
}

export function presentMark({ comment, change }: Mark): string {
  return `${comment}.${change}`
}

/** Undefined if the text is no mark. */
export function readMark(text: string): Mark | undefined {
  const match = /^(-1|\d{1,9})\.(\d{1,15})$/.exec(text)
  return match === null ? undefined : { comment: Number(match[1]), change: Number(match[2]) }
}
