import type { VoteCut } from '../../../access/account-notice.ts'
import { anonymous } from '../../../access/caller.ts'
import { viewerOf } from '../../../access/visibility/visible-bugs.ts'
import type { UserRow } from '../../../people/users/user-store.ts'
import { headerText } from '../headers/one-header.ts'
import type { MailContext } from '../mail-context.ts'
import type { NoticeOf, NoticeText, OwnerNotice } from './notice-text.ts'
import { summariesFor } from './voted-bug-store.ts'

const REASONS: Readonly<Record<VoteCut['reason'], string>> = {
  moved: 'The bug was moved to a product that allows fewer votes.',
  per_bug: 'Its product now allows fewer votes for one bug.',
  per_user: 'Its product now allows fewer votes for each user.',
}

/**
 * About votes that were cut. Undefined if the owner wants no mail, or sees none of the bugs any more: the mail is also to reveal
 * nothing about a bug that was hidden from them.
 */
export async function votesCut(
  { db, settings, groups }: MailContext,
  { cuts, at }: NoticeOf<'votes_cut'>,
  owner: UserRow,
  { site, namedSite, to, actor }: OwnerNotice,
): Promise<NoticeText | undefined> {
  if (owner.email_enabled === 0) return undefined
  const membership = groups.membership(JSON.parse(owner.group_ids) as number[])
  const viewer = viewerOf({ ...anonymous, id: owner.id, login: owner.login, groups: membership })
  const ids = cuts.map(({ bugId }) => bugId)
  const summaries = await summariesFor(db, settings, viewer, ids)
  const shown = cuts.filter(({ bugId }) => summaries.has(bugId))
  if (shown.length === 0) return undefined
  return {
    to,
    subject: 'Some of your votes were removed',
    text: [
      `Some of your votes for bugs at ${namedSite} were removed.`,
      '',
      `By: ${actor}`,
      `At: ${at}`,
      ...shown.flatMap((cut) => ['', ...linesAbout(cut, summaries.get(cut.bugId) ?? '', site)]),
      '',
      `Your votes: ${site}/settings/votes`,
    ],
  }
}

function linesAbout({ bugId, before, after, reason }: VoteCut, summary: string, site: string) {
  return [
    `Bug ${bugId}: ${headerText(summary)}`,
    `${site}/bug/${bugId}`,
    `Your votes for it: ${after}, before ${before}. ${REASONS[reason]}`,
  ]
}
