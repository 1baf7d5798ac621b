import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useKeys } from '../core/keys.ts'
import { bugAddress, go, hrefOf, query, view } from '../core/router.ts'
import { returnFocus } from '../parts/focus-back.ts'
import { Icon } from '../parts/icon.tsx'
import { late } from '../parts/late.tsx'
import type { Suggestion } from './completion.ts'
import { useCompletion, useSuggestions } from './use-suggestions.ts'

const SuggestionList = late(async () => (await import('./suggestion-list.tsx')).SuggestionList)

/** Searches for what is typed, and completes it; a number leads to that bug. */
export function SearchField() {
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const shown = view.value.name === 'list' ? (query.value.get('quicksearch') ?? '') : ''
  const [text, setText] = useState(shown)
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const [hasFocused, setFocused] = useState(false)
  const completion = useCompletion(hasFocused)
  const suggestions = useSuggestions(completion, text, input.current?.selectionStart ?? text.length, isOpen)
  const before = useRef<Element | null>(null)
  const focus = () => {
    before.current = document.activeElement
    input.current?.focus()
    input.current?.select()
  }
  useKeys([{ keys: '/', what: 'Search', isEverywhere: true, run: focus }])
  useEffect(() => setText(shown), [shown])

  const leave = () => {
    setOpen(false)
    input.current?.blur()
    returnFocus(before.current)
  }
  const search = (line: string) => {
    const wanted = line.trim()
    if (wanted === '') return
    leave()
    if (/^#?\d+$/.test(wanted)) go(bugAddress(wanted.replace('#', '')))
    else go(`/bugs?quicksearch=${encodeURIComponent(wanted)}`)
  }
  const take = (suggestion: Suggestion) => {
    if (suggestion.kind === 'bug') {
      leave()
      return go(bugAddress(suggestion.bug.id))
    }
    const field = input.current
    if (field === null || completion === undefined) return
    const { value, selectionStart } = field
    const caret = selectionStart ?? value.length
    const before = value.slice(0, completion.wordAt(value, caret).start) + suggestion.text
    const line = before + value.slice(caret).trimStart()
    // Set directly, not with the next frame, because the reader goes on typing.
    field.value = line
    field.focus()
    field.setSelectionRange(before.length, before.length)
    setText(line)
    setActive(-1)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const first = suggestions.findIndex(({ kind }) => kind !== 'bug')
    const chosen = suggestions[active]
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : -1
      // One more than the number of suggestions: the line itself can be chosen too.
      const places = suggestions.length + 1
      setOpen(true)
      setActive(((active + 1 + step + places) % places) - 1)
    } else if (event.key === 'Tab' && !event.shiftKey && isOpen && first >= 0)
      take(chosen ?? (suggestions[first] as Suggestion))
    else if (event.key === 'Enter') chosen === undefined ? search(input.current?.value ?? text) : take(chosen)
    else if (event.key === 'Escape') {
      setText(shown)
      leave()
    } else return
    event.preventDefault()
  }
  return (
    <search class="search-field">
      <div class={isOpen ? 'input is-focus' : 'input'}>
        <Icon name="search" />
        <input
          ref={input}
          role="combobox"
          aria-label="Search bugs"
          aria-expanded={isOpen && suggestions.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={active < 0 ? undefined : `${id}-${active}`}
          placeholder="Search, or a bug’s number"
          autocomplete="off"
          spellcheck={false}
          enterkeyhint="search"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setActive(-1)
            setOpen(true)
          }}
          onClick={() => setOpen(true)}
          onFocus={() => setFocused(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={onKeyDown}
        />
        <kbd class="only-wide">/</kbd>
      </div>
      {isOpen && text.trim() !== '' && (
        <div class="popup" onMouseDown={(event) => event.preventDefault()}>
          <SuggestionList id={id} suggestions={suggestions} active={active} onTake={take} />
          <div class="menu-foot only-wide">
            <span>
              <kbd>↑</kbd> <kbd>↓</kbd> choose
            </span>
            <span>
              <kbd>Tab</kbd> complete
            </span>
            <span>
              <kbd>Enter</kbd> search
            </span>
            <a class="align-end link" href={hrefOf('/bugs?view=search')} onClick={() => setOpen(false)}>
              Advanced search
            </a>
          </div>
        </div>
      )}
    </search>
  )
}
