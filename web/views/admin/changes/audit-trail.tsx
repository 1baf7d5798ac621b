import { useEffect, useRef } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { isAdmin } from '../../../core/account/session.ts'
import { loadPeople, personBy } from '../../../core/bugs/people.ts'
import { hrefOf } from '../../../core/router.ts'
import { useData } from '../../../core/server/use-data.ts'
import { Avatar, nameOf } from '../../../parts/person.tsx'
import { Time } from '../../../parts/time.tsx'
import { classInWords } from '../audit/audit-entry.ts'
import { fieldInWords, valueInWords } from '../audit/audit-words.ts'

interface Props {
  /** Classes of the audit log, such as `Tracker::Keyword`. */
  classes: readonly string[]
  /** Only changes of these fields. */
  fields?: readonly string[]
  /** The object; without it, all objects of the classes. */
  id?: number
  /** What the page calls a field, which the log has with the name of the API. */
  labelOf?: (field: string) => string
  /** The version of the configuration that is shown: the trail is read again after each save. */
  version?: number
}

const SHOWN = 12

/** Who changed what here, the newest first. Only members of admin may read it: for others there is nothing. */
export function AuditTrail(props: Props) {
  return isAdmin.value ? <Trail {...props} /> : null
}

function Trail({ classes, fields, id, labelOf, version }: Props) {
  const address = addressOf('/audit', { class: classes, field: fields, id, limit: SHOWN })
  const { body, reload } = useData(address)
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) reload()
    isFirst.current = false
  }, [version])
  useEffect(() => void loadPeople(body?.audit.flatMap(({ who }) => who ?? []) ?? []), [body])
  if (body === undefined) return null
  return (
    <aside class="audit-trail" aria-label="What changed here">
      <h2>What changed here</h2>
      {body.audit.length === 0 && <p class="faint">Nothing yet.</p>}
      <ol>
        {body.audit.map((entry, place) => (
          <li key={place}>
            <Who login={entry.who} />{' '}
            <AuditedChange
              {...(labelOf === undefined ? entry : withLabels(entry, labelOf))}
              isNamed={id === undefined}
            />
            <div class="faint small">
              <Time at={entry.at} isInSentence />
            </div>
          </li>
        ))}
      </ol>
      <a class="link small" href={hrefOf(`/admin/audit?${searchOf(classes, id)}`)}>
        All
      </a>
    </aside>
  )
}

function Who({ login }: { login: string | null }) {
  if (login === null) return <b>The server</b>
  const person = personBy(login)
  return (
    <>
      <Avatar id={person.id} name={nameOf(person)} size={16} />{' '}
      <b dir="auto" title={login}>
        {nameOf(person)}
      </b>
    </>
  )
}

function searchOf(classes: readonly string[], id: number | undefined) {
  const search = new URLSearchParams(classes.map((name) => ['class', name]))
  if (id !== undefined) search.set('id', String(id))
  return search
}

/** What is logged of a field that names fields by itself. */
const NAMES_FIELDS = ['__create__', '__remove__', 'visibility_field', 'value_field']

function withLabels<Change extends Omit<Entry, 'isNamed'>>(change: Change, labelOf: (field: string) => string): Change {
  const { class: className, name, field, removed, added } = change
  if (className !== 'Tracker::Field' && className !== 'Tracker::FieldValue') return change
  // A value is logged with its field, such as `cf_width: 20`.
  const shown = (text: string) =>
    className === 'Tracker::Field' ? labelOf(text) : text.replace(/^\w+(?=: )/, (of) => labelOf(of))
  const named = { ...change, name: name !== null && className === 'Tracker::Field' ? labelOf(name) : name }
  return NAMES_FIELDS.includes(field) ? { ...named, removed: shown(removed), added: shown(added) } : named
}

interface Entry {
  class: string
  /** What the object is called now. */
  name: string | null
  /** The trail is about several objects. */
  isNamed: boolean
  field: string
  removed: string
  added: string
}

function AuditedChange({ isNamed, ...entry }: Entry) {
  const { class: className, name, field, removed, added } = entry
  const before = valueInWords(entry, removed)
  const what = classInWords(className)
  if (className === 'Tracker::SignInProvider')
    return (
      <>
        tested the provider <bdi>{added}</bdi>
      </>
    )
  if (className === 'Tracker::Mail')
    return field === 'test' ? (
      <>
        sent a test message to <bdi>{added}</bdi>
      </>
    ) : (
      <>deleted undelivered messages: {removed}</>
    )
  if (field === 'hidden_activity')
    return (
      <>
        {added === '' ? 'showed again' : 'hid'} what <bdi>{name ?? 'somebody'}</bdi> wrote
      </>
    )
  if (field === 'replaced_with')
    return (
      <>
        merged <bdi>{removed}</bdi> into <bdi>{added}</bdi>
      </>
    )
  if (field === '__create__')
    return (
      <>
        added the {what} <bdi>{added}</bdi>
      </>
    )
  if (field === '__remove__')
    return (
      <>
        removed the {what} <bdi>{removed}</bdi>
      </>
    )
  return (
    <>
      changed{' '}
      {isNamed && name !== null && (
        <>
          <bdi>{name}</bdi>:{' '}
        </>
      )}
      {className === 'Tracker::Parameter' ? `the parameter ${field}` : fieldInWords(entry)}{' '}
      {before !== '' && <s dir="auto">{before}</s>} <bdi>{valueInWords(entry, added) || 'to nothing'}</bdi>
    </>
  )
}
