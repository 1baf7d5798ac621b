import { isIn, type SignedIn } from '../../../access/caller.ts'
import type { Settings } from '../../../platform/config/settings.ts'
import { errors } from '../../../platform/errors.ts'
import { secondsAgo } from '../../../platform/time/clock.ts'
import { type EditorRights, mayChange } from '../../rights/bug-permissions.ts'
import type { EditedComment } from './comment-version-store.ts'

type Editor = { caller: SignedIn; settings: Settings }

/** Whether the caller may edit every comment that they see, and hide versions. */
export function isCommentAdmin({ caller, settings }: Editor): boolean {
  return settings.edit_comments_admins_group !== '' && isIn(caller, settings.edit_comments_admins_group)
}

function mayEditComments({ caller, settings }: Editor): boolean {
  return settings.edit_comments_group === '' || isIn(caller, settings.edit_comments_group)
}

export function mayEditDescription(editor: Editor, rights: EditorRights): boolean {
  return editor.settings.allow_global_initial_comment_editing && rights.hasEditbugs && mayEditComments(editor)
}

/** Throws unless the caller may edit the comment, which they see. */
export function requireMayEdit(
  editor: Editor,
  comment: Pick<EditedComment, 'user_id' | 'number' | 'at'>,
  rights: EditorRights,
) {
  const { caller, settings } = editor
  if (!mayChange(rights, 'comment')) throw errors.comments_restricted()
  if (isCommentAdmin(editor)) return
  if (comment.number === 0 && mayEditDescription(editor, rights)) return
  if (comment.user_id !== caller.id)
    throw errors.not_allowed({ need: 'a comment is edited by its author, or by members of edit_comments_admins_group' })
  if (!mayEditComments(editor)) throw errors.group_required({ groups: [settings.edit_comments_group] })
  const minutes = settings.edit_comments_minutes
  if (minutes > 0 && comment.at < secondsAgo(minutes * SECONDS)) throw errors.comment_too_old({ minutes })
}

const SECONDS = 60

/** What the caller may edit on a bug, for the pages. */
export function editableComments(editor: Editor, rights: EditorRights, isAllowed: boolean) {
  return {
    any: isAllowed && isCommentAdmin(editor),
    description: isAllowed && mayEditDescription(editor, rights),
    own: isAllowed && mayEditComments(editor),
    minutes: editor.settings.edit_comments_minutes,
  }
}
