import { go } from '../core/router.ts'
import { Icon } from './icon.tsx'

interface Props {
  label: string
  text: string
  /** What the text finds. Enter opens the first. */
  found: readonly { address: string }[]
  onText(text: string): void
}

/** The field above a rail that finds its pages by name. */
export function RailSearch({ label, text, found, onText }: Props) {
  const open = (event: Event) => {
    event.preventDefault()
    const [first] = found
    if (first === undefined || text === '') return
    onText('')
    go(first.address)
  }
  return (
    <form class="rail-search" role="search" onSubmit={open}>
      <span class="input">
        <Icon name="search" />
        <input
          type="search"
          aria-label={label}
          placeholder={label}
          value={text}
          onInput={(event) => onText(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Escape' && onText('')}
        />
      </span>
    </form>
  )
}
