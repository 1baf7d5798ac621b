import type { Settings } from '../platform/config/settings.ts'

export interface Warning {
  name: 'mail_outage' | 'undelivered_mail' | 'failing_webhooks' | 'no_maintainer' | 'no_https' | 'no_second_factor'
  level: 'danger' | 'warning' | 'info'
  text: string
  /** The parameter that would change it. */
  parameter: string | null
}

interface Facts {
  settings: Settings
  baseUrl: string
  mailOutageSince: string | null
  failedMail: number
  failingWebhooks: number
}

/** What needs attention, the worst first. */
export function warningsFor({ settings, baseUrl, mailOutageSince, failedMail, failingWebhooks }: Facts): Warning[] {
  const possible: readonly (readonly [boolean, Warning])[] = [
    [
      mailOutageSince !== null,
      warning('mail_outage', 'danger', `No mail can be sent since ${mailOutageSince}. It waits, and nothing is lost.`),
    ],
    [failedMail > 0, warning('undelivered_mail', 'warning', `${failedMail} messages could not be delivered.`)],
    [failingWebhooks > 0, warning('failing_webhooks', 'warning', `${failingWebhooks} webhooks fail.`)],
    [
      !(settings.urlbase || baseUrl).startsWith('https://'),
      warning('no_https', 'warning', 'The address of the tracker does not begin with https://.', 'urlbase'),
    ],
    [
      settings.maintainer === '',
      warning('no_maintainer', 'info', 'There is no address of a maintainer, to whom users can turn.', 'maintainer'),
    ],
    [
      settings.factor_group === '',
      warning(
        'no_second_factor',
        'info',
        'Nobody needs a second factor to log in, not even administrators.',
        'factor_group',
      ),
    ],
  ]
  return possible.flatMap(([isThere, it]) => (isThere ? [it] : []))
}

function warning(
  name: Warning['name'],
  level: Warning['level'],
  text: string,
  parameter: string | null = null,
): Warning {
  return { name, level, text, parameter }
}
