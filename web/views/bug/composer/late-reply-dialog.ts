import { late } from '../../../parts/late.tsx'

export const ReplyDialog = late(async () => (await import('./reply-dialog.tsx')).ReplyDialog)
