import type { ComponentChildren, RefObject } from 'preact'
import { keyNames } from '../core/key-names.ts'
import { Icon } from './icon.tsx'

interface ButtonProps {
  children: ComponentChildren
  kind?: 'primary' | 'quiet' | 'danger'
  size?: 'small' | 'large'
  icon?: string
  type?: 'button' | 'submit'
  /** Why it cannot be used now. It stays focusable, so that the reason can be read. */
  unavailable?: string | undefined
  isBusy?: boolean
  /** The key that does the same. */
  shortcut?: string
  onClick?(event: MouseEvent): void
}

export function Button(props: ButtonProps) {
  const { children, kind, size, icon, type = 'button', unavailable, isBusy, shortcut, onClick } = props
  const classes = ['button', kind && `button-${kind}`, size && `button-${size}`, isBusy && 'is-busy']
    .filter(Boolean)
    .join(' ')
  return (
    <button
      type={type}
      class={classes}
      aria-disabled={unavailable !== undefined || isBusy ? 'true' : undefined}
      title={unavailable ?? (shortcut === undefined ? undefined : `Key: ${keyNames(shortcut).join(' ')}`)}
      onClick={(event) => {
        if (unavailable === undefined && !isBusy) onClick?.(event)
        else event.preventDefault()
      }}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
      {shortcut !== undefined && <kbd class="only-wide">{keyNames(shortcut).join(' ')}</kbd>}
    </button>
  )
}

interface IconButtonProps {
  name: string
  icon: string
  /** The key that does the same. */
  shortcut?: string
  size?: 'small'
  isPressed?: boolean
  button?: RefObject<HTMLButtonElement | null>
  onClick(event: MouseEvent): void
}

export function IconButton({ name, icon, shortcut, size, isPressed, button, onClick }: IconButtonProps) {
  const title = shortcut === undefined ? name : `${name} (${keyNames(shortcut).join(' ')})`
  return (
    <button
      ref={button}
      type="button"
      class={size === undefined ? 'icon-button' : `icon-button icon-button-${size}`}
      aria-label={name}
      title={title}
      aria-pressed={isPressed}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  )
}
