// The choices that users have about mail, and the presets that set all of them at once. The server and the pages use the same tables.

/** The roles of a user in a bug; the last one is for all who watch its component, its product or one of its keywords. */
export const MAIL_ROLES = ['assigned_to', 'qa_contact', 'reporter', 'cc', 'voter', 'watched_component'] as const
export type MailRole = (typeof MAIL_ROLES)[number]

/** The events that users can choose to get mail about. */
export const MAIL_EVENTS = [
  'other',
  'role',
  'comment',
  'attachment',
  'attachment_data',
  'progress',
  'resolution',
  'keywords',
  'cc',
  'dependencies',
  'created',
  'component',
] as const
export type MailEventName = (typeof MAIL_EVENTS)[number]

/** Each suppresses all mail in its case, unless it is switched on. */
export const MAIL_CASES = ['unconfirmed', 'own_changes'] as const
export type MailCase = (typeof MAIL_CASES)[number]

export const MAIL_CHOICES = [...MAIL_EVENTS, ...MAIL_CASES] as const
export type MailChoice = MailEventName | MailCase

/** What others do with a user, independent of the role in the bug: the events of flags, and mentions. */
export const MAIL_FLAG_EVENTS = ['requested', 'answered', 'mentioned'] as const
export type MailFlagEvent = (typeof MAIL_FLAG_EVENTS)[number]

/** All choices of a user, as the REST API has them. */
export type MailMatrix = Record<MailRole, Record<MailChoice, boolean>> & { flags: Record<MailFlagEvent, boolean> }

/**
 * The defaults: mail about everything, except own changes and, for all but the reporter, changes of the CC list; who watches gets none
 * about roles of others.
 */
export function isMailOnByDefault(role: MailRole, what: MailChoice): boolean {
  if (what === 'own_changes' || (role === 'watched_component' && what === 'role')) return false
  return what !== 'cc' || role === 'reporter'
}

export const MAIL_PRESETS = ['everything', 'concerns_me', 'requests', 'nothing'] as const
export type MailPreset = (typeof MAIL_PRESETS)[number]

/** What the preset for what concerns one switches on, besides requests and mail about bugs that are not confirmed. */
const CONCERNS: Readonly<Record<MailRole, readonly MailEventName[]>> = {
  assigned_to: ['role', 'created', 'comment', 'progress', 'resolution', 'dependencies'],
  qa_contact: ['role', 'comment', 'progress', 'resolution'],
  reporter: ['comment', 'progress', 'resolution'],
  cc: ['comment', 'resolution'],
  voter: ['resolution'],
  watched_component: ['created', 'resolution'],
}

/** The choices that each preset sets. */
export const PRESET_MATRIX: Readonly<Record<MailPreset, MailMatrix>> = {
  everything: matrixOf(() => true, true, true),
  concerns_me: matrixOf(
    (role, what) => what === 'unconfirmed' || (CONCERNS[role] as readonly MailChoice[]).includes(what),
    true,
    true,
  ),
  requests: matrixOf((_, what) => what === 'unconfirmed', true, false),
  nothing: matrixOf((_, what) => what === 'unconfirmed', false, false),
}

export const DEFAULT_MATRIX: MailMatrix = matrixOf(isMailOnByDefault, true, true)

function matrixOf(
  isOn: (role: MailRole, what: MailChoice) => boolean,
  areFlagsOn: boolean,
  areMentionsOn: boolean,
): MailMatrix {
  const choicesOf = (role: MailRole) =>
    Object.fromEntries(MAIL_CHOICES.map((what) => [what, isOn(role, what)])) as Record<MailChoice, boolean>
  return {
    assigned_to: choicesOf('assigned_to'),
    qa_contact: choicesOf('qa_contact'),
    reporter: choicesOf('reporter'),
    cc: choicesOf('cc'),
    voter: choicesOf('voter'),
    watched_component: choicesOf('watched_component'),
    flags: { requested: areFlagsOn, answered: areFlagsOn, mentioned: areMentionsOn },
  }
}
