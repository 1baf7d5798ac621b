import type { CallContext } from '../../access/call.ts'
import { requireLogin } from '../../access/caller.ts'
import { withLiveCredential } from '../../access/live-credential.ts'
import { type RequestedUserChanges, updateUsers } from '../../people/users/update-users.ts'
import { getTarget } from '../../people/users/user-targets.ts'
import { errors } from '../../platform/errors.ts'

const UNCHANGED: Omit<RequestedUserChanges, 'login_denied_text'> = {
  full_name: undefined,
  nick: undefined,
  email: undefined,
  password: undefined,
  email_enabled: undefined,
  groups: undefined,
  bless_groups: undefined,
}

interface Target {
  id: number
  disabled_text: string
}

/**
 * Disables the account, then hides: nothing is left that its user writes in between. Each has a transaction of its own, because nobody
 * could write while accounts are locked for as long as hiding takes. If hiding is refused, the account is as it was before.
 */
export async function disableThen<Result>(
  context: CallContext,
  user: Target,
  text: string,
  hide: (denied: string) => Promise<Result>,
) {
  const denied = text.trim()
  if (denied === '')
    throw errors.bad_value({ name: 'login_denied_text', value: text, right: 'it must be a text for the user' })
  if (requireLogin(context.caller).id === user.id)
    throw errors.bad_value({ name: 'login_denied_text', value: text, right: 'it cannot be about your own account' })
  await setDeniedText(context, user.id, denied)
  try {
    return await hide(denied)
  } catch (fault) {
    await setDeniedText(context, user.id, user.disabled_text, denied)
    throw fault
  }
}

/** Lets the user log in again, if the account still has the text that disabled it. Returns whether it has. */
export async function enableAfter(context: CallContext, user: Target, denied: string | undefined): Promise<boolean> {
  return denied !== undefined && setDeniedText(context, user.id, '', denied)
}

/** With `expected`, only if nobody else has changed it since. Returns whether it is set. */
function setDeniedText(context: CallContext, id: number, text: string, expected?: string): Promise<boolean> {
  const editor = requireLogin(context.caller)
  return withLiveCredential(context, 'configuration', async (tx) => {
    const ref = String(id)
    if (expected !== undefined && (await getTarget(tx, ref)).disabled_text !== expected) return false
    await updateUsers({ ...context, db: tx }, editor, [ref], { ...UNCHANGED, login_denied_text: text })
    return true
  })
}
