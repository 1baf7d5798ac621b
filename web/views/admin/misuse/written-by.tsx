import { useRef, useState } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { bugAddress, goWith, hrefOf } from '../../../core/router.ts'
import { post } from '../../../core/server/rest.ts'
import { useData } from '../../../core/server/use-data.ts'
import { showFault, showToast } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { Empty, Refused, Skeleton } from '../../../parts/states.tsx'
import { Time } from '../../../parts/time.tsx'
import { nameIn } from '../people/account.ts'
import { PersonHead } from '../people/person-head.tsx'
import {
  type Counts,
  countsIn,
  inWords,
  isCut,
  itemsIn,
  LONGEST_TEXT,
  MOST_OF_A_KIND,
  restoredInWords,
  type WrittenItem,
} from './activity.ts'
import { HiddenSteps } from './hidden-steps.tsx'
import { HideDialog } from './hide-dialog.tsx'

const SHOWN = 100

interface Props {
  /** Id or login name. */
  who: string
  days: number
  onChange(): void
}

/** What one person wrote, with a way to hide it and to undo that. */
export function WrittenBy({ who, days, onChange }: Props) {
  const people = useData(addressOf('/admin/people', { text: who, limit: 200 }))
  const account = people.body?.people.find((it) => String(it.id) === who || it.name === who)
  const id = account?.id
  const written = useData(
    id === undefined ? undefined : addressOf('/user/:ref/activity', { ref: id, days, text_length: LONGEST_TEXT + 1 }),
  )
  const [isHiding, setHiding] = useState(false)
  const reload = () => {
    people.reload()
    written.reload()
    onChange()
  }
  const restore = async (step: Counts & { id: number }, enable: boolean) => {
    if (id === undefined) return
    try {
      const restored = await post('/user/:ref/activity/restore', { ref: id, id: step.id, enable })
      showToast({
        kind: 'done',
        text: restoredInWords(step, restored) + (restored.is_enabled ? ' They can log in again.' : ''),
      })
    } catch (reason) {
      showFault(reason)
    }
    reload()
  }
  const fault = people.fault ?? written.fault
  if (people.body !== undefined && account === undefined) return <NoAccount who={who} />
  if (account === undefined || written.body === undefined)
    return fault === undefined ? <Skeleton /> : <Refused fault={fault} retry={reload} />
  const counts = countsIn(written.body)
  return (
    <section class="stack-large" aria-label={nameIn(account)}>
      <div class="card person-panel">
        <div class="person-part">
          <PersonHead account={account} takesFocus onClose={close} />
        </div>
        <div class="person-part">
          <Summary {...{ counts, days }} items={itemsIn(written.body)} />
          <div class="row wrap">
            <Button kind="danger" onClick={() => setHiding(true)}>
              Hide what they wrote…
            </Button>
            <a class="button" href={hrefOf(`/admin/people?who=${id}`)}>
              Groups, sessions, keys
            </a>
          </div>
        </div>
      </div>
      <HiddenSteps
        steps={written.body.hidden}
        canLogIn={account.can_login}
        onRestore={(step) => restore(step, false)}
      />
      <Items key={days} items={itemsIn(written.body)} days={days} />
      {isHiding && (
        <HideDialog
          {...{ account, days }}
          onClose={() => setHiding(false)}
          onHidden={(step, isDisabled) => {
            showToast({
              kind: 'done',
              text: hiddenInWords(step, isDisabled),
              action: { name: 'Undo', run: () => void restore(step, isDisabled) },
            })
            reload()
          }}
        />
      )}
    </section>
  )
}

/** The address may be old: the account may have another name since. */
function NoAccount({ who }: { who: string }) {
  return (
    <Empty icon="search" title="There is no such account">
      <p class="break-anywhere">
        Nobody has the number or the login name <bdi>{who}</bdi>. Search for another name.
      </p>
    </Empty>
  )
}

function hiddenInWords(step: Counts, isDisabled: boolean) {
  const more = isCut(step) ? ' There may be more: hide again.' : ''
  return `Hidden: ${inWords(step)}.${isDisabled ? ' The account is disabled.' : ''}${more}`
}

function close() {
  goWith({ who: undefined })
  document.getElementById('find-person')?.focus()
}

function Summary({ counts, days, items }: { counts: Counts; days: number; items: readonly WrittenItem[] }) {
  const hidden = items.filter((it) => it.hidden !== undefined).length
  return (
    <p role="status">
      In the last {days === 1 ? 'day' : `${days} days`}: <b>{inWords(counts)}</b>. Each bug and each attachment has a
      comment.{hidden > 0 && ` Of the ${items.length.toLocaleString()} below, ${hidden.toLocaleString()} are hidden.`}
      {isCut(counts) &&
        ` Only the oldest ${MOST_OF_A_KIND.toLocaleString()} of each kind are shown, and hidden in one step.`}
    </p>
  )
}

function Items({ items, days }: { items: readonly WrittenItem[]; days: number }) {
  const [shown, setShown] = useState(SHOWN)
  const list = useRef<HTMLUListElement>(null)
  if (items.length === 0)
    return (
      <Empty icon="comment" title="They wrote nothing">
        <p>{days < 365 ? 'Look further back, if they are known for longer.' : 'Not in the last year.'}</p>
      </Empty>
    )
  const showMore = () => {
    setShown(shown + SHOWN)
    requestAnimationFrame(() => list.current?.children[shown]?.querySelector('a')?.focus())
  }
  return (
    <section class="stack" aria-label="What they wrote">
      <h3>What they wrote, the newest first</h3>
      <ul class="card rows" ref={list}>
        {items.slice(0, shown).map((item) => (
          <Item key={item.key} item={item} />
        ))}
      </ul>
      {items.length > shown && (
        <div>
          <Button icon="down" onClick={showMore}>
            Show more, of {items.length.toLocaleString()}
          </Button>
        </div>
      )}
    </section>
  )
}

function Item({ item: { icon, words, bug, part, at, text, hidden } }: { item: WrittenItem }) {
  return (
    <li class="misuse-item">
      <div class="row">
        <Icon name={icon} size="small" />
        <span>
          {words}{' '}
          <a class="link" href={hrefOf(`${bugAddress(bug)}${part}`)}>
            bug {bug}
          </a>
        </span>
        {hidden !== undefined && <span class="badge">{hidden}</span>}
        <span class="faint align-end">
          <Time at={at} />
        </span>
      </div>
      <p class="misuse-text" dir="auto">
        {cut(text)}
      </p>
    </li>
  )
}

/** By characters as readers see them, not in the middle of one. */
function cut(text: string) {
  const characters = [...text]
  return characters.length <= LONGEST_TEXT ? text : `${characters.slice(0, LONGEST_TEXT).join('')}…`
}
