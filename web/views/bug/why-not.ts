import { me } from '../../core/account/session.ts'
import type { BugAccess } from '../../core/server/types.ts'

/** Why a field cannot be changed. */
export function whyNot(field: string, access: BugAccess | undefined, isPast: boolean): string {
  if (isPast) return 'This is the bug as it was. Go back to today to change it.'
  if (me.value === undefined) return 'Log in to change this.'
  const rule = access?.fields[field]?.rule
  if (access?.edit.allowed === false) return 'You may not change bugs of this product.'
  return rule === undefined ? 'You may not change this.' : `You may not change this: ${rule}.`
}
