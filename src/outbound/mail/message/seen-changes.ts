import { findField } from '../../../../shared/bug-fields/field-names.ts'
import { type HistoryChange, valuesIn } from '../../../bugs/history/history.ts'
import type { Settings } from '../../../platform/config/settings.ts'
import type { MailJob, RequestTopic } from '../mail-job.ts'
import { type MailPreferences, type Role, roles } from '../preferences/mail-preference.ts'
import { eventsIn, FIELD_OF_ROLE } from '../recipients/mail-events.ts'
import { type MailReason, sufficientReasons } from '../recipients/wants-mail.ts'
import type { ShownComment } from './read-as.ts'

/** The changes, limited to what the recipient may see. */
export interface SeenChanges {
  kind: 'new' | 'changed' | 'dependency'
  changes: readonly HistoryChange[]
  comment: Pick<ShownComment, 'isWritten'> | undefined
  hasNewAttachment: boolean
}

export const NEW_BUG_SEEN: SeenChanges = { kind: 'new', changes: [], comment: undefined, hasNewAttachment: false }

/** Whether mail shows the field, by either of its names. */
export function isShownInMail(settings: Settings, field: string): boolean {
  const parameter = findField(field)?.switchedBy
  return parameter === undefined || settings[parameter] === true
}

/** Undefined if the recipient may see nothing of the change, or nothing that mail shows. */
export function seenChange(
  settings: Settings,
  lines: readonly HistoryChange[],
  comment: SeenChanges['comment'],
  hasNewAttachment: boolean,
): SeenChanges | undefined {
  const changes = lines.filter(({ field_name }) => isShownInMail(settings, field_name))
  if (changes.length === 0 && comment === undefined) return undefined
  return { kind: 'changed', changes, comment, hasNewAttachment }
}

const DEPENDENCY_FIELDS = ['status', 'resolution']

/** The same for a bug that the bug of the message depends on. */
export function seenDependency(lines: readonly HistoryChange[]): SeenChanges | undefined {
  const changes = lines.filter(({ field_name }) => DEPENDENCY_FIELDS.includes(field_name))
  return changes.length === 0 ? undefined : { kind: 'dependency', changes, comment: undefined, hasNewAttachment: false }
}

/** The recipient and the message, as far as they decide whether it is wanted. */
export interface MessageOccasion {
  addressee: { preferences: MailPreferences; caller: { id: number | null; login: string } }
  bug: { readonly status?: unknown }
  job: Pick<MailJob, 'who'>
}

/** The reasons for which the recipient wants this mail. */
export function countedReasons(
  { addressee, bug, job }: MessageOccasion,
  reasons: readonly MailReason[],
  { kind, changes, comment, hasNewAttachment }: SeenChanges,
): MailReason[] {
  return sufficientReasons(addressee.preferences, addressee.caller.login, reasons, {
    events: eventsIn({
      kind,
      fields: changes.map(({ field_name }) => field_name),
      hasComment: comment?.isWritten ?? false,
      hasNewAttachment,
    }),
    people: peopleIn(changes),
    isOwn: job.who === addressee.caller.id,
    isUnconfirmed: bug.status === UNCONFIRMED,
  })
}

const UNCONFIRMED = 'UNCONFIRMED'

function peopleIn(changes: readonly HistoryChange[]): Map<Role, ReadonlySet<string>> {
  return new Map(
    roles.map((role) => {
      const own = changes.filter(({ field_name }) => field_name === FIELD_OF_ROLE[role])
      return [role, new Set(own.flatMap(({ removed, added }) => [...valuesIn(removed), ...valuesIn(added)]))]
    }),
  )
}

/** Whether the recipient wants mail about a flag in this role. */
export function isRequestWanted(preferences: MailPreferences, as: RequestTopic['as']): boolean {
  if (as === 'requestee') return preferences.wantsFlag('requested')
  return as === 'listed' || preferences.wantsFlag('answered')
}
