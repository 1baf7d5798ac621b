import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type FieldList, useFields } from '../core/bugs/fields.ts'
import { bugsFor, bugsSeenFor, completionsOf, peopleFor, type Suggestion, wordAt } from './completion.ts'

/** What completes the line, at once, then people and the first bugs. */
export function useSuggestions(text: string, caret: number, isOpen: boolean): readonly Suggestion[] {
  const fields = useSearchFields(isOpen)
  const word = wordAt(text, caret)
  const isWanted = isOpen && text.trim() !== ''
  const people = useFound(isWanted, [text, fields], (abort) => peopleFor(word, fields, abort))
  const bugs = useFound(isWanted, [text], (abort) => bugsFor(text, abort))
  if (!isOpen) return []
  // The previous bugs stay until the new ones have arrived, so that the list does not flicker.
  const found = bugsSeenFor(text) ?? bugs.found
  return [...completionsOf(word, fields), ...(people.isCurrent ? people.found : []), ...found]
}

/** Who types faster than the server answers waits for so short a pause; the first key is searched for at once. */
const PAUSE_MILLISECONDS = 50

interface Found {
  found: readonly Suggestion[]
  /** Whether it was found for these keys. */
  isCurrent: boolean
}

/** The result of the newest search, which is made again when a key changes. Answers that come later than that are dropped. */
function useFound(
  isWanted: boolean,
  keys: readonly unknown[],
  search: (abort: AbortSignal) => Promise<readonly Suggestion[]>,
): Found {
  const [last, setLast] = useState<{ keys: readonly unknown[]; found: readonly Suggestion[] }>({ keys: [], found: [] })
  const isSearching = useRef(false)
  // Not useEffect, which would wait for the next picture.
  useLayoutEffect(() => {
    if (!isWanted) {
      isSearching.current = false
      return
    }
    const abort = new AbortController()
    const run = async () => {
      isSearching.current = true
      const found = await search(abort.signal).catch(() => [])
      if (abort.signal.aborted) return
      isSearching.current = false
      setLast({ keys, found })
    }
    const timer = isSearching.current ? setTimeout(run, PAUSE_MILLISECONDS) : void run()
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [isWanted, ...keys])
  return { found: last.found, isCurrent: keys.every((key, place) => key === last.keys[place]) }
}

/** The fields are loaded when one begins to search. */
function useSearchFields(isWanted: boolean): FieldList {
  const [wasWanted, setWanted] = useState(false)
  if (isWanted && !wasWanted) setWanted(true)
  return useFields(wasWanted)
}
