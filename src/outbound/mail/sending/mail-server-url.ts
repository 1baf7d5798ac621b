import type { CallConfig } from '../../../platform/config/config.ts'
import type { Settings } from '../../../platform/config/settings.ts'

/** The mail server with its secrets: that of the environment, or else of the parameter; undefined if there is none. */
export function mailServerUrl({ smtpUrl }: Pick<CallConfig, 'smtpUrl'>, { smtp_url }: Settings): string | undefined {
  return smtpUrl ?? (smtp_url === '' ? undefined : smtp_url)
}
