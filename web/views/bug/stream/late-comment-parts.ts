import { showFault } from '../../../core/toasts.ts'
import { late, withStyleApart } from '../../../parts/late.tsx'

export const CommentEdit = late(async () => (await import('./comment-edit.tsx')).CommentEdit)
export const TagForm = late(async () => (await import('./tag-form.tsx')).TagForm)
export const VersionsDialog = late(async () => (await withStyleApart(import('./versions-dialog.tsx'))).VersionsDialog)

type SeldomActions = typeof import('./seldom-actions.ts')

/** Does something for which the script is loaded first. */
export async function seldom(act: (actions: SeldomActions) => Promise<void>) {
  try {
    await act(await import('./seldom-actions.ts'))
  } catch (fault) {
    showFault(fault)
  }
}
