import type { Answer } from '../../../../client/call-types.ts'

/** The state as text, for a message to whom one asks for help. It has no secrets, because the call returns none. */
export function reportOf(status: Answer<'GET /admin/status'>): string {
  const {
    release,
    engine,
    now,
    started_at,
    counts,
    database_bytes,
    attachment_bytes,
    queues,
    feed,
    webhooks,
    warnings,
    backups,
    disk_free_bytes,
    slow_searches,
  } = status
  return [
    `Lacewing ${release} on ${engine.name} ${engine.version}, ${now}, running since ${started_at}`,
    `${counts.bugs} bugs (${counts.open_bugs} open), ${counts.users} people (${counts.active_users} this month), database ${sizeInWords(database_bytes)}, attachments ${sizeInWords(attachment_bytes)}`,
    ...queues.map(
      ({ name, waiting, oldest, failed }) => `${name}: ${waiting} waiting${since(oldest)}, ${failed} failed`,
    ),
    `feed: ${feed.waiting} waiting${since(feed.oldest)}`,
    `webhooks: ${webhooks.active} active, ${webhooks.failing} failing, ${webhooks.off} off`,
    `last backup: ${backups[0]?.at ?? 'none seen'}, free on disk: ${disk_free_bytes === null ? 'unknown' : sizeInWords(disk_free_bytes)}`,
    `slow searches of the last day: ${slow_searches.length}`,
    ...warnings.map(({ level, text }) => `${level}: ${text}`),
  ].join('\n')
}

function since(oldest: string | null) {
  return oldest === null ? '' : ` since ${oldest}`
}

export function sizeInWords(bytes: number): string {
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}
