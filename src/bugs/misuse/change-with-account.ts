import type { CallContext } from '../../access/call.ts'
import { requireLogin } from '../../access/caller.ts'
import { withLiveCredential } from '../../access/live-credential.ts'
import { type RequestedUserChanges, updateUsers } from '../../people/users/update-users.ts'

const UNCHANGED: Omit<RequestedUserChanges, 'login_denied_text'> = {
  full_name: undefined,
  email: undefined,
  password: undefined,
  email_enabled: undefined,
  groups: undefined,
  bless_groups: undefined,
}

/**
 * Disables or enables the account in the same transaction as a change of what its user wrote. Nobody writes bugs meanwhile, so that
 * nothing of theirs is left that they wrote between the two. Undefined leaves the account as it is.
 */
export function changeWithAccount<Result>(
  context: CallContext,
  userId: number,
  deniedText: string | undefined,
  change: (within: CallContext) => Promise<Result>,
): Promise<Result> {
  if (deniedText === undefined) return change(context)
  return withLiveCredential(context, 'configuration', async (tx) => {
    const within = { ...context, db: tx }
    // The account last: administrators may disable their own, and then could not hide anything.
    const result = await change(within)
    const editor = requireLogin(context.caller)
    await updateUsers(within, editor, [String(userId)], { ...UNCHANGED, login_denied_text: deniedText })
    return result
  })
}
