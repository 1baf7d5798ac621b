import { type RawBuilder, sql } from 'kysely'
import type { FieldDescription, ReadBy } from '../../../shared/bug-fields/bug-field.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { SqlValues } from '../../platform/database/statements/builder.ts'
import type { Flag } from '../../platform/database/tables.ts'
import type { Dialect } from '../../platform/dialects/dialect.ts'
import { type Caller, isIn, isSignedIn } from '../caller.ts'
import { isNumberShown, type ViewerParams, type VisibilityRules, viewerOf } from './visible-bugs.ts'

type Viewer = { caller: Caller; settings: Settings }

export function isInsider(caller: Caller, settings: Pick<Settings, 'insidergroup'>) {
  return settings.insidergroup !== '' && isIn(caller, settings.insidergroup)
}

export function isTimeTracker(caller: Caller, settings: Pick<Settings, 'timetrackinggroup'>) {
  return settings.timetrackinggroup !== '' && isIn(caller, settings.timetrackinggroup)
}

/** Whether the caller may read a field of bugs that they see, by its entry in the table of fields. */
export function mayReadField({ readBy }: Pick<FieldDescription, 'readBy'>, { caller, settings }: Viewer) {
  return readBy === undefined || READERS[readBy](caller, settings)
}

const READERS = { 'time trackers': isTimeTracker, insiders: isInsider } as const satisfies Record<ReadBy, unknown>

/** With webservice_email_filter on, anonymous callers see only the part of an address before the @. */
export function loginFor(login: string | undefined, viewer: Viewer) {
  return login === undefined || seesAddresses(viewer) ? (login ?? '') : login.replace(/@.*/s, '')
}

export function seesAddresses({ caller, settings }: Viewer) {
  return isSignedIn(caller) || !settings.webservice_email_filter
}

/** The reader of comments and attachments. */
export interface InsiderParams extends ViewerParams {
  insider: Flag
}

export function insiderParams({ caller, settings }: Viewer): InsiderParams {
  return { ...viewerOf(caller), insider: isInsider(caller, settings) ? 1 : 0 }
}

/**
 * The type number of a comment that only says that another bug is a duplicate of this one. The number is Bugzilla's.
 */
export const HAS_DUPLICATE = 2

/**
 * Whether a comment of a visible bug is readable. Private comments are for insiders. A comment that only says that
 * another bug is a duplicate is for users who may see that bug, and for all if that bug does not exist any more.
 */
export function isCommentReadable(
  dialect: Dialect,
  rules: VisibilityRules,
  reader: SqlValues<InsiderParams>,
): RawBuilder<boolean> {
  return sql<boolean>`((comments.is_private = 0 or ${reader.insider} = 1)
    and (comments.kind <> ${sql.lit(HAS_DUPLICATE)} or ${isNumberShown(dialect, rules, reader, sql`comments.about_id`)}))`
}

/** Whether an attachment of a visible bug is readable. Private attachments are for insiders and their uploader. */
export function isAttachmentReadable(reader: SqlValues<InsiderParams>): RawBuilder<boolean> {
  return sql<boolean>`(attachments.is_private = 0 or ${reader.insider} = 1 or attachments.user_id = ${reader.viewerId})`
}
