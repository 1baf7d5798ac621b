import { useComputed } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { isFoldedByTag } from '../../../core/account/session.ts'
import { personBy } from '../../../core/bugs/people.ts'
import { useCommands } from '../../../core/keys.ts'
import { currentAddress } from '../../../core/router.ts'
import type { Attachment, Comment } from '../../../core/server/types.ts'
import { Button } from '../../../parts/button.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { Avatar, nameOf } from '../../../parts/person.tsx'
import { Mentions } from '../../../parts/text/mention-link.tsx'
import { blocksOf } from '../../../parts/text/plain-text.tsx'
import { Pictures, TickTask } from '../../../parts/text/text-contexts.ts'
import { WrittenText } from '../../../parts/text/written-text.tsx'
import { Time } from '../../../parts/time.tsx'
import { AttachmentCard } from '../attachments/attachment-card.tsx'
import { isPicture } from '../attachments/attachment-kind.ts'
import { commentToEdit, useIsFocused } from '../composer/reply.ts'
import { useBugStore } from '../use-bug.ts'
import { CommentActions } from './comment-actions-menu.tsx'
import { mayEdit } from './comment-rights.ts'
import { CommentTags } from './comment-tags.tsx'
import { CommentEdit, seldom, TagForm, VersionsDialog } from './late-comment-parts.ts'
import { Reactions } from './reactions.tsx'
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
  const tick = mayEdit(store, comment)
    ? (line: number, isDone: boolean) => void seldom((it) => it.tickTask(store, comment, { text, line, isDone }))
    : undefined
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
              <CommentActions
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
        {text === '' && comment.count === 0 && !isEditing && <p class="faint">No description.</p>}
        {text !== '' && !isFolded && !isEditing && (
          <Mentions.Provider value={comment.mentions ?? NOBODY}>
            <Pictures.Provider value={(reference) => pictureFor(store.attachments.value, comment, reference)}>
              <TickTask.Provider value={tick}>
                <Body text={text} isMarkdown={comment.is_markdown === true} bugId={comment.bug_id} />
              </TickTask.Provider>
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
