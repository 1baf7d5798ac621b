import {
  MAIL_CHOICES,
  MAIL_EVENTS,
  MAIL_FLAG_EVENTS,
  MAIL_PRESETS,
  type MailChoice,
  type MailEventName,
  type MailFlagEvent,
  type MailMatrix,
  type MailPreset,
  type MailRole,
  PRESET_MATRIX,
} from '../../../../shared/mail-preferences.ts'

/** A box of the matrix. */
export interface Box {
  role: MailRole | 'flags'
  what: MailChoice | MailFlagEvent
}

/** All boxes for these roles. */
export function boxesOf(roles: readonly MailRole[]): Box[] {
  return [
    ...MAIL_FLAG_EVENTS.map((what): Box => ({ role: 'flags', what })),
    ...roles.flatMap((role) => MAIL_CHOICES.map((what): Box => ({ role, what }))),
  ]
}

export function isOn(matrix: MailMatrix, { role, what }: Box): boolean {
  return (matrix[role] as Record<string, boolean>)[what] === true
}

export function withBox(matrix: MailMatrix, { role, what }: Box, isWanted: boolean): MailMatrix {
  return { ...matrix, [role]: { ...matrix[role], [what]: isWanted } }
}

export function differences(one: MailMatrix, other: MailMatrix, roles: readonly MailRole[]): Box[] {
  return boxesOf(roles).filter((box) => isOn(one, box) !== isOn(other, box))
}

/** The preset with the fewest differences: of two, the one that sends more. */
export function nearestPreset(matrix: MailMatrix, roles: readonly MailRole[]): MailPreset {
  const distances = MAIL_PRESETS.map((name) => differences(matrix, PRESET_MATRIX[name], roles).length)
  return MAIL_PRESETS[distances.indexOf(Math.min(...distances))] ?? 'everything'
}

const BUGS_OF: Readonly<Record<MailRole, string>> = {
  assigned_to: 'are assigned to you',
  qa_contact: 'have you as QA contact',
  reporter: 'you reported',
  cc: 'have you on their CC list',
  voter: 'you vote for',
  watched_component: 'are in what you watch',
}

const HAPPENINGS: Readonly<Record<MailEventName, string>> = {
  other: 'other changes',
  role: 'gaining or losing the role',
  comment: 'comments',
  attachment: 'new attachments',
  attachment_data: 'changed attachments',
  progress: 'status and priority',
  resolution: 'resolution',
  keywords: 'keywords',
  cc: 'the CC list',
  dependencies: 'dependencies',
  created: 'filing',
  component: 'product and component',
}

/** A list as one says it: “a, b and c”. */
export function spoken(words: readonly string[], last = 'and'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}

/** What the choice means, one sentence each. */
export function sentencesOf(matrix: MailMatrix, roles: readonly MailRole[]): string[] {
  const wanted = (role: MailRole) => MAIL_EVENTS.filter((event) => matrix[role][event])
  const active = roles.filter((role) => wanted(role).length > 0)
  const sentences = [flagSentence(matrix), ...eventSentences(active, wanted)].filter((text) => text !== '')
  if (sentences.length === 0) return ['You get no mail about bugs. Mail about your account is always sent.']
  return [...sentences, ...caseSentences(matrix, active)]
}

function flagSentence({ flags }: MailMatrix) {
  const cases = [
    ...(flags.requested ? ['asks you for something'] : []),
    ...(flags.answered ? ['answers a request of yours'] : []),
    ...(flags.mentioned ? ['mentions you'] : []),
  ]
  return cases.length === 0 ? '' : `You get a mail when somebody ${spoken(cases, 'or')}.`
}

/** Roles with the same events share a sentence. */
function eventSentences(roles: readonly MailRole[], wanted: (role: MailRole) => readonly MailEventName[]) {
  const groups = Map.groupBy(roles, (role) => wanted(role).join())
  return [...groups.values()].map((members) => {
    const events = members[0] === undefined ? [] : wanted(members[0])
    const bugs = spoken(
      members.map((role) => BUGS_OF[role]),
      'or',
    )
    return `From bugs that ${bugs}: ${happenings(events)}.`
  })
}

const FEW = 3

function happenings(events: readonly MailEventName[]) {
  const missing = MAIL_EVENTS.filter((event) => !events.includes(event))
  const named = (some: readonly MailEventName[]) => some.map((event) => HAPPENINGS[event])
  if (missing.length === 0) return 'every change'
  return missing.length <= FEW ? `every change but ${spoken(named(missing))}` : spoken(named(events))
}

function caseSentences(matrix: MailMatrix, roles: readonly MailRole[]): string[] {
  if (roles.length === 0) return []
  const own = roles.filter((role) => matrix[role].own_changes)
  const silent = roles.filter((role) => !matrix[role].unconfirmed)
  const bugsOf = (some: readonly MailRole[]) =>
    some.length === roles.length
      ? ''
      : ` in bugs that ${spoken(
          some.map((role) => BUGS_OF[role]),
          'or',
        )}`
  return [
    own.length === 0 ? 'Not about your own changes.' : `Your own changes${bugsOf(own)}, too.`,
    ...(silent.length === 0 ? [] : [`Nothing while a bug is unconfirmed${bugsOf(silent)}.`]),
  ]
}
