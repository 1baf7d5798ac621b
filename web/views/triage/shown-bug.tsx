import { personBy } from '../../core/bugs/people.ts'
import { bugAddress, hrefOf } from '../../core/router.ts'
import type { Bug } from '../../core/server/types.ts'
import { useData } from '../../core/server/use-data.ts'
import { Severity, Status } from '../../parts/glyphs.tsx'
import { Avatar, nameOf, Person } from '../../parts/person.tsx'
import { Refused, Skeleton } from '../../parts/states.tsx'
import { WrittenText } from '../../parts/text/written-text.tsx'
import { Time } from '../../parts/time.tsx'
import { commentsCall } from './triage-store.ts'

interface HeadProps {
  bug: Bug
  claim: { id: number; name: string; real_name: string } | undefined
}

export function BugHead({ bug, claim }: HeadProps) {
  return (
    <header class="stack triage-bug-head">
      <p class="faint small">
        <a class="link" href={hrefOf(bugAddress(bug.id))}>
          {bug.id}
        </a>{' '}
        filed in <bdi>{bug.product}</bdi> / <bdi>{bug.component}</bdi>, <Time at={bug.creation_time} />
      </p>
      <h2 dir="auto">{bug.summary}</h2>
      <div class="row triage-facts">
        <Status value={bug.status} isOpen={bug.is_open} />
        <Severity value={bug.severity} />
        <Person person={bug.creator_detail} link />
        {claim !== undefined && (
          <span class="badge badge-warn">
            <Avatar id={claim.id} name={nameOf(claim)} size={16} />
            <bdi>{nameOf(claim)}</bdi> triages it now
          </span>
        )}
      </div>
    </header>
  )
}

/** The description and the next comments. */
export function BugText({ bug }: { bug: Bug }) {
  const { body, fault, reload } = useData(commentsCall(bug.id))
  const comments = body?.bugs[bug.id]?.comments
  if (comments === undefined)
    return fault === undefined ? <Skeleton rows={4} /> : <Refused fault={fault} retry={reload} />
  return (
    <>
      {comments
        .filter(({ text }) => text !== '')
        .map((comment) => {
          const person = comment.creator_detail ?? personBy(comment.creator)
          const name = nameOf(person)
          return (
            <article key={comment.id} class="comment" aria-label={`Comment ${comment.count} by ${name}`}>
              <Avatar id={person.id} name={name} size={28} />
              <div>
                <div class="comment-head">
                  <b dir="auto">{name}</b>
                  <Time at={comment.time} />
                  <a class="comment-number" href={hrefOf(`${bugAddress(bug.id)}#c${comment.count}`)}>
                    #c{comment.count}
                  </a>
                </div>
                <div class="prose" dir="auto">
                  <WrittenText text={comment.text} isMarkdown={comment.is_markdown ?? false} bugId={bug.id} />
                </div>
              </div>
            </article>
          )
        })}
    </>
  )
}
