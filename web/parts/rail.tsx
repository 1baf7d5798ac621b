import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { hrefOf } from '../core/router.ts'
import { Icon } from './icon.tsx'
import { RailSearch } from './rail-search.tsx'

export interface RailEntry {
  address: string
  title: string
  icon: string
  /** The heading above it. Entries of one group stand next to each other. */
  group?: string
  /** Other words by which it is found. */
  words?: string
}

interface Props {
  /** What the pages of the rail belong to, such as Settings. */
  name: string
  entries: readonly RailEntry[]
  current: RailEntry
  /** The object that the page is about, such as a product: the entry of the rail is then the list of them. */
  item?: string | undefined
  /** Wide pages use the whole window; forms keep their lines short. */
  isWide?: boolean
  /** With it, a field above the rail finds its pages, and what else this returns for the text. */
  search?: { label: string; more(text: string): RailEntry[] }
  children: ComponentChildren
}

/** A page of several: the rail at the left leads to the others. It is outside of main, so that the focus goes to the heading. */
export function RailPage({ name, entries, current, item, isWide = false, search, children }: Props) {
  return (
    <div class={entries.length > 0 ? 'rail-page' : undefined}>
      {entries.length > 0 && <Rail {...{ name, entries, current, search }} />}
      <main id="main" class={`page stack-large ${isWide ? 'page-wide' : 'page-form'}`}>
        <div>
          <p class="breadcrumbs">
            {name}
            <Icon name="right" />
            {item === undefined ? (
              <span>{current.title}</span>
            ) : (
              <>
                <a href={hrefOf(current.address)}>{current.title}</a>
                <Icon name="right" />
                <span dir="auto">{item}</span>
              </>
            )}
          </p>
          <h1 dir="auto">{item ?? current.title}</h1>
        </div>
        {children}
      </main>
    </div>
  )
}

function Rail({ name, entries, current, search }: Pick<Props, 'name' | 'entries' | 'current' | 'search'>) {
  const [text, setText] = useState('')
  const shown =
    text === ''
      ? entries
      : [...entries.filter(({ title, words = '' }) => has(`${title} ${words}`, text)), ...(search?.more(text) ?? [])]
  const rail = useRef<HTMLElement>(null)
  // On a phone the rail is a row that scrolls: the current entry is in sight.
  useLayoutEffect(() => {
    const link = rail.current?.querySelector<HTMLElement>('[aria-current]')
    if (rail.current && link)
      rail.current.scrollLeft = link.offsetLeft - (rail.current.clientWidth - link.offsetWidth) / 2
  }, [current.address])
  return (
    <nav class="rail" aria-label={name} ref={rail}>
      {search && <RailSearch label={search.label} text={text} found={shown} onText={setText} />}
      {groupsOf(shown).map(([group, members]) => (
        <div key={group} class="rail-group">
          {group !== '' && <div class="menu-heading">{group}</div>}
          <ul aria-label={group === '' ? undefined : group}>
            {members.map(({ address, title, icon }) => (
              <li key={address}>
                <a href={hrefOf(address)} aria-current={address === current.address ? 'page' : undefined}>
                  <Icon name={icon} />
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

function has(title: string, text: string) {
  return title.toLowerCase().includes(text.trim().toLowerCase())
}

function groupsOf(entries: readonly RailEntry[]): [group: string, members: RailEntry[]][] {
  const groups = new Map<string, RailEntry[]>()
  for (const entry of entries) {
    const group = entry.group ?? ''
    groups.set(group, [...(groups.get(group) ?? []), entry])
  }
  return [...groups]
}
