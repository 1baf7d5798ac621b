import type { Answer } from '../../../client/call-types.ts'
import { isRefusedFor, put } from '../../core/server/rest.ts'

interface RequestedChange {
  method: 'POST' | 'PUT' | 'DELETE'
  path: string
  params: object
}

export type Effects = Answer<'PUT /admin/changes'>['effects']

/** One change that is saved at once. It is refused if somebody else has changed the same object since `version`. Returns the new version. */
export async function changeOne(change: RequestedChange, version: number): Promise<number> {
  const saved = await put('/admin/changes', { changes: [change] }, { 'If-Match': `"${version}"` })
  return saved.version ?? version
}

/** What a change would do; nothing is changed. */
export async function effectsOf(change: RequestedChange): Promise<Effects> {
  return (await put('/admin/changes', { changes: [change], dry_run: true })).effects
}

/** The refusal without the place of the change in its list: there is only one. */
export function refusalOf(fault: unknown): string {
  return (fault as Error).message.replace(/^Change \d+, \w+ \S+: /, '')
}

export function isLate(fault: unknown) {
  return isRefusedFor(fault, 'configuration_changed')
}
