import { managesAccounts, me } from '../core/account/session.ts'
import { parametersOf, type SavedSearch } from '../core/bugs/saved-searches.ts'
import { currentShortcuts } from '../core/keys.ts'
import { bugAddress, go } from '../core/router.ts'
import { get } from '../core/server/rest.ts'
import { SAVED_CALL } from '../first-calls.ts'
import { Combobox, matchingOptions, type Option } from '../parts/combobox.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { displayValue } from '../parts/glyphs.tsx'
import { peopleLike } from '../parts/options.ts'
import { bugsFor } from './completion.ts'

const PLACES: readonly Option[] = [
  { value: '/', name: 'Home' },
  { value: '/bugs?status=__open__', name: 'Open bugs' },
  { value: '/bugs?quicksearch=ALL', name: 'All bugs' },
  { value: '/bugs?view=search', name: 'Advanced search' },
  { value: '/file', name: 'File a bug' },
  { value: '/requests', name: 'Requests' },
  { value: '/products', name: 'Products' },
  { value: '/settings', name: 'Settings' },
  { value: '/settings/keys', name: 'API keys' },
  { value: '/settings/searches', name: 'Saved searches' },
  { value: '/help', name: 'Help' },
]

const SHORTEST_SEARCH = 2
const MOST_HERE = 8

/** Finds everything by name: actions, pages, searches and bugs. `>` finds only actions, `#` only bugs, `@` only people. */
export function Palette({ onClose }: { onClose(): void }) {
  const choose = ({ value }: Option) => {
    onClose()
    const shortcut = currentShortcuts().find(({ keys }) => `key ${keys}` === value)
    if (shortcut === undefined) go(value)
    // Once the palette is closed: before that, nothing else can have the focus.
    else setTimeout(() => shortcut.run(new KeyboardEvent('keydown')))
  }
  return (
    <Dialog title="Go to, or do" onClose={onClose} isQuick>
      <div
        onKeyDownCapture={(event) => {
          // One Escape closes it, because there is no earlier text to restore.
          if (event.key !== 'Escape') return
          event.preventDefault()
          event.stopPropagation()
          onClose()
        }}
      >
        <Combobox label="Go to, or do" value="" options={optionsFor} onChoice={choose} hasFocus />
      </div>
      <p class="faint small only-wide">
        <kbd>&gt;</kbd> what can be done here, <kbd>#</kbd> bugs, <kbd>@</kbd> people
      </p>
    </Dialog>
  )
}

async function optionsFor(text: string): Promise<readonly Option[]> {
  const rest = text.slice(1)
  if (text.startsWith('>')) return matchingOptions(deeds(), rest)
  if (text.startsWith('#')) return bugOptions(rest)
  if (text.startsWith('@')) return personOptions(rest)
  const places = managesAccounts.value ? [...PLACES, { value: '/admin', name: 'Administration' }] : PLACES
  const here = matchingOptions([...deeds(), ...places, ...(await searchOptions())], text).slice(0, MOST_HERE)
  if (text.trim().length < SHORTEST_SEARCH) return here
  const search = { value: `/bugs?${new URLSearchParams({ quicksearch: text })}`, name: `Search for ${text}` }
  return [...here, ...(await bugOptions(text)), search]
}

function deeds(): Option[] {
  return currentShortcuts()
    .filter(({ keys }) => keys !== 'Ctrl+k')
    .map(({ keys, what }) => ({ value: `key ${keys}`, name: what, note: keys }))
}

async function bugOptions(text: string): Promise<Option[]> {
  if (text.trim().length < SHORTEST_SEARCH) return []
  const found = await bugsFor(text, new AbortController().signal).catch(() => [])
  return found.flatMap((suggestion) =>
    suggestion.kind === 'bug'
      ? [
          {
            value: bugAddress(suggestion.bug.id),
            name: `${suggestion.bug.id} ${suggestion.name}`,
            note: displayValue(suggestion.bug.status),
          },
        ]
      : [],
  )
}

async function personOptions(text: string): Promise<Option[]> {
  const people = await peopleLike(text).catch(() => [])
  return people.map((person) => ({ ...person, value: `/user/${encodeURIComponent(person.value)}` }))
}

let saved: Promise<Option[]> | undefined

/** Read once while the palette is used. */
function searchOptions(): Promise<Option[]> {
  if (me.value === undefined) return Promise.resolve([])
  saved ??= get<{ saved_searches: SavedSearch[] }>(SAVED_CALL).then(
    ({ saved_searches: all }) =>
      all.map((search) => ({ value: `/bugs?${parametersOf(search)}`, name: search.name, note: 'saved search' })),
    () => {
      saved = undefined
      return []
    },
  )
  return saved
}
