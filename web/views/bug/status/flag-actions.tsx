import { useEffect, useRef, useState } from 'preact/hooks'
import { me } from '../../../core/account/session.ts'
import { type FlagHolder, putOnHolder } from '../../../core/bugs/flag-holder.ts'
import { canAnswer, type FlagType, type FlagTypes, readFlagTypes } from '../../../core/bugs/flag-types.ts'
import { personBy } from '../../../core/bugs/people.ts'
import { useCommands } from '../../../core/keys.ts'
import type { Bug, Flag } from '../../../core/server/types.ts'
import { showResult } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Combobox, matchingOptions, type Option } from '../../../parts/combobox.tsx'
import { useFocusBack } from '../../../parts/focus-back.ts'
import { Icon } from '../../../parts/icon.tsx'
import { nameOf } from '../../../parts/person.tsx'
import { Time } from '../../../parts/time.tsx'
import type { BugStore } from '../bug-store.ts'
import { answerInComposer } from '../composer/composed.ts'
import { Group } from '../group.tsx'
import { peopleLike } from '../properties/people-options.ts'
import { useBug, useBugStore } from '../use-bug.ts'
import { FlagChip } from './flags.tsx'
import { QuestionActions } from './late-question.ts'
import { useAway } from './use-away.ts'

type FlagTarget = keyof FlagTypes

/** Undefined until they are read. */
export function useFlagTypes(isWanted: boolean, target: FlagTarget): readonly FlagType[] | undefined {
  const { product, component } = useBug()
  const [types, setTypes] = useState<readonly FlagType[]>()
  useEffect(() => {
    if (!isWanted) return
    readFlagTypes(product, component).then(
      (found) => setTypes(found[target]),
      () => undefined,
    )
  }, [isWanted, product, component, target])
  return types
}

function setFlag(store: BugStore, holder: FlagHolder, flag: object, words: string) {
  const change = async () => {
    await putOnHolder(holder, { flags: [flag] })
    await store.reload()
  }
  return showResult(change, words)
}

/** The requests on the bug, and the answers to them. */
export function Requests() {
  const store = useBugStore()
  const bug = useBug()
  const flags = bug.flags ?? []
  const mayAsk = store.may('flags')
  // Members have it also before their rights are known, so that nothing moves then.
  const isMember = me.value !== undefined && store.asOf.value === undefined
  const away = useAway(isMember ? flags : [])
  if (flags.length === 0 && !isMember) return null
  const open = flags.filter(({ status }) => status === '?').length
  const holder = { bug: bug.id }
  return (
    <Group title="Requests" count={open > 0 && <span class="count">{open}</span>}>
      <ul class="flags">
        {flags.map((flag) => (
          <FlagActions
            key={flag.id}
            flag={flag}
            target="bug"
            holder={holder}
            mayChange={mayAsk}
            away={away?.get(flag.requestee ?? '')}
          />
        ))}
      </ul>
      {mayAsk ? (
        <AskForFlag target="bug" holder={holder} />
      ) : (
        isMember && (
          <p class="property-group-none faint small">{flags.length === 0 && store.isAccessKnown.value && 'None'}</p>
        )
      )}
    </Group>
  )
}

interface FlagProps {
  flag: Flag
  holder: FlagHolder
  target: FlagTarget
  /** Whether the reader may change what the flag is on. Setters and requestees may change their own flags without that. */
  mayChange: boolean
  /** Until when the requestee is away, in words. */
  away?: string | undefined
}

