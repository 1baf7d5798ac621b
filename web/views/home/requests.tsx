import { useEffect, useState } from 'preact/hooks'
import { MY_REQUESTS_CALL } from '../../../shared/first-calls.ts'
import { addressOf } from '../../../shared/rest-address.ts'
import { me } from '../../core/account/session.ts'
import { putOnHolder } from '../../core/bugs/flag-holder.ts'
import { loadPeople, personBy } from '../../core/bugs/people.ts'
import { bugAddress, hrefOf } from '../../core/router.ts'
import { countInbox } from '../../core/server/inbox.ts'
import { type PendingRequest, readRequests } from '../../core/server/requests.ts'
import { get, put } from '../../core/server/rest.ts'
import type { Flag, Me } from '../../core/server/types.ts'
import { unreadCount } from '../../core/server/unread.ts'
import { showResult } from '../../core/toasts.ts'
import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Avatar, nameOf } from '../../parts/person.tsx'
import { Time } from '../../parts/time.tsx'
import { QuestionActions } from '../bug/status/question.tsx'
import { useAnswerable } from './use-answerable.ts'

/** The requests that a search finds; undefined until they are read. They are read again when the reader's inbox changes. */
export function useRequests(search: string, isWanted: (flag: Flag) => boolean) {
  const [found, setFound] = useState<readonly PendingRequest[]>()
  const [fault, setFault] = useState<Error>()
  const [round, setRound] = useState(0)
  const count = unreadCount.value
  useEffect(() => {
    const abort = new AbortController()
    readRequests(search, isWanted, abort.signal).then(
      (requests) => {
        if (abort.signal.aborted) return
        setFound(requests)
        setFault(undefined)
        void loadPeople(requests.flatMap(({ flag }) => [flag.setter, ...(flag.requestee ? [flag.requestee] : [])]))
      },
      (reason) => !abort.signal.aborted && setFault(reason as Error),
    )
    return () => abort.abort()
  }, [search, round, count])
  return { found, fault, reload: () => setRound((last) => last + 1) }
}

