import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

export interface MenuItem {
  name: string
  icon?: string
  /** The key that does the same, or a note. */
  note?: string
  /** Why it cannot be done now. */
  refused?: string | undefined
  isDangerous?: boolean
  run(): void
}

interface Props {
  /** What the button says to those who do not see it. */
  label: string
  button: ComponentChildren
  buttonClass?: string
  items: readonly (MenuItem | 'line')[]
  at?: 'start' | 'end'
}

/** A button that opens a menu: arrows move, Enter does, Escape closes and leads back to the button. */
export function Menu({ label, button, buttonClass = 'ibtn', items, at = 'start' }: Props) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const anchor = useRef<HTMLSpanElement>(null)
  const list = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (!isOpen) return
    list.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus()
    const close = (event: Event) => {
      if (!anchor.current?.contains(event.target as Node)) setOpen(false)
    }
    addEventListener('pointerdown', close)
    return () => removeEventListener('pointerdown', close)
  }, [isOpen])

  const closeToButton = () => {
    setOpen(false)
    anchor.current?.querySelector('button')?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const all = [...(list.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
    const at = all.indexOf(document.activeElement as HTMLElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key]
    if (event.key === 'Escape') closeToButton()
    else if (event.key === 'Tab') return setOpen(false)
    else if (to !== undefined) all[(to + all.length) % all.length]?.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <span class="menu-anchor" ref={anchor}>
      <button
        type="button"
        class={buttonClass}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setOpen(true)
        }}
      >
        <span class="vh">{label}</span>
        {button}
      </button>
      {isOpen && (
        <div
          id={id}
          class={at === 'end' ? 'pop at-end' : 'pop'}
          role="menu"
          aria-label={label}
          ref={list}
          onKeyDown={onKeyDown}
        >
          {items.map((item, place) =>
            item === 'line' ? (
              <div key={`line-${place}`} class="msep" role="separator" />
            ) : (
              <button
                key={item.name}
                type="button"
                role="menuitem"
                tabIndex={-1}
                class={item.isDangerous ? 'mi mi-danger' : 'mi'}
                aria-disabled={item.refused === undefined ? undefined : 'true'}
                onClick={() => {
                  if (item.refused !== undefined) return
                  closeToButton()
                  item.run()
                }}
              >
                {item.icon !== undefined && <Icon name={item.icon} />}
                <span>{item.name}</span>
                <span class="mi-end">{item.refused ?? item.note}</span>
              </button>
            ),
          )}
        </div>
      )}
    </span>
  )
}
