import type { Db } from '../db.ts'
import { people } from './0001-people.ts'
import { catalogue } from './0002-catalogue.ts'
import { bugs } from './0003-bugs.ts'
import { discussion } from './0004-discussion.ts'
import { search } from './0005-search.ts'
import { savedSearches } from './0006-saved-searches.ts'
import { outbound } from './0007-outbound.ts'
import { mail } from './0008-mail.ts'
import { webhooks } from './0009-webhooks.ts'
import { attachmentTexts } from './0010-attachment-texts.ts'
import { incomingMail } from './0011-incoming-mail.ts'
import { scheduledMail } from './0012-scheduled-mail.ts'
import { bugLists } from './0013-bug-lists.ts'
import { dueTrigrams } from './0014-due-trigrams.ts'
import { emailChanges } from './0015-email-changes.ts'
import { storedContents } from './0016-stored-contents.ts'
import { backlog } from './0017-backlog.ts'
import { bugTemplates } from './0018-bug-templates.ts'
import { markdownComments } from './0019-markdown-comments.ts'
import { accountLinks } from './0020-account-links.ts'
import { sessionDetails } from './0021-session-details.ts'
import { imports } from './0022-imports.ts'
import { orderOfSavedSearches } from './0023-order-of-saved-searches.ts'
import { joinedUsers } from './0024-joined-users.ts'
import { hiddenActivity } from './0025-hidden-activity.ts'
import { secondFactors } from './0026-second-factors.ts'
import { signInProviders } from './0027-sign-in-providers.ts'
import { passkeys } from './0028-passkeys.ts'
import { newAccountMails } from './0029-new-account-mails.ts'
import { longWords } from './0030-long-words.ts'
import { mailOutages } from './0031-mail-outages.ts'
import { madeWithKeys } from './0032-made-with-keys.ts'
import { oldestWriter } from './0033-oldest-writer.ts'
import { bugTypes } from './0034-bug-types.ts'
import { statusChanges } from './0035-status-changes.ts'
import { dashboards } from './0036-dashboards.ts'
import { refusedMessages } from './0037-refused-messages.ts'
import { stateRecords } from './0038-state-records.ts'
import { misuse } from './0039-misuse.ts'
import { productLists } from './0040-product-lists.ts'
import { textStatistics } from './0041-text-statistics.ts'
import { absences } from './0042-absences.ts'
import { watches } from './0043-watches.ts'
import { cannedReplies } from './0044-canned-replies.ts'
import { nicks } from './0045-nicks.ts'
import { commentEdits } from './0046-comment-edits.ts'
import { votes } from './0047-votes.ts'
import { mentions } from './0048-mentions.ts'
import { questions } from './0049-questions.ts'
import { reminders } from './0050-reminders.ts'
import { inbox } from './0051-inbox.ts'
import { mailTimes } from './0052-mail-times.ts'
import { triage } from './0053-triage.ts'
import { removedMentions } from './0054-removed-mentions.ts'
import { presence } from './0055-presence.ts'
import { changeSources } from './0056-change-sources.ts'
import { codeLinks } from './0057-code-links.ts'
import { removals } from './0058-removals.ts'
import { oauth } from './0059-oauth.ts'
import { proposals } from './0060-proposals.ts'

/** In order, without gaps. A released migration is never edited; a new one is added at the end. */
export const migrations: readonly Migration[] = [
  people,
  catalogue,
  bugs,
  discussion,
  search,
  savedSearches,
  outbound,
  mail,
  webhooks,
  attachmentTexts,
  incomingMail,
  scheduledMail,
  bugLists,
  dueTrigrams,
  emailChanges,
  storedContents,
  backlog,
  bugTemplates,
  markdownComments,
  accountLinks,
  sessionDetails,
  imports,
  orderOfSavedSearches,
  joinedUsers,
  hiddenActivity,
  secondFactors,
  signInProviders,
  passkeys,
  newAccountMails,
  longWords,
  mailOutages,
  madeWithKeys,
  oldestWriter,
  bugTypes,
  statusChanges,
  dashboards,
  refusedMessages,
  stateRecords,
  misuse,
  productLists,
  textStatistics,
  absences,
  watches,
  cannedReplies,
  nicks,
  commentEdits,
  votes,
  mentions,
  questions,
  reminders,
  inbox,
  mailTimes,
  triage,
  removedMentions,
  presence,
  changeSources,
  codeLinks,
  removals,
  oauth,
  proposals,
].map((up, index) => ({
  number: index + 1,
  // Those before 0033 name none: no release before them knows that it may be too old.
  oldestWriter: '6.0.0',
  ...up,
}))

interface Migration {
  number: number
  name: string
  /** The oldest release whose servers may go on writing after this migration. Older ones that still run refuse to write. */
  oldestWriter: string
  up: string
  /** Statements for one engine only, which run after the common ones. */
  sqlite?: string
  postgres?: string
  /** What SQL cannot compute from existing rows; runs last. */
  fill?(tx: Db): Promise<void>
}
