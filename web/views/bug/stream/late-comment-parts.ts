import { late } from '../../../parts/late.tsx'

export const CommentEdit = late(async () => (await import('./comment-edit.tsx')).CommentEdit)
export const VersionsDialog = late(async () => (await import('./versions-dialog.tsx')).VersionsDialog)
