import { bugFields } from '../../../../shared/bug-fields/bug-fields.ts'
import { flagText } from '../../../catalogue/flag-types/flag-type.ts'
import type { Settings } from '../../../platform/config/settings.ts'
import type { MessageContent } from '../message/message-content.ts'
import { reasonHeader, watchReasonHeader } from '../message/reasons.ts'
import { headerText } from './one-header.ts'

/** Ours and Bugzilla's, so that existing mail filters keep working. */
const PREFIXES = ['X-Tracker-', 'X-Bugzilla-']

/** Headers for mail filters: what happened, to which bug, and why the recipient gets the mail. */
export function mailHeaders(
  message: MessageContent,
  settings: Settings,
  site: string,
): { key: string; value: string }[] {
  const present = Object.entries(valuesOf(message, settings, site)).filter(([, value]) => value !== undefined)
  const named = present.map(([name, value]) => [name, headerText(String(value))] as const)
  return [
    ...PREFIXES.flatMap((prefix) => named.map(([name, value]) => ({ key: prefix + name, value }))),
    { key: 'Auto-Submitted', value: 'auto-generated' },
  ]
}

function valuesOf(message: MessageContent, settings: Settings, site: string): Record<string, string | undefined> {
  const { bug, reasons } = message
  const values: Record<string, string | undefined> = {
    Reason: reasonHeader(message),
    'Watch-Reason': watchReasonHeader(reasons),
    Type: message.type,
    ...Object.fromEntries(
      bugFields.flatMap(({ name, mailHeader, switchedBy }) =>
        mailHeader === undefined || (switchedBy !== undefined && !settings[switchedBy])
          ? []
          : [[mailHeader, fieldText(bug[name])]],
      ),
    ),
    Who: message.who.login,
    Flags: flagsIn(bug.flags).join(' '),
    'Changed-Fields': message.changedFields.join(' '),
    'Changed-Field-Names': [
      ...message.facts.map(({ label }) => label),
      ...message.changes.map(({ what }) => what),
    ].join(', '),
    'Attach-ID': message.attachmentId === undefined ? undefined : String(message.attachmentId),
    URL: `${site}/`,
  }
  const first = Object.fromEntries(ORDER.map((name) => [name, values[name]]))
  return { ...first, ...values }
}

/** compat: the order in which Bugzilla writes them. Others follow. */
const ORDER = [
  ...['Reason', 'Watch-Reason', 'Type', 'Classification', 'ID', 'Product', 'Component', 'Version', 'Keywords'],
  ...['Severity', 'Who', 'Status', 'Resolution', 'Priority', 'Assigned-To', 'Target-Milestone', 'Flags', 'OS'],
]

function fieldText(value: unknown) {
  return Array.isArray(value) ? value.join(', ') : String(value ?? '')
}

interface ShownFlag {
  name: string
  status: string
  requestee?: string
}

function flagsIn(flags: unknown): string[] {
  const shown = Array.isArray(flags) ? (flags as ShownFlag[]) : []
  return shown.map(({ name, status, requestee }) => flagText(name, status, requestee))
}
