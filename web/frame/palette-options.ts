// What the palette finds. Loaded when it is first opened: until then what is typed waits in its field.
import { keyNames } from '../core/key-names.ts'
import { currentCommands, currentShortcuts } from '../core/keys.ts'
import { bugAddress } from '../core/router.ts'
import { matchingOptions, noteOf, type Option } from '../parts/combobox.tsx'
import { displayValue } from '../parts/glyphs.tsx'
import { peopleLike } from '../parts/options.ts'
import { bugsFor, type Suggestion } from './completion.ts'
import { fixedPlaces, readPlaces } from './palette-places.ts'

const SHORTEST_SEARCH = 2
const SHORTEST_NAME = 3
const MOST_HERE = 12
const MOST_PEOPLE = 5

/** For one opening of the palette: places are read when one begins to type, and again when it is opened again. */
export function paletteOptions(): (text: string) => Promise<readonly Option[]> {
  let read: Promise<readonly Option[]> | undefined
  return (text) => {
    if (text !== '') read ??= readPlaces()
    return optionsAmong(text, read)
  }
}

async function optionsAmong(text: string, read: Promise<readonly Option[]> | undefined): Promise<readonly Option[]> {
  const rest = text.slice(1)
  if (text.startsWith('>')) return matchingOptions(commandOptions(), rest)
  if (text.startsWith('#')) return foundBugs(rest)
  if (text.startsWith('@')) return personOptions(rest)
  const found = matchingOptions([...commandOptions(), ...fixedPlaces(), ...((await read) ?? [])], text)
  const here = found.slice(0, MOST_HERE)
  if (text.trim().length < SHORTEST_SEARCH) return text === '' ? found : here
  const [people, bugs] = await Promise.all([
    text.trim().length < SHORTEST_NAME ? [] : personOptions(text),
    foundBugs(text),
  ])
  const notes = people.length > MOST_PEOPLE ? [noteOf('There are more people. Begin with @ to see them.')] : []
  // What does not fit stands after all the rest.
  return [...here, ...people.slice(0, MOST_PEOPLE), ...bugs, ...found.slice(MOST_HERE), ...notes]
}

/** Everything that can be done here, with a key and by menus: first what belongs to this page. */
function commandOptions(): Option[] {
  const shortcuts = currentShortcuts().filter(({ keys }) => keys !== 'Ctrl+k')
  const [everywhere, here] = [new Map<string, Option>(), new Map<string, Option>()]
  for (const { keys, what, isEverywhere } of shortcuts.toReversed())
    (isEverywhere ? everywhere : here).set(what, { value: `key ${keys}`, name: what, note: keyNames(keys).join(' ') })
  for (const { name, refused, isEverywhere } of currentCommands())
    if (!here.has(name))
      (isEverywhere ? everywhere : here).set(name, {
        value: `do ${name}`,
        name,
        ...(refused !== undefined && { refused }),
      })
  return [...here.values(), ...everywhere.values()]
}

/** The first bugs, then the list of all of them. */
async function foundBugs(text: string): Promise<Option[]> {
  if (text.trim().length < SHORTEST_SEARCH) return []
  const found = await bugsFor(text, new AbortController().signal).catch(() => [])
  const isCut = found.some(({ more }) => more !== undefined)
  const bugs = found.flatMap(bugOption)
  const search = {
    value: `/bugs?${new URLSearchParams({ quicksearch: text })}`,
    name: `Search for ${text}`,
    ...(isCut && { note: `more than ${bugs.length} bugs` }),
  }
  return [...bugs, search]
}

function bugOption(suggestion: Suggestion): Option[] {
  if (suggestion.kind !== 'bug') return []
  const { id, status } = suggestion.bug
  return [{ value: bugAddress(id), name: `${id} ${suggestion.name}`, note: displayValue(status) }]
}

async function personOptions(text: string): Promise<Option[]> {
  const people = await peopleLike(text).catch(() => [])
  return people.map((person) => ({ ...person, value: `/user/${encodeURIComponent(person.value)}` }))
}
