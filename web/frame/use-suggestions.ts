import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type FieldList, useFields } from '../core/bugs/fields.ts'
import { useScript } from '../parts/late.tsx'
import type { Suggestion } from './completion.ts'

type Completion = typeof import('./completion.ts')

/** The script that completes is loaded when the field has the focus for the first time. */
export function useCompletion(isWanted: boolean): Completion | undefined {
  const [completion, setCompletion] = useState<Completion>()
  useScript(async () => isWanted && setCompletion(await import('./completion.ts')), String(isWanted))
  return completion
}

/** What completes the line, at once, then people and the first bugs. */
export function useSuggestions(
  completion: Completion | undefined,
  text: string,
  caret: number,
  isOpen: boolean,
): readonly Suggestion[] {
  const fields = useSearchFields(isOpen)
  const word = completion?.wordAt(text, caret)
  const isWanted = isOpen && text.trim() !== '' && completion !== undefined
  const people = useFound(
    isWanted,
    [text, fields],
    async (abort) => (word && (await completion?.peopleFor(word, fields, abort))) ?? [],
  )
  const bugs = useFound(isWanted, [text], async (abort) => (await completion?.bugsFor(text, abort)) ?? [])
  if (!isOpen || completion === undefined || word === undefined) return []
  const { bugsSeenFor, completionsOf } = completion
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