export function FlagActions({ flag, holder, target, mayChange, away }: FlagProps) {
  const store = useBugStore()
  const mine = me.value !== undefined && [flag.setter, flag.requestee].includes(me.value.name)
  const may = store.may('flags') && (mayChange || mine)
  const type = useFlagTypes(may, target)?.find(({ id }) => id === flag.type_id)
  const change = (status: string, words: string) => setFlag(store, holder, { id: flag.id, status }, words)
  const mayAnswer = may && flag.status === '?' && type !== undefined && canAnswer(type)
  return (
    <li>
      <FlagChip flag={flag} />
      <span class="faint small">
        by {nameOf(personBy(flag.setter)).split(' ')[0]}, <Time at={flag.modification_date} />
      </span>
      {away !== undefined && <span class="small">away {away}</span>}
      {may && (
        <span class="align-end row flag-actions">
          {mayAnswer && type.is_question && (
            <QuestionActions
              bug={store.id}
              holder={holder}
              flag={flag}
              isOnAttachment={target === 'attachment'}
              onDone={() => void store.reload()}
              {...(target === 'bug' && { onAnswer: () => answerInComposer(flag) })}
            />
          )}
          {mayAnswer && !type.is_question && (
            <>
              <Button size="small" onClick={() => change('+', `${flag.name} is granted.`)}>
                Grant
              </Button>
              <Button size="small" onClick={() => change('-', `${flag.name} is denied.`)}>
                Deny
              </Button>
            </>
          )}
          {(mine || mayAnswer || flag.status !== '?') && (
            <button
              type="button"
              class="icon-button icon-button-small"
              aria-label={`Clear ${flag.name}`}
              title={`Clear ${flag.name}`}
              onClick={() => change('X', `${flag.name} is cleared.`)}
            >
              <Icon name="x" />
            </button>
          )}
        </span>
      )}
    </li>
  )
}

/** First the flag type, then the requestee. */
export function AskForFlag({ holder, target }: { holder: FlagHolder; target: FlagTarget }) {
  const store = useBugStore()
  const [isOpen, setOpen] = useState(false)
  const button = useFocusBack(isOpen)
  useCommands(target === 'bug' && !isOpen ? [{ name: 'Ask for something', run: () => setOpen(true) }] : [])
  if (!isOpen)
    return (
      <button
        ref={button}
        type="button"
        class="button button-quiet button-small property-group-add"
        onClick={() => setOpen(true)}
      >
        <Icon name="plus" />
        Ask for something
      </button>
    )
  return (
    <FlagForm
      target={target}
      onDone={(flag) => {
        setOpen(false)
        if (flag !== undefined) void setFlag(store, holder, { ...flag, new: true }, `${flag.name} is asked for.`)
      }}
    />
  )
}

interface NewFlag {
  name: string
  type_id: number
  status: string
  requestee?: string
}

/** The people with a role in the bug, under the names of the roles. */
function rolesOf({ creator, assigned_to, qa_contact }: Bug): Option[] {
  const roles = [
    { name: 'Reporter', value: creator },
    { name: 'Assignee', value: assigned_to },
    { name: 'QA contact', value: qa_contact ?? '' },
  ]
  return roles
    .filter(({ value }) => value !== '')
    .map(({ name, value }) => ({ name, value, note: nameOf(personBy(value)) }))
}

const NOT_YET = new Promise<never>(() => {})

function asOption({ id, name, description }: FlagType): Option {
  return { value: String(id), name, note: description }
}

export function FlagForm({ target, onDone }: { target: FlagTarget; onDone(flag: NewFlag | undefined): void }) {
  const store = useBugStore()
  const bug = useBug()
  const types = useFlagTypes(true, target)
  const [type, setType] = useState<FlagType>()
  // A choice unmounts the first field, which may look like leaving it.
  const isChosen = useRef(false)
  const usable = types?.filter(({ is_active, values }) => is_active && values.includes('?'))
  const flag = (chosen: FlagType): NewFlag => ({ name: chosen.name, type_id: chosen.id, status: '?' })
  if (type === undefined)
    return (
      <Combobox
        key="type"
        label="What to ask for"
        value=""
        placeholder="What to ask for"
        // It takes what is typed before the types are read.
        options={(text) => (usable === undefined ? NOT_YET : matchingOptions(usable.map(asOption), text))}
        source={usable === undefined}
        onChoice={({ value }) => {
          const chosen = usable?.find(({ id }) => String(id) === value)
          isChosen.current = true
          if (chosen?.is_requesteeble) setType(chosen)
          else onDone(chosen && flag(chosen))
        }}
        onCancel={() => !isChosen.current && onDone(undefined)}
        hasFocus
      />
    )
  return (
    <Combobox
      key="requestee"
      label={`Of whom to ask ${type.name}`}
      value=""
      placeholder="Of whom"
      options={async (text) => [
        ...(text === '' ? [{ value: '', name: 'Anybody' }, ...rolesOf(bug)] : matchingOptions(rolesOf(bug), text)),
        ...(await peopleLike(store, text)),
      ]}
      onChoice={({ value }) => onDone({ ...flag(type), ...(value !== '' && { requestee: value }) })}
      onCancel={() => onDone(undefined)}
      hasFocus
    />
  )
}
