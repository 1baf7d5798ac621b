// What was changed: one line for each person and moment, folded when there are many.
import { useState } from 'preact/hooks'
import { isList } from '../../../core/bugs/fields.ts'
import { personBy } from '../../../core/bugs/people.ts'
import type { Field, HistoryEntry } from '../../../core/server/types.ts'
import { shortDate } from '../../../core/times.ts'
import { statusShape } from '../../../parts/glyphs.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { nameOf } from '../../../parts/person.tsx'
import { Time } from '../../../parts/time.tsx'
import { labelOf } from '../properties/field-names.ts'
import { useBugStore } from '../use-bug.ts'
import { Value } from './changed-value.tsx'

type Change = HistoryEntry['changes'][number]

const MOST_UNFOLDED = 3

export function Changes({ entries }: { entries: readonly HistoryEntry[] }) {
  const [isOpen, setOpen] = useState(false)
  if (entries.length <= MOST_UNFOLDED)
    return (
      <div class="changes">
        {entries.map((entry) => (
          <div class="change" key={entry.when + entry.who}>
            <Icon name={iconOf(entry)} />
            <Entry entry={entry} />
          </div>
        ))}
      </div>
    )
  const count = entries.reduce((sum, { changes }) => sum + changes.length, 0)
  return (
    <div class="changes">
      <div class="change">
        <Icon name="history" />
        <div>
          <button
            type="button"
            class="button-plain changes-fold"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <Who entries={entries} /> changed {count} fields
          </button>{' '}
          <Span from={entries[0]?.when ?? ''} to={entries.at(-1)?.when ?? ''} />
          {isOpen && (
            <ul>
              {entries.map((entry) => (
                <li key={entry.when + entry.who}>
                  <Entry entry={entry} />
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
    </div>
  )
}

function Who({ entries }: { entries: readonly HistoryEntry[] }) {
  const names = [...new Set(entries.map(({ who }) => nameOf(personBy(who))))]
  const more = names.length - 2
  return (
    <>
      <b dir="auto">{names[0]}</b>
      {names[1] !== undefined && (
        <>
          {more > 0 ? ', ' : ' and '}
          <b dir="auto">{names[1]}</b>
        </>
      )}
      {more > 0 && ` and ${more} ${more === 1 ? 'other' : 'others'}`}
    </>
  )
}

function Span({ from, to }: { from: string; to: string }) {
  return shortDate(from) === shortDate(to) ? (
    <Time at={to} />
  ) : (
    <time dateTime={to}>{`${shortDate(from)} to ${shortDate(to)}`}</time>
  )
}

function iconOf({ changes }: HistoryEntry) {
  const status = changes.find(({ field_name }) => field_name === 'status')
  return status === undefined ? 'history' : `status-${statusShape(status.added)}`
}

/** Whether a bug is confirmed follows from its status, and needs no words beside it. */
export function worthShowing({ changes }: Pick<HistoryEntry, 'changes'>) {
  const hasStatus = changes.some(({ field_name }) => field_name === 'status')
  return changes.filter(({ field_name }) => !hasStatus || field_name !== 'is_confirmed')
}

function Entry({ entry }: { entry: HistoryEntry }) {
  const { fields } = useBugStore()
  return (
    <div>
      <b dir="auto">{nameOf(personBy(entry.who))}</b>{' '}
      {worthShowing(entry).map((change, place) => (
        <span key={place}>
          {place > 0 && ', '}
          <ChangeWords change={change} fields={fields.value} />
        </span>
      ))}{' '}
      <Time at={entry.when} />
    </div>
  )
}

/** One change in words: “Priority ~~Normal~~ → Highest”, “Keywords + regression”, “asked needinfo? of Emil”. */
export function ChangeWords({ change, fields }: { change: Change; fields: readonly Field[] }) {
  const { field_name: name, removed, added, attachment_id: attachment } = change
  if (name === 'flagtypes.name') return <FlagWords change={change} />
  const label = labelOf(name, fields)
  const where = attachment === undefined ? '' : ` (${attachment})`
  if (isList(name))
    return (
      <>
        {label}
        {added !== '' && (
          <>
            {' + '}
            <Value name={name} value={added} />
          </>
        )}
        {removed !== '' && (
          <>
            {' − '}
            <s>
              <Value name={name} value={removed} />
            </s>
          </>
        )}
      </>
    )
  if (name === 'longdescs.isanswer')
    return (
      <>
        {added === '' ? 'took the answer mark from ' : 'marked '}
        <Value name={name} value={added || removed} />
        {added !== '' && ' as the answer'}
      </>
    )
  if (name === 'work_time') return <>{`worked ${Number(added)} h`}</>
  return (
    <>
      {label}
      {where} <s>{removed === '' ? 'none' : <Value name={name} value={removed} />}</s>
      {' → '}
      {added === '' ? 'none' : <Value name={name} value={added} />}
    </>
  )
}

const FLAG = /^(.+?)([?+-])(?:\((.*)\))?$/

function FlagWords({ change: { added, removed } }: { change: Change }) {
  const one = (text: string, isAdded: boolean) =>
    text.split(', ').map((flag, place) => {
      const [, name = flag, status = '', requestee] = FLAG.exec(flag) ?? []
      const verb = isAdded ? { '?': 'asked ', '+': 'granted ', '-': 'denied ' }[status] : 'cleared '
      return (
        <span key={flag}>
          {place > 0 && ', '}
          {verb}
          <b>
            {name}
            {status === '-' ? '−' : status}
          </b>
          {requestee !== undefined && ` of ${nameOf(personBy(requestee))}`}
        </span>
      )
    })
  // A request that is answered is one change: what it was before says nothing more.
  const isAnswer = added !== '' && removed !== '' && FLAG.exec(added)?.[1] === FLAG.exec(removed)?.[1]
  return (
    <>
      {added !== '' && one(added, true)}
      {added !== '' && removed !== '' && !isAnswer && ', '}
      {removed !== '' && !isAnswer && one(removed, false)}
    </>
  )
}
