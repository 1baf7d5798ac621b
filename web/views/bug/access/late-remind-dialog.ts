import { late } from '../../../parts/late.tsx'

export const RemindDialog = late(async () => (await import('../remind-dialog.tsx')).RemindDialog)
