import { Field, TextField } from '../../../parts/field.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { ScrollRegion } from '../../../parts/scroll-region.tsx'
import { type Invitation, type InvitationRow, type Invitations, isRefused, MOST_INVITED } from './use-invitations.ts'

export function AddressesField({ invitations, rows }: { invitations: Invitations; rows: number }) {
  return (
    <Field
      label="Addresses of people to invite"
      hint={`One on each line, or with commas between them, such as Nina Novak <nina@example.org>; at most ${MOST_INVITED}.`}
    >
      {({ id, describedBy }) => (
        <textarea
          id={id}
          class="input input-area"
          rows={rows}
          value={invitations.text}
          aria-describedby={describedBy}
          onInput={(event) => invitations.setText(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

const WORDS: Readonly<Record<Invitation['result'], readonly [icon: string, words: string]>> = {
  new: ['mail', 'gets an account and a mail'],
  invited: ['check', 'invited'],
  has_account: ['user', 'has an account already: gets no invitation'],
  repeated: ['info', 'is in the list twice'],
  not_allowed: ['warn', 'not allowed here'],
  malformed: ['warn', 'not an address'],
}

/** The reason of the refusal was about what was typed before. */
const isCorrected = ({ typed, checked }: InvitationRow) => typed !== checked

/** What becomes of each, or has become. Those that are refused come first, each with the reason and a field to correct it. */
export function InvitationList({ invitations: { rows, state, mend } }: { invitations: Invitations }) {
  const numbered = rows.map((row, place) => ({ row, place }))
  const refused = numbered.filter(({ row }) => isRefused(row))
  const others = numbered.filter(({ row }) => !isRefused(row))
  return (
    <div class="stack">
      {refused.length > 0 && (
        <div class="stack">
          <p class="small muted">
            Correct what cannot be invited, or empty it to leave it out
            {state === 'sent' && '; only these are sent again'}.
          </p>
          {refused.map(({ row, place }) => (
            <TextField
              key={place}
              label={`Entry ${place + 1}, ${isCorrected(row) ? 'corrected' : WORDS[row.invitation.result][1]}`}
              value={row.typed}
              onText={(typed) => mend(place, typed)}
              autocomplete="off"
              error={isCorrected(row) ? undefined : row.invitation.message}
            />
          ))}
        </div>
      )}
      {others.length > 0 && (
        <ScrollRegion class="invitations" label="What becomes of each">
          <ul class={state === 'unchecked' ? 'muted' : undefined}>
            {others.map(({ row: { invitation }, place }) => {
              const [icon, words] = WORDS[invitation.result]
              return (
                <li key={place}>
                  <Icon name={icon} size="small" />
                  <span>
                    <b dir="auto">{invitation.address}</b>{' '}
                    {invitation.real_name !== '' && <bdi>{invitation.real_name}</bdi>}{' '}
                    <span class="muted">{words}</span>
                  </span>
                </li>
              )
            })}
          </ul>
        </ScrollRegion>
      )}
    </div>
  )
}
