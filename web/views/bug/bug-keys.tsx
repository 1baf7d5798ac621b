import type { FieldName } from '../../../shared/bug-fields/bug-fields.ts'
import { FIELD_DISPLAY } from '../../core/bugs/field-display.ts'
import { standardLabel } from '../../core/bugs/fields.ts'
import { isShownField } from '../../core/bugs/hidden-fields.ts'
import { type Shortcut, useKeys } from '../../core/keys.ts'
import { commentToEdit, currentComment, focusedOrCurrent, replyTo } from './composer/reply.ts'
import { openEditor } from './properties/editing.ts'
import { react } from './stream/comment-actions.ts'
import { mayEdit, mayReact } from './stream/comment-rights.ts'
import { useBugStore } from './use-bug.ts'

/** `e` and a letter edit a field. The frequent ones work without `e` too, as in a list. */
export function BugKeys() {
  const store = useBugStore()
  const edits: Shortcut[] = Object.entries(FIELD_DISPLAY).flatMap(([name, { key }]) => {
    if (key === undefined || !isShownField(name)) return []
    const { letter, what = `the ${standardLabel(name as FieldName).toLowerCase()}` } = key
    const edit = {
      what: `Edit ${what}`,
      run: () => {
        if (store.may(name) || name === 'tags') openEditor(store, key.isInHead ? `head ${name}` : name)
      },
    }
    return [{ keys: `e ${letter}`, ...edit }, ...(key.isFrequent ? [{ keys: letter, ...edit }] : [])]
  })
  useKeys([
    ...edits,
    {
      keys: 'e e',
      what: 'Change the status',
      run: () => document.querySelector<HTMLElement>('.status-button')?.click(),
    },
    {
      keys: 'e x',
      what: 'Edit the comment',
      run: () => {
        const comment = focusedOrCurrent(store.comments.value)
        if (comment !== undefined && mayEdit(store, comment)) commentToEdit.value = comment.count
      },
    },
    {
      keys: 'h',
      what: 'I see it too',
      run: () => {
        const comment = focusedOrCurrent(store.comments.value)
        if (comment !== undefined && mayReact(store))
          void react(store, comment, '+1', !(comment.own_reactions?.includes('+1') ?? false))
      },
    },
    {
      keys: 'r',
      what: 'Reply',
      run: () => {
        const comment = currentComment(store.comments.value)
        if (comment !== undefined && store.may('comment')) replyTo(comment)
      },
    },
  ])
  return null
}
