import { useEffect } from 'preact/hooks'
import { bugsCall } from '../../../../shared/first-calls.ts'
import { loadPeople, personBy } from '../../../core/bugs/people.ts'
import { hrefOf } from '../../../core/router.ts'
import { useData } from '../../../core/server/use-data.ts'
import { IconButton } from '../../../parts/button.tsx'
import { Combobox } from '../../../parts/combobox.tsx'
import { bugsLike, peopleLike } from '../../../parts/options.ts'
import { nameOf, Person } from '../../../parts/person.tsx'
import type { MailChange, MailSettings } from './use-mail-settings.ts'

interface Props {
  settings: MailSettings
  onChange(change: MailChange): void
}

/** Users whose mail the reader gets, too. */
export function WatchedPeople({ settings: { watched_users, watchers }, onChange }: Props) {
  useEffect(() => void loadPeople([...watched_users, ...watchers]), [watched_users, watchers])
  const change = (login: string, isAdded: boolean) => {
    const [add, remove] = [{ watched_users: { add: [login] } }, { watched_users: { remove: [login] } }]
    const name = nameOf(personBy(login))
    onChange({
      params: isAdded ? add : remove,
      undo: isAdded ? remove : add,
      done: isAdded ? `You watch ${name}.` : `You no longer watch ${name}.`,
    })
  }
  return (
    <section class="stack" aria-label="People you watch">
      <h2>People you watch</h2>
      {watched_users.length === 0 ? (
        <p class="muted">You watch nobody. Watch a colleague while they are away.</p>
      ) : (
        <ul class="card rows">
          {watched_users.map((login) => (
            <li key={login} class="mail-row">
              <span class="grow">
                <Person person={personBy(login)} link />
              </span>
              <IconButton
                name={`Stop watching ${nameOf(personBy(login))}`}
                icon="x"
                onClick={() => change(login, false)}
              />
            </li>
          ))}
        </ul>
      )}
      <Adding label="Watch a user" options={(text) => peopleLike(text)} onChoice={(login) => change(login, true)} />
      <p class="hint">
        You get what they get, by your own choices, about bugs that you may see yourself.
        {watchers.length > 0 && ` Watched by: ${watchers.map((login) => nameOf(personBy(login))).join(', ')}.`}
      </p>
    </section>
  )
}

/** Bugs about which the reader gets no mail. */
export function IgnoredBugs({ settings: { ignored_bugs }, onChange }: Props) {
  const shown = ignored_bugs.slice(0, MOST_TITLES)
  const titles = useData(shown.length === 0 ? undefined : bugsCall(shown, 'id,summary'))
  const summaries = new Map((titles.body?.bugs ?? []).map(({ id, summary }) => [id, summary]))
  const change = (bug: string, isAdded: boolean) => {
    const [add, remove] = [{ ignored_bugs: { add: [bug] } }, { ignored_bugs: { remove: [bug] } }]
    onChange({
      params: isAdded ? add : remove,
      undo: isAdded ? remove : add,
      done: isAdded ? `No mail about bug ${bug}.` : `Mail about bug ${bug} again.`,
    })
  }
  return (
    <section class="stack" aria-label="Ignored bugs">
      <h2>Ignored bugs</h2>
      {ignored_bugs.length === 0 ? (
        <p class="muted">You ignore no bug.</p>
      ) : (
        <ul class="card rows mail-ignored">
          {ignored_bugs.map((id) => (
            <li key={id} class="mail-row">
              <a class="grow truncated" href={hrefOf(`/bug/${id}`)} dir="auto">
                {id} {summaries.get(id) ?? ''}
              </a>
              <IconButton name={`Stop ignoring bug ${id}`} icon="x" onClick={() => change(String(id), false)} />
            </li>
          ))}
        </ul>
      )}
      <Adding
        label="Ignore a bug, by its number"
        options={(text) => bugsLike(text)}
        isFree
        onChoice={(bug) => change(bug, true)}
      />
      <p class="hint">No mail is sent about these, not even about requests.</p>
    </section>
  )
}

/** So many summaries are read at once. */
const MOST_TITLES = 100

interface AddingProps {
  label: string
  options: Parameters<typeof Combobox>[0]['options']
  isFree?: boolean
  onChoice(value: string): void
}

function Adding({ label, options, isFree = false, onChoice }: AddingProps) {
  return (
    <Combobox
      label={label}
      placeholder={label}
      value=""
      isForSeveral
      isFree={isFree}
      options={options}
      onChoice={({ value }) => value.trim() !== '' && onChoice(value.trim())}
    />
  )
}
