import { useState } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { useKeys } from '../../../core/keys.ts'
import { goWith, query } from '../../../core/router.ts'
import { get } from '../../../core/server/rest.ts'
import { Combobox, noteOf, type Option } from '../../../parts/combobox.tsx'
import { AuditTrail } from '../changes/audit-trail.tsx'
import { nameIn } from '../people/account.ts'
import { Limits } from './limits.tsx'
import { NewAccounts } from './new-accounts.tsx'
import { WrittenBy } from './written-by.tsx'

const SUGGESTED = 8
const DAYS = ['1', '7', '30', '90', '365']
const USUAL_DAYS = '7'
const FIELDS = ['hidden_activity', 'login_denied_text']

/** Spam is found, hidden and undone here. The address carries the person, by id or login name, and the days. */
export function Misuse() {
  const who = query.value.get('who') || undefined
  const asked = query.value.get('days') ?? ''
  const days = Number(DAYS.includes(asked) ? asked : USUAL_DAYS)
  const [round, setRound] = useState(0)
  const onChange = () => setRound((last) => last + 1)
  return (
    <>
      <div class="row wrap">
        <FindPerson />
        <select
          class="input select people-choice"
          aria-label="How far back"
          value={String(days)}
          onChange={({ currentTarget: { value } }) => goWith({ days: value === USUAL_DAYS ? undefined : value })}
        >
          {DAYS.map((value) => (
            <option key={value} value={value}>
              {value === '1' ? 'the last day' : `the last ${value} days`}
            </option>
          ))}
        </select>
      </div>
      <div class="with-trail">
        {who === undefined ? (
          <div class="stack-large">
            <NewAccounts days={days} />
            <Limits />
          </div>
        ) : (
          <WrittenBy key={who} {...{ who, days, onChange }} />
        )}
        <AuditTrail key={who} classes={['Tracker::User']} fields={FIELDS} version={round} {...idIn(who)} />
      </div>
    </>
  )
}

/** The trail of one person is found by id only. */
function idIn(who = '') {
  return /^\d{1,9}$/.test(who) ? { id: Number(who) } : {}
}

/** Any part of a name or an address, or a number. Choosing opens what the person wrote. */
function FindPerson() {
  useKeys([{ keys: '/', what: LABEL, run: () => document.getElementById(ID)?.focus() }])
  return (
    <div class="people-find">
      <Combobox
        id={ID}
        label={LABEL}
        placeholder={LABEL}
        value=""
        options={accountsLike}
        isForSeveral
        onChoice={({ value }) => goWith({ who: value }, 'push')}
      />
    </div>
  )
}

const ID = 'find-person'
const LABEL = 'Find a person: name, address or number'

async function accountsLike(text: string): Promise<Option[]> {
  if (text.trim() === '') return []
  const { people, total } = await get(addressOf('/admin/people', { text: text.trim(), limit: SUGGESTED }))
  const options = people.map((it) => ({
    value: String(it.id),
    name: nameIn(it),
    note: it.can_login ? it.name : `${it.name}, disabled`,
  }))
  if (options.length === 0) return [noteOf('Nobody matches.')]
  return total > SUGGESTED ? [...options, noteOf('There are more people. Type more of the name.')] : options
}
