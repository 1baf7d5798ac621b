import type { Call } from './access/call.ts'
import { adminRoutes } from './admin/admin-routes.ts'
import { changesRoutes } from './admin/changes/changes-routes.ts'
import { attachmentRoutes } from './bugs/attachments/attachment-routes.ts'
import { bugRoutes } from './bugs/bug-routes.ts'
import { commentRoutes } from './bugs/comments/comment-routes.ts'
import { commentEditRoutes } from './bugs/comments/edits/comment-edit-routes.ts'
import { reactionRoutes } from './bugs/comments/reactions/reaction-routes.ts'
import { possibleDuplicateRoutes } from './bugs/filing/possible-duplicates/possible-duplicate-routes.ts'
import { historyRoutes } from './bugs/history/history-routes.ts'
import { lastVisitRoutes } from './bugs/last-visits/last-visit-routes.ts'
import { graphRoutes } from './bugs/links/graph/graph-routes.ts'
import { misuseRoutes } from './bugs/misuse/misuse-routes.ts'
import { presenceRoutes } from './bugs/presence/presence-routes.ts'
import { proposalRoutes } from './bugs/proposals/proposal-routes.ts'
import { tagRoutes } from './bugs/tags/tag-routes.ts'
import { triageRoutes } from './bugs/triage/triage-routes.ts'
import { changeRoutes } from './bugs/undo/change-routes.ts'
import { voteRoutes } from './bugs/votes/vote-routes.ts'
import { cannedReplyRoutes } from './catalogue/canned-replies/canned-reply-routes.ts'
import { classificationRoutes } from './catalogue/classifications/classification-routes.ts'
import { componentRoutes } from './catalogue/components/component-routes.ts'
import { fieldRoutes } from './catalogue/fields/field-routes.ts'
import { valueRoutes } from './catalogue/fields/value-routes.ts'
import { flagTypeRoutes } from './catalogue/flag-types/flag-type-routes.ts'
import { groupControlRoutes } from './catalogue/group-controls/group-control-routes.ts'
import { groupUseRoutes } from './catalogue/group-uses/group-use-routes.ts'
import { keywordRoutes } from './catalogue/keywords/keyword-routes.ts'
import { productCopyRoutes } from './catalogue/product-copies/copy-routes.ts'
import { milestoneRoutes, versionRoutes } from './catalogue/product-values/product-value-routes.ts'
import { productRoutes } from './catalogue/products/product-routes.ts'
import { removalRoutes } from './catalogue/removals/removal-routes.ts'
import { rotationRoutes } from './catalogue/rotations/rotation-routes.ts'
import { watchRoutes } from './catalogue/watches/watch-routes.ts'
import { workflowRoutes } from './catalogue/workflow/workflow-routes.ts'
import { infoRoutes } from './info/info-routes.ts'
import { codeRoutes } from './outbound/code/code-routes.ts'
import { feedRoutes } from './outbound/feed/feed-routes.ts'
import { inboxRoutes } from './outbound/inbox/inbox-routes.ts'
import { mailAddressRoutes } from './outbound/incoming/mail-address-routes.ts'
import { mailRoutes } from './outbound/mail/mail-routes.ts'
import { requestRoutes } from './outbound/overdue/request-routes.ts'
import { reminderRoutes } from './outbound/reminders/reminder-routes.ts'
import { scheduledMailRoutes } from './outbound/scheduled/scheduled-mail-routes.ts'
import { webhookRoutes } from './outbound/webhooks/webhook-routes.ts'
import { absenceRoutes } from './people/absences/absence-routes.ts'
import { accountRoutes } from './people/accounts/account-routes.ts'
import { apiKeyRoutes } from './people/api-keys/api-key-routes.ts'
import { credentialRoutes } from './people/credentials/credential-routes.ts'
import { factorRoutes } from './people/factors/factor-routes.ts'
import { groupMemberRoutes } from './people/groups/group-member-routes.ts'
import { groupRoutes } from './people/groups/group-routes.ts'
import { leavingRoutes } from './people/leaving/leaving-routes.ts'
import { oauthRoutes } from './people/oauth/oauth-routes.ts'
import { passkeyLoginRoutes } from './people/passkeys/passkey-login-routes.ts'
import { passkeyRoutes } from './people/passkeys/passkey-routes.ts'
import { presenceSettingRoutes } from './people/presence/presence-setting-routes.ts'
import { providerLinkRoutes } from './people/providers/link-routes.ts'
import { providerRoutes } from './people/providers/provider-routes.ts'
import { requestSettingsRoutes } from './people/request-settings/request-settings-routes.ts'
import { savedSearchRoutes } from './people/saved-searches/saved-search-routes.ts'
import { sessionRoutes } from './people/sessions/session-routes.ts'
import { userRoutes } from './people/users/user-routes.ts'
import { dashboardRoutes } from './search/dashboards/dashboard-routes.ts'
import { reportRoutes } from './search/reports/report-routes.ts'
import { timeReportRoutes } from './search/reports/time-report-routes.ts'
import { seriesRoutes } from './search/series/series-routes.ts'
import { statusRoutes } from './upkeep/status-routes.ts'

const singleCalls = [
  ...infoRoutes,
  ...sessionRoutes,
  ...accountRoutes,
  ...factorRoutes,
  ...passkeyRoutes,
  ...passkeyLoginRoutes,
  ...providerRoutes,
  ...providerLinkRoutes,
  ...userRoutes,
  ...absenceRoutes,
  ...requestSettingsRoutes,
  ...presenceSettingRoutes,
  ...leavingRoutes,
  ...misuseRoutes,
  ...apiKeyRoutes,
  ...oauthRoutes,
  ...credentialRoutes,
  ...savedSearchRoutes,
  ...dashboardRoutes,
  ...groupRoutes,
  ...groupMemberRoutes,
  ...groupUseRoutes,
  ...classificationRoutes,
  ...productRoutes,
  ...productCopyRoutes,
  ...versionRoutes,
  ...milestoneRoutes,
  ...componentRoutes,
  ...cannedReplyRoutes,
  ...rotationRoutes,
  ...groupControlRoutes,
  ...flagTypeRoutes,
  ...keywordRoutes,
  ...watchRoutes,
  ...fieldRoutes,
  ...valueRoutes,
  ...workflowRoutes,
  ...bugRoutes,
  ...possibleDuplicateRoutes,
  ...historyRoutes,
  ...changeRoutes,
  ...proposalRoutes,
  ...commentRoutes,
  ...commentEditRoutes,
  ...reactionRoutes,
  ...attachmentRoutes,
  ...tagRoutes,
  ...voteRoutes,
  ...lastVisitRoutes,
  ...presenceRoutes,
  ...graphRoutes,
  ...triageRoutes,
  ...reportRoutes,
  ...timeReportRoutes,
  ...seriesRoutes,
  ...feedRoutes,
  ...inboxRoutes,
  ...mailRoutes,
  ...webhookRoutes,
  ...mailAddressRoutes,
  ...codeRoutes,
  ...scheduledMailRoutes,
  ...requestRoutes,
  ...reminderRoutes,
  ...adminRoutes,
  ...removalRoutes,
  ...statusRoutes,
] as const

const typedCalls = [...singleCalls, ...changesRoutes(singleCalls)] as const

/** All calls. Every call in this list is served, documented and checked. */
export const calls: readonly Call[] = typedCalls

/** The types of all calls, for the typed client. */
export type CallTypes = NonNullable<(typeof typedCalls)[number]['type']>
