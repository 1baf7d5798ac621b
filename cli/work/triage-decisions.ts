// What each key of triage asks for, and what it changes in the bug.
import type { Answer } from '../../client/index.ts'
import { ask } from '../input/ask.ts'
import type { FoundBug } from '../reading/found-bugs.ts'
import { shownValue } from '../reading/shown-value.ts'
import type { Connection } from '../servers/connection.ts'
import { timeOf } from './run-inbox.ts'

export type DecisionKind = 'accepted' | 'asked' | 'duplicate' | 'declined' | 'snoozed'

export interface Decision {
  readonly kind: DecisionKind
  /** What is changed in the bug; undefined if nothing is. */
  readonly change?: Readonly<Record<string, unknown>>
  readonly until?: string
  /** A text that was typed, to be kept if the change is refused. */
  readonly text?: string
}

/** By key. Each returns undefined if one thought better of it. */
export const DECISIONS: ReadonlyMap<string, (connection: Connection, bug: FoundBug) => Promise<Decision | undefined>> =
  new Map([
    ['a', accept],
    ['i', askReporter],
    ['d', markAsDuplicate],
    ['x', decline],
    ['s', snooze],
  ])

const ACCEPTED_FIELDS = ['component', 'severity', 'priority', 'assigned_to'] as const

async function accept({ client }: Connection, bug: FoundBug): Promise<Decision> {
  const change: Record<string, unknown> = {}
  for (const field of ACCEPTED_FIELDS) {
    const before = shownValue(bug[field])
    const after = (await ask(`${field} [${before}]: `)).trim()
    if (after !== '' && after !== before) change[field] = after
  }
  if (bug.status === 'UNCONFIRMED') {
    const open = await statusAfter(client, 'UNCONFIRMED', true)
    if (open !== undefined) change.status = open
  }
  return { kind: 'accepted', change }
}

const NEEDINFO = 'needinfo'

async function askReporter({ client }: Connection, bug: FoundBug): Promise<Decision | undefined> {
  const text = (await ask('Question to the reporter: ')).trim()
  if (text === '') return undefined
  const place = { product: shownValue(bug.product), component: shownValue(bug.component) }
  const types = await client.get('/flag_type/:product/:component', place).catch(() => undefined)
  const type = types?.bug.find((it) => it.name === NEEDINFO && it.is_active && it.values.includes('?'))
  const requestee = type?.is_requesteeble ? { requestee: bug.creator } : {}
  const flags = type === undefined ? {} : { flags: [{ type_id: type.id, status: '?', new: true, ...requestee }] }
  return { kind: 'asked', text, change: { comment: { body: text }, ...flags } }
}

async function markAsDuplicate(_connection: Connection, _bug: FoundBug): Promise<Decision | undefined> {
  const number = (await ask('Duplicate of bug: ')).trim()
  return number === '' ? undefined : { kind: 'duplicate', change: { dupe_of: number } }
}

async function decline({ client }: Connection, bug: FoundBug): Promise<Decision | undefined> {
  const resolutions = (await valuesOf(client, 'resolution'))
    .map(({ name }) => shownValue(name))
    .filter((name) => !['', 'DUPLICATE', 'MOVED'].includes(name))
  const usual = resolutions.find((name) => name !== 'FIXED') ?? ''
  const resolution = (await ask(`Resolution, of ${resolutions.join(', ')} [${usual}]: `)).trim() || usual
  const text = (await ask('Reason (empty: go back): ')).trim()
  if (text === '' || resolution === '') return undefined
  const status = (await statusAfter(client, shownValue(bug.status), false)) ?? 'RESOLVED'
  return { kind: 'declined', text, change: { status, resolution, comment: { body: text } } }
}

async function snooze(): Promise<Decision | undefined> {
  const text = (await ask('Until (2d, 1w, 2030-01-31): ')).trim()
  return text === '' ? undefined : { kind: 'snoozed', until: timeOf(text) }
}

type FieldValues = Answer<'GET /field/bug/:field'>['fields'][number]['values']

async function valuesOf(client: Connection['client'], field: string): Promise<NonNullable<FieldValues>> {
  const { fields } = await client.get('/field/bug/:field', { field })
  return fields[0]?.values ?? []
}

/** The first status, open or closed, that the workflow allows after another. */
async function statusAfter(client: Connection['client'], status: string, isOpen: boolean): Promise<string | undefined> {
  const values = await valuesOf(client, 'bug_status')
  const steps = values.find(({ name }) => name === status)?.can_change_to ?? []
  const isWanted = (name: string) => values.some((it) => it.name === name && it.is_open === isOpen)
  return steps.map(({ name }) => name).find((name) => name !== status && isWanted(name))
}
