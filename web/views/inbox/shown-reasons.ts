import { REASON_GROUPS } from '../../../shared/reasons.ts'

/** Those that entries can have: nothing makes rules yet. */
export const SHOWN_REASONS = REASON_GROUPS.filter(({ name }) => name !== 'rule')
