import { isAdmin, me } from '../../../core/account/session.ts'
import { copyText } from '../../../core/clipboard.ts'
import { useCommands } from '../../../core/keys.ts'
import { go, hrefOf } from '../../../core/router.ts'
import type { Comment } from '../../../core/server/types.ts'
import { IconButton } from '../../../parts/button.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { Menu, type MenuItem } from '../../../parts/menu.tsx'
import { replyTo, useIsFocused } from '../composer/reply.ts'
import { useBugStore } from '../use-bug.ts'
import { mayEdit } from './comment-rights.ts'
import { mayTag } from './comment-tags.tsx'
import { seldom } from './late-comment-parts.ts'
import { ReactMenu } from './reactions.tsx'

interface ActionsProps {
  comment: Comment
  onTag(): void
  onFold(): void
  onEdit(): void
  onVersions(): void
}

/** What one does with a comment: the most frequent as buttons, all in the menu and, for the comment that one is at, in the palette. */
export function CommentActions({ comment, onTag, onFold, onEdit, onVersions }: ActionsProps) {
  const store = useBugStore()
  const mayWrite = store.may('comment')
  const copyLink = () =>
    copyText(`${location.origin}${hrefOf(`/bug/${comment.bug_id}#c${comment.count}`)}`, 'The link is copied.')
  const items: MenuItem[] = [
    ...(mayWrite ? [{ name: 'Reply', icon: 'reply', note: 'r', run: () => replyTo(comment) }] : []),
    ...(mayEdit(store, comment) ? [{ name: 'Edit', icon: 'edit', run: onEdit }] : []),
    ...((comment.edit_count ?? 0) > 0 ? [{ name: 'Versions', icon: 'history', run: onVersions }] : []),
    ...(store.may('answer')
      ? [
          {
            name: comment.is_answer ? 'Not an answer' : 'Mark as an answer',
            icon: 'check',
            run: () => void seldom((it) => it.markAnswer(store, comment, !comment.is_answer)),
          },
        ]
      : []),
    ...(mayTag(store, comment) ? [{ name: 'Tag', icon: 'tag', run: onTag }] : []),
    { name: 'Copy link', icon: 'link', run: copyLink },
    { name: 'Fold', icon: 'up', run: onFold },
    { name: 'Copy text', icon: 'copy', run: () => copyText(comment.text, 'The text is copied.') },
    ...(store.may('comment_is_private')
      ? [
          {
            name: comment.is_private ? 'Make public' : 'Make private',
            icon: comment.is_private ? 'globe' : 'lock',
            run: () => void seldom((it) => it.setCommentPrivate(store, comment, !comment.is_private)),
          },
        ]
      : []),
    ...(isAdmin.value ? [{ name: 'What they wrote', icon: 'shield', run: () => go(activityOf(comment)) }] : []),
  ]
  // The palette has them for the comment that one is at.
  useCommands(useIsFocused(comment.count) ? items.map((item) => asCommand(item, comment.count)) : [])
  return (
    <span class="comment-actions">
      <ReactMenu comment={comment} />
      {me.value !== undefined && mayWrite && (
        <IconButton name="Reply" icon="reply" shortcut="r" size="small" onClick={() => replyTo(comment)} />
      )}
      {mayTag(store, comment) && <IconButton name="Tag" icon="tag" size="small" onClick={onTag} />}
      <IconButton name="Copy link" icon="link" size="small" onClick={copyLink} />
      <Menu
        label={`More for comment ${comment.count}`}
        button={<Icon name="more" />}
        buttonClass="icon-button icon-button-small"
        items={items}
        at="end"
      />
    </span>
  )
}

/** What the author wrote lately, for administrators. */
function activityOf({ creator }: Comment) {
  return `/admin/misuse?who=${encodeURIComponent(creator)}`
}

/** “Copy link” is “Copy link: comment 3” outside of the comment. */
function asCommand({ name, run }: MenuItem, count: number) {
  return { name: `${name}: comment ${count}`, run }
}
