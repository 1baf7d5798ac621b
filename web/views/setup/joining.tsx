import { useState } from 'preact/hooks'
import { put } from '../../core/server/rest.ts'
import { useData } from '../../core/server/use-data.ts'
import { SelectField, TextField } from '../../parts/field.tsx'
import { Refused, Skeleton } from '../../parts/states.tsx'
import { domainIn, type Joiners, joinersOf, patternOf, SAVED_CALL } from './saved-joining.ts'
import { StepForm, type StepProps } from './step-form.tsx'

const JOINERS: readonly { value: Joiners; name: string }[] = [
  { value: 'invited', name: 'Only people whom administrators invite' },
  { value: 'domain', name: 'People with an address of a domain' },
  { value: 'everybody', name: 'Everybody with a mail address' },
]

const OTHER = { value: 'other', name: 'Addresses that match the parameter createemailregexp' } as const

interface Saved {
  isClosed: boolean
  /** The regular expression for addresses. */
  pattern: string
}

/** Who reads without an account, and who gets one: at first what is safest, later what was chosen. */
export function Joining(props: StepProps) {
  const [isDone] = useState(props.isDone)
  const { body, fault, reload } = useData(isDone ? SAVED_CALL : undefined)
  if (!isDone) return <JoiningForm {...props} saved={{ isClosed: true, pattern: '' }} />
  if (body === undefined) return fault === undefined ? <Skeleton /> : <Refused fault={fault} retry={reload} />
  const { requirelogin, createemailregexp: pattern = '' } = body.parameters
  return <JoiningForm {...props} saved={{ isClosed: requirelogin === '1', pattern }} />
}

function JoiningForm({ saved, ...props }: StepProps & { saved: Saved }) {
  const [isClosed, setClosed] = useState(saved.isClosed)
  const [joiners, setJoiners] = useState<Joiners>(() => joinersOf(saved.pattern))
  const [domain, setDomain] = useState(() => domainIn(saved.pattern) ?? '')
  const send = async () => {
    await put('/parameters', {
      requirelogin: isClosed,
      webservice_email_filter: !isClosed,
      ...(joiners !== 'other' && { createemailregexp: patternOf(joiners, domain.trim()) }),
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
        options={joinersOf(saved.pattern) === 'other' ? [...JOINERS, OTHER] : JOINERS}
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

function sentenceOf(joiners: Joiners, domain: string) {
  if (joiners === 'other') return 'Who may create an account stays as it is.'
  if (joiners === 'invited') return 'Accounts are made by administrators.'
  if (joiners === 'everybody') return 'Everybody who can read mail at their address gets an account.'
  return `Everybody who can read mail at an address of ${domain.trim() || 'the domain'} gets an account.`
}
