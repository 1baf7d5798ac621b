import { useRef } from 'preact/hooks'
import { useKeys } from '../core/keys.ts'
import { bugAddress, go, query, view } from '../core/router.ts'
import { Icon } from '../parts/icon.tsx'

/** Searches for what is typed; a number leads to that bug. */
export function SearchField() {
  const input = useRef<HTMLInputElement>(null)
  useKeys([{ keys: '/', what: 'Search', run: () => input.current?.focus() }])
  const shown = view.value.name === 'list' ? (query.value.get('quicksearch') ?? '') : ''
  const search = (text: string) => {
    const wanted = text.trim()
    if (wanted === '') return
    if (/^#?\d+$/.test(wanted)) go(bugAddress(wanted.replace('#', '')))
    else go(`/bugs?quicksearch=${encodeURIComponent(wanted)}`)
    input.current?.blur()
  }
  return (
    <search class="qs">
      <form
        class="input"
        onSubmit={(event) => {
          event.preventDefault()
          search(input.current?.value ?? '')
        }}
      >
        <Icon name="search" />
        <input
          ref={input}
          key={shown}
          defaultValue={shown}
          aria-label="Search bugs"
          placeholder="Search, or a bug’s number"
          autocomplete="off"
          enterkeyhint="search"
        />
        <kbd class="only-wide">/</kbd>
      </form>
    </search>
  )
}
