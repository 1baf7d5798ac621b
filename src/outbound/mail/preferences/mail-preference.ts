import {
  isMailOnByDefault,
  MAIL_CHOICES,
  MAIL_FLAG_EVENTS,
  MAIL_ROLES,
  type MailCase,
  type MailChoice,
  type MailEventName,
  type MailFlagEvent,
  type MailMatrix,
  type MailRole,
} from '../../../../shared/mail-preferences.ts'
import { numberOfReason } from '../../../../shared/reasons.ts'

/** The numbers of the roles are stored, and are Bugzilla's. */
export const ROLES = Object.fromEntries(MAIL_ROLES.map((role) => [role, numberOfReason(role)])) as Readonly<
  Record<MailRole, number>
>
export type Role = MailRole
export const roles: readonly Role[] = MAIL_ROLES

/** The numbers of the events are stored, and are Bugzilla's. */
export const EVENTS = {
  other: 0,
  role: 1,
  comment: 2,
  attachment: 3,
  attachment_data: 4,
  progress: 5,
  resolution: 6,
  keywords: 7,
  cc: 8,
  dependencies: 9,
  created: 10,
  component: 11,
} as const satisfies Record<MailEventName, number>
export type MailEvent = MailEventName

/** Each suppresses all mail in its case, unless it is switched on. */
export const CASES = { unconfirmed: 50, own_changes: 51 } as const satisfies Record<MailCase, number>

/** Events of flags and mentions, independent of the role in the bug. The last one is ours. */
export const FLAG_EVENTS = { requested: 100, answered: 101, mentioned: 102 } as const satisfies Record<
  MailFlagEvent,
  number
>
export type FlagEvent = MailFlagEvent

const FLAGS_ROLE = 100

export type RoleChoice = MailChoice
export const roleChoices: readonly RoleChoice[] = MAIL_CHOICES
export const flagChoices: readonly FlagEvent[] = MAIL_FLAG_EVENTS

/** A stored choice that differs from the default. */
export interface Choice {
  relationship: number
  event: number
  is_wanted: 0 | 1
}

/** What a user wants mail about. */
export interface MailPreferences {
  wants(role: Role, what: RoleChoice): boolean
  wantsFlag(what: FlagEvent): boolean
}

export function preferencesOf(choices: readonly Choice[]): MailPreferences {
  const chosen = new Map(choices.map((it) => [keyOf(it.relationship, it.event), it.is_wanted === 1]))
  return {
    wants: (role, what) => chosen.get(keyOf(ROLES[role], numberOf(what))) ?? isMailOnByDefault(role, what),
    wantsFlag: (what) => chosen.get(keyOf(FLAGS_ROLE, FLAG_EVENTS[what])) ?? true,
  }
}

/** The preferences that a table such as a preset has. */
export function preferencesIn(matrix: MailMatrix): MailPreferences {
  return { wants: (role, what) => matrix[role][what], wantsFlag: (what) => matrix.flags[what] }
}

export function choiceOf(role: Role, what: RoleChoice, isWanted: boolean): Choice {
  return { relationship: ROLES[role], event: numberOf(what), is_wanted: isWanted ? 1 : 0 }
}

export function flagChoiceOf(what: FlagEvent, isWanted: boolean): Choice {
  return { relationship: FLAGS_ROLE, event: FLAG_EVENTS[what], is_wanted: isWanted ? 1 : 0 }
}

const CHOICE_NUMBERS = { ...EVENTS, ...CASES }

function numberOf(what: RoleChoice): number {
  return CHOICE_NUMBERS[what]
}

function keyOf(relationship: number, event: number) {
  return `${relationship} ${event}`
}

/** All preferences by name and role. */
export function presentPreferences(preferences: MailPreferences) {
  const ofRole = (role: Role) =>
    Object.fromEntries(roleChoices.map((what) => [what, preferences.wants(role, what)])) as Record<RoleChoice, boolean>
  const flags = Object.fromEntries(flagChoices.map((what) => [what, preferences.wantsFlag(what)]))
  return {
    ...(Object.fromEntries(roles.map((role) => [role, ofRole(role)])) as Record<Role, Record<RoleChoice, boolean>>),
    flags: flags as Record<FlagEvent, boolean>,
  }
}
