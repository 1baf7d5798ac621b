import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { proposalsOfBugCall } from '../../../shared/first-calls.ts'
import { useKeys } from '../../core/keys.ts'
import { useData } from '../../core/server/use-data.ts'
import { Button } from '../../parts/button.tsx'
import { Progress as ProgressBar } from '../../parts/progress.tsx'
import { ProposalsOfBug } from '../../parts/proposals/proposals-of-bug.tsx'
import { Empty, LoadingPage, Refused, RefusedPage, Skeleton } from '../../parts/states.tsx'
import { AcceptForm } from './accept-form.tsx'
import { AskForm, DeclineForm, DuplicateForm, SnoozeForm } from './decision-forms.tsx'
import { HelpColumn, takeover } from './help-column.tsx'
import { doneToday, QueueList } from './queue-list.tsx'
import { BugHead, BugText } from './shown-bug.tsx'
import { bugCall, type TriageQueue, TriageStore } from './triage-store.ts'

export type OpenForm = 'ask' | 'duplicate' | 'decline' | 'snooze'

/** A queue, worked one bug at a time. */
export function QueuePage({ name }: { name: string }) {
  const [store] = useState(() => new TriageStore(name))
  useEffect(() => {
    void store.load()
    return () => store.leave()
  }, [])
  const queue = store.queue.value
  const fault = store.fault.value
  useKeys([{ keys: 'z', what: 'Undo the last decision', run: () => void store.undo() }])
  if (queue === undefined)
    return fault === undefined ? <LoadingPage /> : <RefusedPage fault={fault} retry={() => void store.load()} />
  return (
    <main id="main" class="triage">
      <Progress queue={queue} />
      <QueueList store={store} queue={queue} />
      <section class="triage-bug" aria-label="The bug">
        {store.current.value === undefined ? (
          <Done store={store} queue={queue} />
        ) : (
          <ShownBug key={store.current.value} store={store} queue={queue} id={store.current.value} />
        )}
      </section>
      <HelpColumn store={store} queue={queue} />
    </main>
  )
}

function Progress({ queue }: { queue: TriageQueue }) {
  const done = doneToday(queue).length
  const left = queue.bug_count ?? 0
  return (
    <div class="triage-head">
      <h1>
        Triage: <bdi>{queue.name}</bdi>
      </h1>
      <ProgressBar done={done} all={done + left} label={`${done} of ${done + left} done today`} />
      <b>
        {done} of {done + left}
      </b>
      <span class="faint" role="status">
        {left.toLocaleString()} left
      </span>
    </div>
  )
}

function Done({ store, queue }: { store: TriageStore; queue: TriageQueue }) {
  const others = store.waiting.length
  return (
    <Empty icon="check" title={others === 0 ? 'Nothing to triage' : 'Others have the remaining bugs open'}>
      <p>
        {doneToday(queue).length} done today. {takeover(queue)}
      </p>
      {others > 0 && <Button onClick={() => store.show(store.waiting[0], true)}>Show them all the same</Button>}
    </Empty>
  )
}

function ShownBug({ store, queue, id }: { store: TriageStore; queue: TriageQueue; id: number }) {
  const { body, fault, reload } = useData(bugCall(id))
  const bug = body?.bugs[0]
  const [open, setOpen] = useState<OpenForm>()
  const accept = useRef<HTMLButtonElement>(null)
  const focus = () => accept.current?.focus()
  useLayoutEffect(() => {
    if (bug !== undefined) focus()
  }, [bug === undefined])
  useKeys([
    { keys: 'j', what: 'The next bug of the queue', run: () => store.step(1) },
    { keys: 'k', what: 'The bug before', run: () => store.step(-1) },
    ...(queue.is_worker ? DECISION_KEYS.map(([keys, what, form]) => ({ keys, what, run: () => setOpen(form) })) : []),
  ])
  if (bug === undefined) return fault === undefined ? <Skeleton rows={8} /> : <Refused fault={fault} retry={reload} />
  const close = () => {
    setOpen(undefined)
    focus()
  }
  const claim = store.claims.value.get(id)
  return (
    <>
      <BugHead bug={bug} claim={claim} />
      {store.refused.value !== undefined && open === undefined && (
        <p class="note note-warn" role="alert">
          {store.refused.value}
        </p>
      )}
      {queue.is_worker ? (
        <>
          <AcceptForm key={bug.last_change_time} store={store} queue={queue} bug={bug} button={accept} />
          <div class="row triage-others">
            <span class="faint">or</span>
            <Button icon="comment" shortcut="r" onClick={() => setOpen('ask')}>
              Ask the reporter…
            </Button>
            <Button icon="dup" shortcut="d" onClick={() => setOpen('duplicate')}>
              Duplicate of…
            </Button>
            <Button icon="x" shortcut="x" onClick={() => setOpen('decline')}>
              Decline…
            </Button>
            <Button icon="clock" shortcut="s" onClick={() => setOpen('snooze')}>
              Snooze…
            </Button>
          </div>
        </>
      ) : (
        <p class="note">Only members of the group {queue.group} work in this queue.</p>
      )}
      {open === 'ask' && <AskForm store={store} bug={bug} onClose={close} />}
      {open === 'duplicate' && <DuplicateForm store={store} bug={bug} onClose={close} />}
      {open === 'decline' && <DeclineForm store={store} bug={bug} onClose={close} />}
      {open === 'snooze' && <SnoozeForm store={store} bug={bug} onClose={close} />}
      <Proposals bug={bug} onDecided={reload} />
      <BugText bug={bug} />
    </>
  )
}

/** What agents propose for the bug. */
function Proposals({ bug, onDecided }: { bug: { id: number }; onDecided(): void }) {
  const { body, reload } = useData(proposalsOfBugCall(String(bug.id)))
  if (body === undefined || body.proposals.length === 0) return null
  return <ProposalsOfBug body={body} bug={bug} reload={reload} onDecided={onDecided} />
}

const DECISION_KEYS: readonly (readonly [keys: string, what: string, form: OpenForm])[] = [
  ['r', 'Ask the reporter', 'ask'],
  ['d', 'Mark as a duplicate', 'duplicate'],
  ['x', 'Decline', 'decline'],
  ['s', 'Snooze', 'snooze'],
]
