import { useRef } from 'preact/hooks'
import { useKeys } from '../../../core/keys.ts'
import { Icon } from '../../../parts/icon.tsx'

interface Props {
  /** Such as “Find a product”. */
  label: string
  text: string
  onText(text: string): void
  /** How many match; undefined if the list says it itself. */
  found?: number
}

/** The text field above a list of the administration; the key / leads to it. */
export function FindBox({ label, text, onText, found }: Props) {
  const input = useRef<HTMLInputElement>(null)
  useKeys([{ keys: '/', what: label, run: () => input.current?.focus() }])
  return (
    <div class="find-box">
      <span class="input">
        <Icon name="search" />
        <input
          ref={input}
          type="search"
          aria-label={label}
          placeholder={label}
          value={text}
          onInput={(event) => onText(event.currentTarget.value)}
        />
        <kbd class="only-wide">/</kbd>
      </span>
      <span class="visually-hidden" role="status">
        {text.trim() !== '' && found !== undefined && `${found} found`}
      </span>
    </div>
  )
}
