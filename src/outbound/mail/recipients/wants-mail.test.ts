import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isMailOnByDefault } from '../../../../shared/mail-preferences.ts'
import {
  CASES,
  type Choice,
  choiceOf,
  EVENTS,
  type MailEvent,
  preferencesOf,
  type Role,
  type RoleChoice,
  roleChoices,
  roles,
} from '../preferences/mail-preference.ts'
import { type MailReason, type MailTrigger, sufficientReasons } from './wants-mail.ts'

const ME = 'me@lacewing.test'
const everyEvent = Object.keys(EVENTS) as MailEvent[]

function preferences(isWanted: (role: Role, what: RoleChoice) => boolean) {
  const choices = roles.flatMap((role) => roleChoices.map((what): Choice => choiceOf(role, what, isWanted(role, what))))
  return preferencesOf(choices)
}

function occasion(events: readonly MailEvent[], more: Partial<MailTrigger> = {}): MailTrigger {
  return { events: new Set(events), people: new Map(), isOwn: false, isUnconfirmed: false, ...more }
}

/** Whether a user with this one reason gets mail. */
function isTold(requested: ReturnType<typeof preferences>, reason: MailReason, it: MailTrigger) {
  return sufficientReasons(requested, ME, [reason], it).length === 1
}

/** Gaining or losing a role has another name as an event of the bug, and is an event of its own for the user. */
function happens(event: MailEvent, role: Role): MailTrigger {
  return event === 'role' ? occasion([], { people: new Map([[role, new Set([ME])]]) }) : occasion([event])
}

describe('A user with a role gets mail about an event if that role wants that event', () => {
  for (const role of roles)
    for (const event of everyEvent) {
      it(`${event}, as ${role}`, () => {
        const onlyThis = preferences((r, what) => (r === role && what === event) || what in CASES)
        const allButThis = preferences((r, what) => !(r === role && what === event))
        assert.equal(isTold(onlyThis, { role }, happens(event, role)), true)
        assert.equal(isTold(allButThis, { role }, happens(event, role)), false)
        for (const other of everyEvent)
          if (other !== event) {
            assert.equal(isTold(onlyThis, { role }, happens(other, role)), false, other)
            assert.equal(isTold(allButThis, { role }, happens(other, role)), true, other)
          }
        for (const other of roles)
          if (other !== role) assert.equal(isTold(onlyThis, { role: other }, happens(event, other)), false, other)
      })
    }
})

describe('A case suppresses all mail, unless it is switched on', () => {
  const cases = { own_changes: { isOwn: true }, unconfirmed: { isUnconfirmed: true } } as const
  for (const role of roles)
    for (const [name, more] of Object.entries(cases)) {
      it(`${name}, as ${role}`, () => {
        const without = preferences((r, what) => !(r === role && what === name))
        assert.equal(isTold(without, { role }, occasion(everyEvent, more)), false)
        assert.equal(isTold(without, { role }, occasion(everyEvent)), true)
        assert.equal(
          isTold(
            preferences(() => true),
            { role },
            occasion(everyEvent, more),
          ),
          true,
        )
      })
    }

  it('but one role that switches it on is enough', () => {
    const asReporter = preferences((role, what) => what !== 'own_changes' || role === 'reporter')
    const reasons: MailReason[] = [{ role: 'cc' }, { role: 'reporter' }]
    assert.deepEqual(sufficientReasons(asReporter, ME, reasons, occasion(['comment'], { isOwn: true })), [
      { role: 'reporter' },
    ])
  })
})

describe('A change of a role is an event for the user who gains or loses it', () => {
  const onlyRole = preferences((_, what) => what === 'role')
  const people = new Map<Role, ReadonlySet<string>>([['cc', new Set(['other@lacewing.test', ME])]])

  it('in that role', () => {
    assert.equal(isTold(onlyRole, { role: 'cc' }, occasion(['cc'], { people })), true)
    assert.equal(isTold(onlyRole, { role: 'assigned_to' }, occasion(['cc'], { people })), false)
  })

  it('and not for other users in the role', () => {
    const others = new Map<Role, ReadonlySet<string>>([['cc', new Set(['other@lacewing.test'])]])
    assert.equal(isTold(onlyRole, { role: 'cc' }, occasion(['cc'], { people: others })), false)
  })

  it('and for users who watch them', () => {
    const watching = { role: 'cc', watched: 'other@lacewing.test' } as const
    assert.equal(isTold(onlyRole, watching, occasion(['cc'], { people })), true)
    assert.equal(isTold(onlyRole, { ...watching, watched: 'third@lacewing.test' }, occasion(['cc'], { people })), false)
  })
})

it('A user who watches all bugs gets mail about everything', () => {
  const nothing = preferences(() => false)
  const reason = { role: 'global_watcher' } as const
  assert.equal(isTold(nothing, reason, occasion(['other'], { isOwn: true, isUnconfirmed: true })), true)
})

it('By default users get mail about everything but own changes, and about the CC list only as reporter', () => {
  const off = roles.flatMap((role) =>
    roleChoices.filter((what) => !isMailOnByDefault(role, what)).map((it) => `${role} ${it}`),
  )
  assert.deepEqual(off, [
    'assigned_to cc',
    'assigned_to own_changes',
    'qa_contact cc',
    'qa_contact own_changes',
    'reporter own_changes',
    'cc cc',
    'cc own_changes',
    'voter cc',
    'voter own_changes',
    'watched_component role',
    'watched_component cc',
    'watched_component own_changes',
  ])
  assert.equal(preferencesOf([]).wantsFlag('requested'), true)
  assert.equal(preferencesOf([]).wantsFlag('answered'), true)
})
