import { useState } from 'preact/hooks'
import type { Answer } from '../../../../client/call-types.ts'
import { addressOf } from '../../../../shared/rest-address.ts'
import { post, put, remove } from '../../../core/server/rest.ts'
import { useData } from '../../../core/server/use-data.ts'
import { showResult } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { useFocusAfterRemoval } from '../../../parts/focus-back.ts'
import { FormFault } from '../../../parts/form-fault.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { Time } from '../../../parts/time.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { CodeSourceForm, type ListedSource } from './code-source-form.tsx'
import type { NewSecret } from './source-set-up.tsx'

interface Props {
  source: ListedSource
  onChange(secret?: NewSecret): void
}

export function CodeSourceRow({ source, onChange }: Props) {
  const [open, setOpen] = useState<'change' | 'delete' | 'secret' | 'deliveries'>()
  const [result, setResult] = useState<Answer<'POST /admin/code/:source/test'>>()
  useFocusAfterRemoval()
  const close = () => setOpen(undefined)
  const { name, kind, user, is_active: isActive, is_account_disabled: isStopped, last_delivery: last, address } = source
  const test = useSubmit(async () => setResult(await post('/admin/code/:source/test', { source: name })))
  const switchTo = (isOn: boolean) =>
    showResult(
      () => put('/admin/code/:source', { source: name, is_active: isOn }),
      isOn ? 'Its deliveries are taken.' : 'Its deliveries are refused.',
      () => onChange(),
    )
  const renew = async () => {
    const { sources } = await put('/admin/code/:source', { source: name, new_secret: true })
    close()
    onChange({ address, secret: sources[0]?.secret ?? '' })
  }
  const removeSource = async () => {
    await showResult(
      () => remove('/admin/code/:source', { source: name }),
      'The source is deleted.',
      () => onChange(),
    )
    close()
  }
  const hidden = <span class="visually-hidden"> {name}</span>
  return (
    <li class="stack">
      <div class="search-row">
        <Icon name="code" />
        <div class="grow break-anywhere">
          <b dir="auto">{name}</b> <span class="faint">{kind}</span> {!isActive && <span class="badge">off</span>}
          <div class="small">
            acts as <bdi>{user}</bdi>
            {isStopped && <span class="warn"> whose account is disabled, so that nothing is linked</span>}
          </div>
          <div class="small faint">
            {last === null ? (
              'nothing has arrived yet'
            ) : (
              <>
                last delivery <Time at={last.at} />, {last.outcome}
              </>
            )}
          </div>
        </div>
        <div class="factor-buttons">
          <Button size="small" isBusy={test.isBusy} onClick={(event) => void test.submit(event)}>
            Test{hidden}
          </Button>
          <Button size="small" onClick={() => setOpen(open === 'deliveries' ? undefined : 'deliveries')}>
            Deliveries{hidden}
          </Button>
          <Button size="small" onClick={() => setOpen('change')}>
            Change{hidden}
          </Button>
          <Button size="small" onClick={() => setOpen('secret')}>
            New secret{hidden}
          </Button>
          <Button size="small" onClick={() => void switchTo(!isActive)}>
            {isActive ? 'Switch off' : 'Switch on'}
            {hidden}
          </Button>
          <Button size="small" kind="danger" onClick={() => setOpen('delete')}>
            Delete{hidden}
          </Button>
        </div>
      </div>
      <div role="status">
        {result !== undefined && (
          <ul class="provider-checks" aria-label={`Test of ${name}`}>
            {result.checks.map(({ is_good, text }) => (
              <li key={text} class={is_good ? undefined : 'warn'}>
                <Icon name={is_good ? 'check' : 'warn'} />
                <span class="break-anywhere">{text}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
      <FormFault text={test.fault?.message} />
      {open === 'deliveries' && <Deliveries name={name} />}
      {open === 'change' && <CodeSourceForm source={source} onSaved={onChange} onClose={close} />}
      {open === 'secret' && (
        <Dialog
          title={`A new secret for ${name}?`}
          onClose={close}
          buttons={
            <>
              <Button onClick={close}>Keep the old one</Button>
              <Button kind="primary" onClick={() => void renew()}>
                Make a new secret
              </Button>
            </>
          }
        >
          <p>Deliveries with the old secret are refused from now on, until you enter the new one at the source.</p>
        </Dialog>
      )}
      {open === 'delete' && (
        <Dialog
          title={`Delete ${name}?`}
          onClose={close}
          buttons={
            <>
              <Button onClick={close}>Keep it</Button>
              <Button kind="danger" onClick={() => void removeSource()}>
                Delete the source
              </Button>
            </>
          }
        >
          <p>Its changes and commits disappear from bugs. Comments and attachments stay. To keep all, switch it off.</p>
        </Dialog>
      )}
    </li>
  )
}

/** The last deliveries, newest first. */
function Deliveries({ name }: { name: string }) {
  const { body } = useData(addressOf('/admin/code/:source/delivery', { source: name, limit: 20 }))
  if (body === undefined) return null
  if (body.deliveries.length === 0) return <p class="small faint">Nothing has arrived in the last 30 days.</p>
  return (
    <ul class="stack small" aria-label={`Deliveries of ${name}`}>
      {body.deliveries.map(({ id, at, event, outcome, note }) => (
        <li key={id} class="break-anywhere">
          <Time at={at} /> <bdi>{event}</bdi>: <b>{outcome}</b> <span class="faint">{note}</span>
        </li>
      ))}
    </ul>
  )
}
