import { useEffect, useRef, useState } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { useKeys } from '../../../core/keys.ts'
import { currentAddress, query } from '../../../core/router.ts'
import { useData } from '../../../core/server/use-data.ts'
import { Button } from '../../../parts/button.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { Empty, Refused, Skeleton } from '../../../parts/states.tsx'
import { LookPreview } from './look-preview.tsx'
import { isAltered, isRecent, type Parameter, wordsIn } from './parameter.ts'
import { ParameterRow } from './parameter-row.tsx'

type Choice = 'all' | 'changed' | 'recent'

/** Every parameter with what it means. Each is saved by itself. */
export function Parameters() {
  const { body, fault, reload } = useData(addressOf('/admin/parameters'))
  const asked = query.value.get('search') ?? ''
  const [text, setText] = useState(asked)
  useEffect(() => setText(asked), [asked])
  const [choice, setChoice] = useState<Choice>('all')
  const input = useRef<HTMLInputElement>(null)
  useKeys([{ keys: '/', what: 'Search parameters', run: () => input.current?.focus() }])
  if (body === undefined) return fault === undefined ? <Skeleton /> : <Refused fault={fault} retry={reload} />
  const words = wordsIn(text)
  const matching = body.parameters.filter(
    (it) => isMatch(it, words) && (choice === 'all' || (choice === 'changed' ? isAltered(it) : isRecent(it))),
  )
  const counts: readonly [Choice, string, number][] = [
    ['all', 'All', body.parameters.length],
    ['changed', 'Changed', body.parameters.filter(isAltered).length],
    ['recent', 'Changed this month', body.parameters.filter(isRecent).length],
  ]
  return (
    <>
      <p class="muted">
        {body.parameters.length} settings of this installation. Each is saved by itself and can be taken back.
      </p>
      <div class="parameters-bar">
        <span class="input input-large">
          <Icon name="search" />
          <input
            ref={input}
            type="search"
            aria-label="Search parameters"
            placeholder="Search: name, meaning or name in Bugzilla"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <kbd class="only-wide">/</kbd>
        </span>
        <div class="segmented" role="group" aria-label="Which parameters">
          {counts.map(([name, title, count]) => (
            <button key={name} type="button" aria-pressed={choice === name} onClick={() => setChoice(name)}>
              {title} {count}
            </button>
          ))}
        </div>
      </div>
      <p class="visually-hidden" role="status">
        {words.length > 0 && `${matching.length} found`}
      </p>
      {matching.length === 0 && (
        <Empty icon="search" title="No parameter matches">
          <p>Search for a word of its meaning, such as password or mail.</p>
        </Empty>
      )}
      <div class="parameters">
        <Index parameters={matching} />
        <div class="stack">
          {groupsOf(matching).map(([group, members]) => (
            <Group
              key={group}
              {...{ group, members, words, reload }}
              version={body.version}
              isWhole={words.length > 0 || choice !== 'all'}
            />
          ))}
        </div>
      </div>
    </>
  )
}

function isMatch({ name, title, about }: Parameter, words: readonly string[]) {
  const text = `${title} ${name} ${about}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

function groupsOf(parameters: readonly Parameter[]): [group: string, members: Parameter[]][] {
  const groups = new Map<string, Parameter[]>()
  for (const it of parameters) groups.set(it.group, [...(groups.get(it.group) ?? []), it])
  return [...groups]
}

function idOf(group: string) {
  return group.toLowerCase().replaceAll(' ', '-')
}

function Index({ parameters }: { parameters: readonly Parameter[] }) {
  const { hash } = currentAddress.value
  return (
    <nav class="parameters-index only-wide" aria-label="Groups of parameters">
      {groupsOf(parameters).map(([group, members]) => (
        <a key={group} href={`#${idOf(group)}`} aria-current={hash === idOf(group) ? 'true' : undefined}>
          <span class="grow">{group}</span>
          <span class="faint">{members.length}</span>
        </a>
      ))}
    </nav>
  )
}

interface GroupProps {
  group: string
  members: readonly Parameter[]
  words: readonly string[]
  version: number
  /** Nothing is folded, because the reader has chosen what is shown. */
  isWhole: boolean
  reload(): void
}

function Group({ group, members, words, version, isWhole, reload }: GroupProps) {
  const isNamed = currentAddress.value.hash === idOf(group)
  const [isOpen, setOpen] = useState(false)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isNamed) return
    setOpen(true)
    section.current?.scrollIntoView({ block: 'start' })
  }, [isNamed])
  // A row that was just set back to its default stays where it is.
  const shown = members.filter((it) => isWhole || isOpen || isAltered(it) || touched.has(it.name))
  const altered = members.filter(isAltered).length
  const rest = members.length - shown.length
  const open = () => {
    setOpen(true)
    const first = members.find((it) => !shown.includes(it))
    // The button goes away; the first row that it has opened gets the focus.
    requestAnimationFrame(() => section.current?.querySelector<HTMLElement>(`[data-name="${first?.name}"]`)?.focus())
  }
  return (
    <section class="card" id={idOf(group)} aria-label={group} ref={section}>
      <div class="parameters-head">
        <h2>{group}</h2>
        <span class="faint">
          {members.length}
          {altered > 0 && `, ${altered} changed`}
        </span>
      </div>
      {group === 'Look' && <LookPreview parameters={members} />}
      <ul>
        {shown.map((parameter) => (
          <ParameterRow
            key={parameter.name}
            {...{ parameter, words, version }}
            onSaved={() => {
              setTouched((last) => new Set(last).add(parameter.name))
              reload()
            }}
          />
        ))}
      </ul>
      {rest > 0 && (
        <div class="parameters-more">
          <Button kind="quiet" size="small" icon="down" onClick={open}>
            {shown.length > 0 ? `${rest} more, all at their default` : `Show ${rest}, all at their default`}
          </Button>
        </div>
      )}
    </section>
  )
}
