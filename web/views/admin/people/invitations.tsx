import type { Answer } from '../../../../client/call-types.ts'
import { splitPeople } from '../../../../shared/text/written-people.ts'
import { post } from '../../../core/server/rest.ts'
import { Field } from '../../../parts/field.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { ScrollRegion } from '../../../parts/scroll-region.tsx'

export type Invitation = Answer<'POST /admin/people'>['people'][number]
export const MOST_INVITED = 100

/** What happens to each entry, or has happened. */
export async function sendInvitations(text: string, groups: readonly string[], dry_run: boolean) {
  const people = splitPeople(text)
  if (people.length > MOST_INVITED)
    throw new Error(`These are ${people.length} people. At most ${MOST_INVITED} can be invited at once.`)
  return (await post('/admin/people', { people, groups: [...groups], dry_run })).people
}

export function isRefused({ result }: Invitation) {
  return result === 'malformed' || result === 'not_allowed'
}

interface FieldProps {
  text: string
  rows: number
  onText(text: string): void
}

export function AddressesField({ text, rows, onText }: FieldProps) {
  return (
    <Field
      label="Addresses of people to invite"
      hint={`One on each line, or with commas between them, such as Nina Novak <nina@example.org>; at most ${MOST_INVITED}.`}
    >
      {({ id, describedBy }) => (
        <textarea
          id={id}
          class="input"
          rows={rows}
          value={text}
          aria-describedby={describedBy}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

const WORDS: Readonly<Record<Invitation['result'], readonly [icon: string, words: string]>> = {
  new: ['mail', 'gets an account and a mail'],
  invited: ['check', 'invited'],
  has_account: ['user', 'has an account: nothing changes'],
  repeated: ['info', 'is in the list twice'],
  not_allowed: ['warn', 'not allowed here'],
  malformed: ['warn', 'not an address'],
}

export function InvitationList({ invitations }: { invitations: readonly Invitation[] }) {
  return (
    <ScrollRegion class="invitations" label="What becomes of each">
      <ul>
        {invitations.map((it, place) => {
          const [icon, words] = WORDS[it.result]
          return (
            <li key={place} class={isRefused(it) ? 'is-refused' : undefined}>
              <Icon name={icon} size="small" />
              <span>
                <b dir="auto">{it.address}</b> {it.real_name !== '' && <bdi>{it.real_name}</bdi>}{' '}
                <span class="muted">{words}</span>
                {isRefused(it) && (
                  <span class="faint small" dir="auto">
                    {' '}
                    {it.message}
                  </span>
                )}
              </span>
            </li>
          )
        })}
      </ul>
    </ScrollRegion>
  )
}
