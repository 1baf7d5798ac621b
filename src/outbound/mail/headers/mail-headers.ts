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
  const text = (field: string) => String(bug[field] ?? '')
  const list = (field: string) => (Array.isArray(bug[field]) ? bug[field].map(String) : [])
  return {
    Reason: reasonHeader(reasons),
    'Watch-Reason': watchReasonHeader(reasons),
    Type: message.type,
    Classification: settings.useclassification ? text('classification') : undefined,
    ID: text('id'),
    Product: text('product'),
    Component: text('component'),
    Version: text('version'),
    Keywords: list('keywords').join(', '),
    Severity: text('severity'),
    Who: message.who.login,
    Status: text('status'),
    Resolution: text('resolution'),
    Priority: text('priority'),
    'Assigned-To': text('assigned_to'),
    'Target-Milestone': settings.usetargetmilestone ? text('target_milestone') : undefined,
    Flags: flagsIn(bug.flags).join(' '),
    OS: text('op_sys'),
    'Changed-Fields': message.changedFields.join(' '),
    'Changed-Field-Names': [
      ...message.facts.map(({ label }) => label),
      ...message.changes.map(({ what }) => what),
    ].join(', '),
    'Attach-ID': message.attachmentId === undefined ? undefined : String(message.attachmentId),
    URL: `${site}/`,
  }
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
