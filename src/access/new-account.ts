import type { Settings } from '../platform/config/settings.ts'
import { errors } from '../platform/errors.ts'
import { hasDeniedWord } from '../platform/text/denied-words.ts'
import { secondsAgo } from '../platform/time/clock.ts'
import { type Caller, isIn } from './caller.ts'

const DAY_SECONDS = 86_400

/** Whether the limits of users who created their own account a short time ago apply. */
export function isNewAccount(caller: Caller, settings: Settings): boolean {
  return (caller.joinedAt ?? '') >= newAccountsSince(settings) && !isIn(caller, 'admin')
}

/** Users who joined at this time or later are limited. */
export function newAccountsSince({ new_account_days }: Settings): string {
  return secondsAgo(new_account_days * DAY_SECONDS)
}

/** Throws if a new account writes a denied word. To be called with every text of theirs that others read. */
export function requireAllowedWords(caller: Caller, settings: Settings, texts: readonly (string | undefined)[]) {
  if (isNewAccount(caller, settings)) requireNoDeniedWord(settings, texts)
}

/** The same for a user who is just joining. */
export function requireNoDeniedWord(settings: Settings, texts: readonly (string | undefined)[]) {
  if (hasDeniedWord(settings.new_account_denied, texts)) throw errors.new_account_denied()
}

/** All texts in the parameters of a call, also in lists and custom fields. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
