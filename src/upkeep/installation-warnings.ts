import type { Settings } from '../platform/config/settings.ts'
import type { PoorSetting } from '../platform/database/postgres/postgres-advice.ts'

export interface Warning {
  name:
    | 'disk_full'
    | 'overloaded'
    | 'mail_outage'
    | 'no_mail_server'
    | 'undelivered_mail'
    | 'failing_webhooks'
    | 'late_backup'
    | 'no_maintainer'
    | 'no_https'
    | 'no_second_factor'
    | 'no_backup'
    | 'database_settings'
  level: 'danger' | 'warning' | 'info'
  text: string
  /** The parameter that would change it. */
  parameter: string | null
}

interface Facts {
  settings: Settings
  baseUrl: string
  /** When a server last refused requests because of too much load. */
  lastOverloadAt: string | undefined
  mailOutageSince: string | null
  hasMailServer: boolean
  failedMail: number
  failingWebhooks: number
  lastBackupAt: string | undefined
  /** Of the disk with the data folder; null if it cannot be read. */
  freeBytes: number | null
  /** In milliseconds. */
  now: number
  poorSettings: readonly PoorSetting[]
}

const LITTLE_FREE_BYTES = 1_000_000_000
const HOUR_MILLISECONDS = 3_600_000

/** What needs attention, the worst first. */
export function warningsFor(facts: Facts): Warning[] {
  const { settings, baseUrl, mailOutageSince, hasMailServer, failedMail, failingWebhooks } = facts
  const { lastBackupAt, lastOverloadAt, freeBytes, now, poorSettings } = facts
  const expected = settings.backup_expected_hours
  const possible: readonly (readonly [boolean, Warning])[] = [
    [
      freeBytes !== null && freeBytes < LITTLE_FREE_BYTES,
      warning('disk_full', 'danger', `The disk with the data folder has only ${megabytes(freeBytes)} MB left.`),
    ],
    [
      lastOverloadAt !== undefined && now - Date.parse(lastOverloadAt) < HOUR_MILLISECONDS,
      warning(
        'overloaded',
        'danger',
        `There was more load than the server can carry: it refused requests, last at ${lastOverloadAt}.`,
      ),
    ],
    [
      mailOutageSince !== null,
      warning('mail_outage', 'danger', `No mail can be sent since ${mailOutageSince}. It waits, and nothing is lost.`),
    ],
    [
      !hasMailServer,
      warning(
        'no_mail_server',
        'warning',
        'No mail server is set: nobody gets mail, and nobody can be invited or choose a new password.',
        'smtp_url',
      ),
    ],
    [failedMail > 0, warning('undelivered_mail', 'warning', `${failedMail} messages could not be delivered.`)],
    [failingWebhooks > 0, warning('failing_webhooks', 'warning', `${failingWebhooks} webhooks fail.`)],
    [
      expected > 0 && lastBackupAt !== undefined && now - Date.parse(lastBackupAt) > expected * HOUR_MILLISECONDS,
      warning(
        'late_backup',
        'warning',
        `The last backup was seen at ${lastBackupAt}, and one is expected every ${expected} hours.`,
        'backup_expected_hours',
      ),
    ],
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
    [
      expected > 0 && lastBackupAt === undefined,
      warning(
        'no_backup',
        'info',
        'No backup was seen. The command lacewing backup makes one; other programs report theirs with POST /rest/admin/backup.',
        'backup_expected_hours',
      ),
    ],
    [
      poorSettings.length > 0,
      warning(
        'database_settings',
        'info',
        `Searches can be faster with other settings of PostgreSQL: ${poorSettings.map(({ name, value, better }) => `${name} is ${value}, better ${better}`).join('; ')}.`,
      ),
    ],
  ]
  return possible.flatMap(([isThere, it]) => (isThere ? [it] : []))
}

function megabytes(bytes: number | null) {
  return Math.floor((bytes ?? 0) / 1e6)
}

function warning(
  name: Warning['name'],
  level: Warning['level'],
  text: string,
  parameter: string | null = null,
): Warning {
  return { name, level, text, parameter }
}
