import { useEffect, useState } from 'preact/hooks'
import { FIELDS_CALL } from '../../../shared/first-calls.ts'
import { addressOf } from '../../../shared/rest-address.ts'
import { me } from '../../core/account/session.ts'
import { addPeople, loadPeople, personBy } from '../../core/bugs/people.ts'
import { bugAddress, hrefOf } from '../../core/router.ts'
import type { Comment, HistoryEntry, InboxEntry } from '../../core/server/types.ts'
import { useData } from '../../core/server/use-data.ts'
import { printedTime } from '../../core/times.ts'
import { Icon } from '../../parts/icon.tsx'
import { Avatar, nameOf } from '../../parts/person.tsx'
import { WrittenText } from '../../parts/text/written-text.tsx'
import { Time } from '../../parts/time.tsx'
import { ChangeWords, worthShowing } from '../bug/stream/changes.tsx'

const FIELDS = 'id,count,text,time,creator,creator_detail,is_private,is_markdown'

/** What others wrote and changed since the reader last read it; if nothing is new, the last comment. */
export function News({ entry }: { entry: InboxEntry }) {
  const { id } = entry
  // What is read stays before the reader's eyes.
  const [since] = useState(entry.new_since)
  const before = since === undefined ? undefined : new Date(Date.parse(since) - 1000).toISOString()
  const { body } = useData(
    before === undefined
      ? addressOf('/bug/:ref/comment', { ref: id, newest: 1, include_fields: FIELDS })
      : addressOf('/bug/:ref/comment', { ref: id, new_since: before, include_fields: FIELDS }),
  )
  const { body: changed } = useData(
    before === undefined ? undefined : addressOf('/bug/:ref/history', { ref: id, new_since: before }),
  )
  const own = me.value?.name
  const isNews = (who: string) => since === undefined || who !== own
  const comments = (body?.bugs[id]?.comments ?? []).filter(({ text, creator }) => text !== '' && isNews(creator))
  const changes = (changed?.bugs[0]?.history ?? []).filter(({ who }) => isNews(who))
  useEffect(() => {
    addPeople([me.value])
    void loadPeople(changes.map(({ who }) => who))
  }, [changed])
  const items = [
    ...comments.map((comment) => ({ at: comment.time, comment, change: undefined })),
    ...changes.map((change) => ({ at: change.when, comment: undefined, change })),
  ].sort((a, b) => Number(a.at > b.at) - Number(a.at < b.at))
  const first = comments[0]?.count ?? 0
  return (
    <>
      {since !== undefined && (
        <div class="unread-line">
          <span>
            New since <time dateTime={since}>{printedTime(since)}</time>
          </span>
        </div>
      )}
      {items.map(({ comment, change }) =>
        comment !== undefined ? (
          <NewComment key={`c${comment.id}`} comment={comment} bug={id} />
        ) : (
          <NewChange key={`h${change.when} ${change.who}`} change={change} />
        ),
      )}
      {first > 0 && (
        <p>
          <a class="link small" href={hrefOf(bugAddress(id))}>
            All of bug {id}
          </a>
        </p>
      )}
    </>
  )
}

type ShownComment = Omit<Comment, 'bug_id' | 'attachment_id' | 'creation_time' | 'tags'>

function NewComment({ comment, bug }: { comment: ShownComment; bug: number }) {
  const person = comment.creator_detail ?? personBy(comment.creator)
  return (
    <article class={comment.is_private ? 'preview-comment is-private' : 'preview-comment'}>
      <div class="row">
        <Avatar id={person.id} name={nameOf(person)} />
        <b dir="auto">{nameOf(person)}</b>
        <span class="faint small">
          <Time at={comment.time} />
        </span>
        <a class="align-end faint small" href={hrefOf(`${bugAddress(bug)}#c${comment.count}`)}>
          #c{comment.count}
        </a>
      </div>
      <div class="prose preview-text" dir="auto">
        <WrittenText text={comment.text} isMarkdown={comment.is_markdown ?? false} bugId={bug} />
      </div>
    </article>
  )
}

function NewChange({ change }: { change: HistoryEntry }) {
  const fields = useData(FIELDS_CALL).body?.fields ?? []
  const { when, who } = change
  return (
    <div class="change inbox-change">
      <Icon name="history" />
      <div>
        <b dir="auto">{nameOf(personBy(who))}</b>{' '}
        {worthShowing(change).map((one, place) => (
          <span key={place}>
            {place > 0 && ', '}
            <ChangeWords change={one} fields={fields} />
          </span>
        ))}{' '}
        <span class="faint small">
          <Time at={when} />
        </span>
      </div>
    </div>
  )
}
