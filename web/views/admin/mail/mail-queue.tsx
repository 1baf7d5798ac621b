import { useState } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { hrefOf } from '../../../core/router.ts'
import { post, remove } from '../../../core/server/rest.ts'
import { useData } from '../../../core/server/use-data.ts'
import { showResult } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { SelectField } from '../../../parts/field.tsx'
import { useFocusAfterRemoval } from '../../../parts/focus-back.ts'
import { Refused } from '../../../parts/states.tsx'
import { Time } from '../../../parts/time.tsx'
import type { UndeliveredMessage } from './mail-state.ts'

const SHOWN = 50

/** What could not be delivered, and what waits for its next attempt. */
export function MailQueue({ onChange }: { onChange(): void }) {
  const [state, setState] = useState<'dead' | 'waiting'>('dead')
  const [before, setBefore] = useState<number>()
  const { body, fault, reload } = useData(
    addressOf('/mail/undelivered', { state, limit: SHOWN, ...(before !== undefined && { before }) }),
  )
  const [deleted, setDeleted] = useState<UndeliveredMessage>()
  useFocusAfterRemoval()
  if (body === undefined) return fault === undefined ? null : <Refused fault={fault} retry={reload} />
  const done = () => {
    reload()
    onChange()
  }
  const retry = (ids?: number[]) =>
    showResult(
      () => post('/mail/undelivered/retry', ids === undefined ? {} : { ids }),
      ids === undefined ? 'All mail is tried now.' : 'The message is tried now.',
      done,
    )
  const { messages } = body
  const total = body[state]
  const last = messages.at(-1)?.id
  return (
    <section class="stack" aria-label="Queue">
      <h2>Queue</h2>
      <div class="row wrap">
        <SelectField
          label="Messages"
          value={state}
          options={[
            { value: 'dead', name: `Undelivered (${body.dead.toLocaleString()})` },
            { value: 'waiting', name: `Waiting (${body.waiting.toLocaleString()})` },
          ]}
          onChoice={(next) => {
            setBefore(undefined)
            setState(next === 'waiting' ? 'waiting' : 'dead')
          }}
        />
        {body.dead + body.waiting > 0 && <Button onClick={() => void retry()}>Send all now</Button>}
      </div>
      {total === 0 ? (
        <p class="muted">{state === 'dead' ? 'No message was given up.' : 'No mail waits.'}</p>
      ) : (
        <ul class="card rows" aria-label={state === 'dead' ? 'Undelivered messages' : 'Waiting messages'}>
          {messages.map((message) => (
            <MessageRow
              key={message.id}
              message={message}
              onRetry={() => void retry([message.id])}
              onDelete={() => setDeleted(message)}
            />
          ))}
        </ul>
      )}
      <div class="row wrap">
        {before !== undefined && <Button onClick={() => setBefore(undefined)}>Newest</Button>}
        {messages.length === SHOWN && last !== undefined && <Button onClick={() => setBefore(last)}>Older</Button>}
      </div>
      {deleted !== undefined && (
        <DeleteMessage message={deleted} onClose={() => setDeleted(undefined)} onDeleted={done} />
      )}
    </section>
  )
}

interface RowProps {
  message: UndeliveredMessage
  onRetry(): void
  onDelete(): void
}

function MessageRow({ message, onRetry, onDelete }: RowProps) {
  const { to, bug_id, about, created_at, attempts, error, next_try_at } = message
  const name = <span class="visually-hidden">{` to ${to}`}</span>
  return (
    <li class="search-row">
      <div class="grow break-anywhere">
        <b dir="ltr">{to}</b>{' '}
        {bug_id === null ? about : <a class="link" href={hrefOf(`/bug/${bug_id}`)}>{`bug ${bug_id}`}</a>}
        {error !== '' && <div class="small warn">{error}</div>}
        <div class="facts">
          <span>
            from <Time at={created_at} isInSentence />
          </span>
          <span>{attempts === 1 ? '1 attempt' : `${attempts} attempts`}</span>
          {next_try_at !== null && (
            <span>
              next attempt <Time at={next_try_at} isInSentence />
            </span>
          )}
        </div>
      </div>
      <div class="factor-buttons">
        <Button size="small" onClick={onRetry}>
          Send now{name}
        </Button>
        <Button size="small" kind="danger" onClick={onDelete}>
          Discard{name}
        </Button>
      </div>
    </li>
  )
}

function DeleteMessage(props: { message: UndeliveredMessage; onClose(): void; onDeleted(): void }) {
  const { message, onClose, onDeleted } = props
  const end = async () => {
    await showResult(() => remove('/mail/undelivered', { ids: [message.id] }), 'The message is discarded.', onDeleted)
    onClose()
  }
  return (
    <Dialog
      title="Discard this message?"
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button kind="danger" onClick={() => void end()}>
            Discard the message
          </Button>
        </>
      }
    >
      <p class="break-anywhere">
        <b>{message.to}</b> does not get it. Nothing else in the tracker changes. This cannot be undone.
      </p>
    </Dialog>
  )
}
