import { useState } from 'preact/hooks'
import type { Answer } from '../../../../client/call-types.ts'
import { post } from '../../../core/server/rest.ts'
import { showResult } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { useFocusAfterRemoval } from '../../../parts/focus-back.ts'
import { FormFault } from '../../../parts/form-fault.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { changeProviders, type Provider } from './provider.ts'
import { ProviderForm } from './provider-form.tsx'

interface Props {
  provider: Provider
  onChange(): void
  onTested(): void
}

export function ProviderRow({ provider, onChange, onTested }: Props) {
  const [open, setOpen] = useState<'change' | 'delete'>()
  const [result, setResult] = useState<Answer<'POST /admin/providers/:name/test'>>()
  useFocusAfterRemoval()
  const close = () => setOpen(undefined)
  const { name, title, issuer, is_disabled, is_only } = provider
  const test = useSubmit(async () => {
    setResult(undefined)
    setResult(await post('/admin/providers/:name/test', { name }))
    onTested()
  })
  const switchTo = (isDisabled: boolean) =>
    showResult(
      () => changeProviders((list) => list.map((it) => (it.name === name ? { ...it, is_disabled: isDisabled } : it))),
      isDisabled ? 'Nobody can log in through it now.' : 'Users can log in through it now.',
      onChange,
    )
  const end = async () => {
    await showResult(
      () => changeProviders((list) => list.filter((it) => it.name !== name)),
      'The provider is removed.',
      onChange,
    )
    close()
  }
  const hidden = <span class="visually-hidden"> {title}</span>
  return (
    <li class="stack">
      <div class="search-row">
        <Icon name="lock" />
        <div class="grow break-anywhere">
          <b dir="auto">{title}</b> {is_disabled && <span class="badge">off</span>}
          <div class="small" dir="ltr">
            {issuer}
          </div>
          {is_only && !is_disabled && <div class="small">Its users have no password here.</div>}
        </div>
        <div class="factor-buttons">
          <Button size="small" isBusy={test.isBusy} onClick={(event) => void test.submit(event)}>
            Test{hidden}
          </Button>
          <Button size="small" onClick={() => setOpen('change')}>
            Change{hidden}
          </Button>
          <Button size="small" onClick={() => void switchTo(!is_disabled)}>
            {is_disabled ? 'Switch on' : 'Switch off'}
            {hidden}
          </Button>
          <Button size="small" kind="danger" onClick={() => setOpen('delete')}>
            Remove{hidden}
          </Button>
        </div>
      </div>
      <div role="status">
        {result !== undefined && (
          <ul class="provider-checks" aria-label={`Test of ${title}`}>
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
      {open === 'change' && <ProviderForm provider={provider} onSaved={onChange} onClose={close} />}
      {open === 'delete' && (
        <Dialog
          title={`Remove ${title}?`}
          onClose={close}
          buttons={
            <>
              <Button onClick={close}>Keep it</Button>
              <Button kind="danger" onClick={() => void end()}>
                Remove the provider
              </Button>
            </>
          }
        >
          <p>
            Nobody can log in through it any more. Users without a password ask for one at the page to log in. Its
            secret is forgotten.
          </p>
        </Dialog>
      )}
    </li>
  )
}
