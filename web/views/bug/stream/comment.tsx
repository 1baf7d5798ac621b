import { useComputed } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { isAdmin, isFoldedByTag, me } from '../../../core/account/session.ts'
import { personBy } from '../../../core/bugs/people.ts'
import { copyText } from '../../../core/clipboard.ts'
import { useCommands } from '../../../core/keys.ts'
import { currentAddress, go, hrefOf } from '../../../core/router.ts'
import type { Attachment, Comment } from '../../../core/server/types.ts'
import { Button, IconButton } from '../../../parts/button.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { Menu, type MenuItem } from '../../../parts/menu.tsx'
import { Avatar, nameOf } from '../../../parts/person.tsx'
import { Mentions } from '../../../parts/text/mention-link.tsx'
import { Pictures } from '../../../parts/text/pictures.ts'
import { blocksOf } from '../../../parts/text/plain-text.tsx'
import { WrittenText } from '../../../parts/text/written-text.tsx'
import { Time } from '../../../parts/time.tsx'
import { AttachmentCard } from '../attachments/attachment-card.tsx'
import { isPicture } from '../attachments/attachment-kind.ts'
import { commentToEdit, replyTo, useIsFocused } from '../composer/reply.ts'
import { useBugStore } from '../use-bug.ts'
import { markAnswer, setCommentPrivate } from './comment-actions.ts'
import { mayEdit } from './comment-rights.ts'
import { CommentTags, mayTag, TagForm } from './comment-tags.tsx'
import { CommentEdit, VersionsDialog } from './late-comment-parts.ts'
import { Reactions, ReactMenu } from './reactions.tsx'
import { useIsNear } from './use-is-near.ts'

const NOBODY = [] as const
const MOST_LINES = 60
const MOST_CODE_LINES = 20

/** The lines that the tracker wrote for an attachment are the card below. */
function ownText(comment: Comment, attachment: Attachment | undefined) {
  if (attachment === undefined) return comment.text
  return comment.text.replace(/^New attachment \d+(?:\n[^\n]+)?(?:\n\n|\n?$)/, '')
}

function isLong(text: string) {
  return (
    text.split('\n').length > MOST_LINES ||
    blocksOf(text).some(({ kind, lines }) => kind === 'code' && lines.length > MOST_CODE_LINES)
  )
}

export function CommentArticle({ comment, attachment }: { comment: Comment; attachment: Attachment | undefined }) {
  const store = useBugStore()
  const [isTagging, setTagging] = useState(false)
  const [isEditing, setEditing] = useState(false)
  const [showsVersions, setShowsVersions] = useState(false)
  const [isOpen, setOpen] = useState<boolean>()
  const article = useRef<HTMLElement>(null)
  const isWanted = useComputed(() => commentToEdit.value === comment.count).value
  useEffect(() => {
    if (!isWanted) return
    commentToEdit.value = undefined
    setEditing(true)
  }, [isWanted])
  const isNear = useIsNear(article)
  const person = comment.creator_detail ?? personBy(comment.creator)
  const name = nameOf(person)
  const text = ownText(comment, attachment)
  const anchor = `c${comment.count}`
  const isTarget = currentAddress.value.hash === anchor
  const isFolded = !(isOpen ?? (isTarget || !isFoldedByTag(comment)))
  const unfold = { name: `Show comment ${comment.count}`, run: () => setOpen(true) }
  useCommands(useIsFocused(comment.count) && isFolded ? [unfold] : [])
  return (
    <article
      ref={article}
      class={`comment${comment.is_private ? ' comment-private' : ''}${isTarget ? ' is-target' : ''}`}
      id={anchor}
      aria-label={`Comment ${comment.count} by ${name}`}
      tabIndex={-1}
    >
      <Avatar id={person.id} name={name} size={28} />
      <div>
        <header class="comment-head">
          <b dir="auto" title={person.name}>
            {name}
          </b>
          {comment.count === 0 && <span class="badge">Description</span>}
          {comment.is_private && (
            <span class="badge badge-secret">
              <Icon name="lock" />
              Private
            </span>
          )}
          <Time at={comment.time} />
          <a class="comment-number" href={`#${anchor}`}>
            #{anchor}
          </a>
          {(comment.edit_count ?? 0) > 0 && (
            <button
              type="button"
              class="button-plain comment-edited"
              aria-label={`Edited: see the versions of comment ${comment.count}`}
              onClick={() => setShowsVersions(true)}
            >
              edited
            </button>
          )}
          {comment.is_answer && (
            <span class="badge comment-answer">
              <Icon name="check" size="small" />
              Answer
            </span>
          )}
          {isFolded ? (
            <Button kind="quiet" size="small" onClick={() => setOpen(true)}>
              Show
            </Button>
          ) : (
            isNear && (
              <Actions
                comment={comment}
                onTag={() => setTagging(true)}
                onFold={() => setOpen(false)}
                onEdit={() => setEditing(true)}
                onVersions={() => setShowsVersions(true)}
              />
            )
          )}
        </header>
        {isEditing && (
          <CommentEdit
            comment={comment}
            onDone={() => {
              setEditing(false)
              article.current?.focus({ preventScroll: true })
            }}
          />
        )}
        {text !== '' && !isFolded && !isEditing && (
          <Mentions.Provider value={comment.mentions ?? NOBODY}>
            <Pictures.Provider value={(reference) => pictureFor(store.attachments.value, comment, reference)}>
              <Body text={text} isMarkdown={comment.is_markdown === true} bugId={comment.bug_id} />
            </Pictures.Provider>
          </Mentions.Provider>
        )}
        {attachment !== undefined && !isFolded && <AttachmentCard attachment={attachment} />}
        <CommentTags comment={comment} />
        {!isFolded && <Reactions comment={comment} />}
        {showsVersions && <VersionsDialog comment={comment} onClose={() => setShowsVersions(false)} />}
        {isTagging && <TagForm comment={comment} onDone={() => setTagging(false)} />}
      </div>
    </article>
  )
}

/**
 * A picture by its number, or by the name under which the author attached it: a file of the same name that somebody else attaches cannot
 * get into the text.
 */
function pictureFor(attachments: readonly Attachment[], { creator }: Comment, reference: string) {
  const isNumber = /^\d+$/.test(reference)
  return attachments.find(
    (it) =>
      isPicture(it) && (isNumber ? it.id === Number(reference) : it.file_name === reference && it.creator === creator),
  )
}

function Body({ text, isMarkdown, bugId }: { text: string; isMarkdown: boolean; bugId: number }) {
  const [isOpen, setOpen] = useState(false)
  const isFolded = !isOpen && isLong(text)
  const shown = <WrittenText text={text} isMarkdown={isMarkdown} bugId={bugId} />
  return (
    <div class="prose" dir="auto">
      {isFolded ? (
        <>
          <div class="comment-folded">{shown}</div>
          <span class="comment-more">
            <Button kind="quiet" size="small" icon="down" onClick={() => setOpen(true)}>
              Show all {text.split('\n').length} lines
            </Button>
          </span>
        </>
      ) : (
        shown
      )}
    </div>
  )
}

interface ActionsProps {
  comment: Comment
  onTag(): void
  onFold(): void
  onEdit(): void
  onVersions(): void
}

function Actions({ comment, onTag, onFold, onEdit, onVersions }: ActionsProps) {
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
            run: () => markAnswer(store, comment, !comment.is_answer),
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
            run: () => setCommentPrivate(store, comment, !comment.is_private),
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
