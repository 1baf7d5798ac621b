import { late } from '../../../parts/late.tsx'

export const AccessDialog = late(async () => (await import('./access-dialog.tsx')).AccessDialog)
