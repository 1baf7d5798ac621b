import { useEffect, useRef, useState } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { isFoldedByTag } from '../../../core/account/session.ts'
import { personBy } from '../../../core/bugs/people.ts'
import { bugAddress, hrefOf } from '../../../core/router.ts'
import type { Bug, Comment } from '../../../core/server/types.ts'
import { useData } from '../../../core/server/use-data.ts'
import { Button } from '../../../parts/button.tsx'
import { Avatar, nameOf } from '../../../parts/person.tsx'
import { WrittenText } from '../../../parts/text/written-text.tsx'
import { Time } from '../../../parts/time.tsx'

const FIRST_COMMENTS = 3
const MORE_COMMENTS = 20

/** The last comments, newest first, and a way to the others: a bug can have a thousand. */
export function LatestComments({ bug, sent }: { bug: Bug; sent: number }) {
  const { comments, loadMore } = useLatestComments(bug, sent)
  const hasEarlier = (comments.at(-1)?.count ?? 0) > 0
  return (
    <>
      {comments
        .filter(({ text }) => text !== '')
        .map((comment) => (
          <CommentText key={comment.id} comment={comment} bug={bug.id} />
        ))}
      {hasEarlier && (
        <div class="row preview-more">
          <Button kind="quiet" size="small" icon="down" onClick={loadMore}>
            Earlier comments
          </Button>
          <a class="link small align-end" href={hrefOf(bugAddress(bug.id))}>
            All of it
          </a>
        </div>
      )}
    </>
  )
}

/**
 * They are read again when the bug has been read again, because something happened to it, and when a comment was sent. The time of its last
 * change would not tell: it has whole seconds.
 */
function useLatestComments(bug: Bug, sent: number) {
  const [most, setMost] = useState(FIRST_COMMENTS)
  const { body, reload } = useData(
    addressOf('/bug/:ref/comment', { ref: bug.id, newest: most, include_fields: COMMENT_FIELDS }),
  )
  const [last, setLast] = useState<readonly ShownComment[]>([])
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) reload()
    isFirst.current = false
  }, [bug, sent])
  const comments = body?.bugs[bug.id]?.comments.toReversed() ?? last
  const loadMore = () => {
    // They stay while more are read.
    setLast(comments)
    setMost(most + MORE_COMMENTS)
  }
  return { comments, loadMore }
}

const COMMENT_FIELDS = 'id,count,text,time,creator,creator_detail,is_private,is_markdown,tags'

type ShownComment = Omit<Comment, 'bug_id' | 'attachment_id' | 'creation_time'>

function CommentText({ comment, bug }: { comment: ShownComment; bug: number }) {
  const [isOpen, setOpen] = useState(!isFoldedByTag(comment))
  const person = comment.creator_detail ?? personBy(comment.creator)
  const name = nameOf(person)
  return (
    <div class={comment.is_private ? 'preview-comment is-private' : 'preview-comment'}>
      <div class="row">
        <Avatar id={person.id} name={name} />
        <b>{name}</b>
        <span class="faint small">
          <Time at={comment.time} />
        </span>
        <a class="align-end faint small" href={hrefOf(`${bugAddress(bug)}#c${comment.count}`)}>
          #c{comment.count}
        </a>
      </div>
      {isOpen ? (
        <div class="prose preview-text" dir="auto">
          <WrittenText text={comment.text} isMarkdown={comment.is_markdown ?? false} bugId={bug} />
        </div>
      ) : (
        <Button kind="quiet" size="small" onClick={() => setOpen(true)}>
          Show
        </Button>
      )}
    </div>
  )
}