/** What is asked of the reader, with the answers right there. */
export function Requests({ who }: { who: Me }) {
  const { found, reload } = useRequests(MY_REQUESTS_CALL, ({ requestee }) => requestee === who.name)
  const questions = useQuestions(found ?? [])
  const answerable = useAnswerable(found)
  if (found === undefined) return null
  return (
    <section aria-labelledby="asked">
      <div class="section-head">
        <h2 id="asked">Asked of you</h2>
        {found.length > 0 && <span class="count count-accent">{found.length}</span>}
        <a class="link small align-end" href={hrefOf('/inbox?reason=asked')}>
          In the inbox
        </a>
        <a class="link small" href={hrefOf('/requests')}>
          All requests
        </a>
      </div>
      {found.length === 0 ? (
        <p class="card empty-line">When a user asks you for a review or an answer, it is listed here.</p>
      ) : (
        <ul class="card">
          {found.map((request) => (
            <RequestRow
              key={request.flag.id}
              request={request}
              question={questions.get(request.flag.id)}
              canAnswer={answerable.has(request.flag.id)}
              isQuestion={answerable.get(request.flag.id) ?? false}
              onAnswered={reload}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

const MOST_QUESTIONS = 10

/** What was written when the requests were made, by the id of the flag. */
function useQuestions(requests: readonly PendingRequest[]): ReadonlyMap<number, string> {
  const [questions, setQuestions] = useState<ReadonlyMap<number, string>>(new Map())
  const some = requests.slice(0, MOST_QUESTIONS)
  const key = some.map(({ flag }) => flag.id).join()
  useEffect(() => {
    const abort = new AbortController()
    const read = async ({ bug, flag }: PendingRequest): Promise<[number, string][]> => {
      const before = new Date(Date.parse(flag.creation_date) - 1000).toISOString()
      const wanted = { ref: bug.id, new_since: before, include_fields: 'text,time,creator' } as const
      const { bugs } = await get(addressOf('/bug/:ref/comment', wanted), abort.signal)
      // The last one: a bug that was filed in the same second has its description before it.
      const said = bugs[bug.id]?.comments.findLast(
        ({ text, time, creator }) => text !== '' && isWith(flag, time, creator),
      )
      return said === undefined ? [] : [[flag.id, said.text]]
    }
    void Promise.all(some.map((request) => read(request).catch(() => []))).then(
      (found) => !abort.signal.aborted && setQuestions(new Map(found.flat())),
    )
    return () => abort.abort()
  }, [key])
  return questions
}

function isWith(flag: Flag, time: string, creator: string) {
  return time === flag.creation_date && creator === flag.setter
}

interface RowProps {
  request: PendingRequest
  question?: string | undefined
  /** Whether the reader may answer it. */
  canAnswer?: boolean
  isQuestion?: boolean
  /** By how many days the reader can defer the daily reminder. */
  deferDays?: readonly number[]
  /** Absent where requests of others are listed, with whom they are asked of. */
  onAnswered?(): void
}

export function RequestRow({ request, question, canAnswer, isQuestion, deferDays, onAnswered }: RowProps) {
  const { bug, flag, attachment } = request
  const setter = personBy(flag.setter)
  const holder = attachment === undefined ? { bug: bug.id } : { attachment: attachment.id }
  const done = () => {
    onAnswered?.()
    void countInbox()
  }
  const answer = (status: '+' | '-') =>
    showResult(
      () => putOnHolder(holder, { flags: [{ id: flag.id, status }] }),
      `${flag.name}${status} is set on bug ${bug.id}.`,
      done,
    )
  const href = hrefOf(bugAddress(bug.id))
  return (
    <li class="request">
      <Avatar id={setter.id} name={nameOf(setter)} size={28} />
      <div class="grow">
        <div class="request-line">
          <b dir="auto">{nameOf(setter)}</b> <span class="muted">asks for</span>{' '}
          <span class="flag flag-requested">
            <b>{flag.name}?</b>
          </span>{' '}
          {onAnswered === undefined && flag.requestee !== undefined && (
            <>
              <span class="muted">of</span> <b dir="auto">{nameOf(personBy(flag.requestee))}</b>{' '}
            </>
          )}
          <span class="muted">on</span>{' '}
          <a class="medium" href={href} dir="auto">
            <span class="faint">{bug.id}</span> {bug.summary}
          </a>{' '}
          {bug.groups.length > 0 && (
            <span class="secret" title={`Only for ${bug.groups.join(', ')}`}>
              <Icon name="lock" size="small" />
              <span class="visually-hidden">Not public</span>
            </span>
          )}{' '}
          <span class="faint small nowrap">
            <Time at={flag.modification_date} />
          </span>
        </div>
        {attachment !== undefined ? (
          <p class="muted request-question">
            {attachment.is_patch ? 'Patch' : 'Attachment'}{' '}
            <a class="reference" href={`${href}#a${attachment.id}`}>
              <bdi>{attachment.summary}</bdi>
            </a>
          </p>
        ) : (
          question !== undefined && (
            <p class="muted request-question">
              <bdi>“{firstUnquotedLine(question)}”</bdi>
            </p>
          )
        )}
      </div>
      {canAnswer && (
        <div class="row request-buttons">
          {deferDays !== undefined && flag.requestee === me.value?.name && (
            <Menu
              label={`Defer ${flag.name} on bug ${bug.id}`}
              button="Defer"
              buttonClass="button button-small"
              items={deferDays.map((days) => deferral(flag, days))}
            />
          )}
          {isQuestion ? (
            <QuestionActions
              bug={bug.id}
              holder={holder}
              flag={flag}
              isOnAttachment={attachment !== undefined}
              onDone={done}
            />
          ) : (
            <>
              <Button size="small" onClick={() => answer('+')}>
                Grant
              </Button>
              <Button size="small" onClick={() => answer('-')}>
                Deny
              </Button>
            </>
          )}
        </div>
      )}
    </li>
  )
}

/** Until that day the daily mail leaves the request out. */
function deferral({ id, name }: Flag, days: number) {
  const until = new Date(Date.now() + days * DAY_MILLISECONDS).toISOString().slice(0, 10)
  const words = days === 1 ? 'by a day' : `by ${days} days`
  const run = () =>
    void showResult(
      () => put('/request/:flag_id', { flag_id: id, deferred_until: until }),
      `You are not reminded of ${name} before ${until}.`,
    )
  return { name: words, run }
}

const DAY_MILLISECONDS = 86_400_000

const MOST_CHARACTERS = 240

/** The first line of a comment that is not a quote. */
export function firstUnquotedLine(text: string) {
  const line = text.split('\n').find((it) => it.trim() !== '' && !/^(>|\(In reply)/.test(it)) ?? ''
  return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}…` : line
}
