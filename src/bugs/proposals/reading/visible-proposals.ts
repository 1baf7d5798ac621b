import { type RawBuilder, sql } from 'kysely'
import type { CallContext } from '../../../access/call.ts'
import { isIn } from '../../../access/caller.ts'
import { isAttachmentReadable } from '../../../access/visibility/reader-rights.ts'
import { isNumberShown, isVisible, type VisibilityRules } from '../../../access/visibility/visible-bugs.ts'
import { conditionsFor } from '../../../access/visibility/visible-products.ts'
import { type HistoryReader, historyReader } from '../../../changes/readable-history.ts'
import { isKeyAlive } from '../../../people/api-keys/live-keys.ts'
import type { SqlValues } from '../../../platform/database/statements/builder.ts'
import type { Flag } from '../../../platform/database/tables.ts'
import type { Dialect } from '../../../platform/dialects/dialect.ts'
import { timeNow } from '../../../platform/time/clock.ts'

/** Who reads proposals, and when. */
export interface ProposalReader extends HistoryReader {
  administrator: Flag
  now: string
}

export function proposalReader(reader: Pick<CallContext, 'caller' | 'settings'>): ProposalReader {
  return { ...historyReader(reader), administrator: isIn(reader.caller, 'admin') ? 1 : 0, now: timeNow() }
}

/** Whether the reader may read a row of `proposal_rows`: private texts, hours, and the numbers of hidden bugs are not for everybody. */
export function isRowReadable(
  dialect: Dialect,
  rules: VisibilityRules,
  reader: SqlValues<ProposalReader>,
): RawBuilder<boolean> {
  const isShown = isNumberShown(dialect, rules, reader, sql`proposal_bugs.bug_id`)
  return sql<boolean>`((proposal_rows.is_for_insiders = 0 or ${reader.insider} = 1)
    and (proposal_rows.is_for_time_trackers = 0 or ${reader.tracker} = 1)
    and not exists (select 1 from proposal_bugs where proposal_bugs.row_id = proposal_rows.id and not ${isShown}))`
}

/**
 * Whether the reader may read a row of `proposals`, beside which is the row of its bug. A new bug is for those who would see it, and for who
 * proposed it. What was hidden as misuse is for administrators only.
 */
export function isProposalReadable(
  dialect: Dialect,
  rules: VisibilityRules,
  reader: SqlValues<ProposalReader>,
): RawBuilder<boolean> {
  return sql<boolean>`(
    case when proposals.bug_id is null then (${isNewBugReadable(dialect, rules, reader)})
      else (${isVisible(dialect, rules, reader)}) end
    and (proposals.attachment_id is null or exists (select 1 from attachments
      where attachments.id = proposals.attachment_id and ${isAttachmentReadable(reader)}))
    and (proposals.state <> 'hidden' or ${reader.administrator} = 1)
    and ${readableRows(dialect, rules, reader)} is not null)`
}

function isNewBugReadable(dialect: Dialect, rules: VisibilityRules, reader: SqlValues<ProposalReader>) {
  const own = dialect.integersIn(reader.viewerGroups)
  const groups = sql`select 1 from proposal_groups where proposal_groups.proposal_id = proposals.id`
  const isInGroups = rules.or_groups
    ? sql`(not exists (${groups}) or exists (${groups} and proposal_groups.group_id in ${own}))`
    : sql`not exists (${groups} and proposal_groups.group_id not in ${own})`
  const { isSelectable } = conditionsFor(dialect, rules, reader.viewerGroups)
  return sql`proposals.user_id = ${reader.viewerId} or (${isInGroups}
    and exists (select 1 from products where products.id = proposals.product_id and ${isSelectable}))`
}

/**
 * Of the rows of a proposal that the reader may read: 1 if one is open, else 2 if one was accepted, else 3; null without any. It is a value and
 * not `exists`, which PostgreSQL takes for one more table to join: planning took five times as long.
 */
function readableRows(dialect: Dialect, rules: VisibilityRules, reader: SqlValues<ProposalReader>) {
  return sql<number | null>`(select min(case proposal_rows.state when 'open' then 1 when 'accepted' then 2 else 3 end)
    from proposal_rows where proposal_rows.proposal_id = proposals.id and ${isRowReadable(dialect, rules, reader)})`
}

/**
 * The state of a proposal now, as the reader sees it: an open one may have expired, its key too, and its account may have been disabled. Without
 * an open row that they may read it is decided for them, whatever becomes of the others.
 */
export function currentState(
  dialect: Dialect,
  rules: VisibilityRules,
  reader: SqlValues<ProposalReader>,
): RawBuilder<string> {
  return sql<string>`case when proposals.state = 'hidden' then 'hidden'
    else case ${readableRows(dialect, rules, reader)} when 1 then
      case when proposals.state <> 'open' then proposals.state
      when proposals.expires_at <= ${reader.now} then 'expired'
      when authors.disabled_text <> '' or not ${isKeyAlive(sql`proposals.key_id`, reader.now)} then 'ended' else 'open' end
    when 2 then 'accepted' else 'declined' end end`
}
