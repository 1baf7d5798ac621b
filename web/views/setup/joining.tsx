import { useState } from 'preact/hooks'
import { put } from '../../core/server/rest.ts'
import { SelectField, TextField } from '../../parts/field.tsx'
import { StepForm, type StepProps } from './step-form.tsx'

type Joiners = 'invited' | 'domain' | 'everybody'

const JOINERS: readonly { value: Joiners; name: string }[] = [
  { value: 'invited', name: 'Only people whom administrators invite' },
  { value: 'domain', name: 'People with an address of a domain' },
  { value: 'everybody', name: 'Everybody with a mail address' },
]

/** Who reads without an account, and who gets one. */
export function Joining(props: StepProps) {
  const [isClosed, setClosed] = useState(true)
  const [joiners, setJoiners] = useState<Joiners>('invited')
  const [domain, setDomain] = useState('')
  const send = async () => {
    await put('/parameters', {
      requirelogin: isClosed,
      webservice_email_filter: !isClosed,
      createemailregexp: patternOf(joiners, domain.trim()),
    })
  }
  return (
    <StepForm
      {...props}
      title="Who may see bugs, and who may join?"
      about="Bugs can also be hidden from some of the people who may see the rest: with groups, later."
      onSend={send}
    >
      <label class="checkbox-label">
        <input
          class="checkbox"
          type="checkbox"
          checked={isClosed}
          onChange={(event) => setClosed(event.currentTarget.checked)}
        />
        <span>People must log in to see anything</span>
      </label>
      <SelectField
        label="Who may create an account"
        value={joiners}
        options={JOINERS}
        onChoice={(value) => setJoiners(value as Joiners)}
      />
      {joiners === 'domain' && (
        <TextField label="Domain" isNeeded value={domain} onText={setDomain} placeholder="example.com" />
      )}
      <p class="muted" role="status">
        {isClosed ? 'Nobody sees a bug without an account.' : 'Everybody sees bugs, but no whole mail addresses.'}{' '}
        {sentenceOf(joiners, domain)}
      </p>
    </StepForm>
  )
}

function patternOf(joiners: Joiners, domain: string) {
  if (joiners === 'invited') return ''
  return joiners === 'everybody' ? '.*' : `^[^@]+@${domain.replaceAll(/[^A-Za-z0-9-]/g, (it) => `\\${it}`)}$`
}

function sentenceOf(joiners: Joiners, domain: string) {
  if (joiners === 'invited') return 'Accounts are made by administrators.'
  if (joiners === 'everybody') return 'Everybody who can read mail at their address gets an account.'
  return `Everybody who can read mail at an address of ${domain.trim() || 'the domain'} gets an account.`
}
