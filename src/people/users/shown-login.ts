import { type Caller, isSignedIn } from '../../access/caller.ts'
import type { Settings } from '../../platform/config/settings.ts'

/**
 * Login names as the caller may see them: with webservice_email_filter on, anonymous callers see only the part before
 * the @.
 */
export function shownLogin(caller: Caller, settings: Settings): (login: string) => string {
  if (isSignedIn(caller) || !settings.webservice_email_filter) return (login) => login
  return (login) => login.replace(/@.*$/s, '')
}
