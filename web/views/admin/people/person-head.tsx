import { useLayoutEffect, useRef } from 'preact/hooks'
import { shortDate } from '../../../core/times.ts'
import { IconButton } from '../../../parts/button.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { Avatar } from '../../../parts/person.tsx'
import { type Account, nameIn } from './account.ts'

interface Props {
  account: Account
  /** The name gets the focus, so that a reader of the screen hears whom a search has found. */
  takesFocus?: boolean
  onClose(): void
}

/** Who it is, with a way to close what is shown about them, and why they cannot log in. */
export function PersonHead({ account, takesFocus = false, onClose }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    if (takesFocus) heading.current?.focus({ preventScroll: true })
  }, [])
  const { id, name, nick, can_login, login_denied_text, created_at } = account
  return (
    <>
      <div class="person-head">
        <Avatar id={id} name={nameIn(account)} size={48} />
        <div class="grow">
          <h2 dir="auto" tabIndex={takesFocus ? -1 : undefined} ref={heading}>
            {nameIn(account)}
          </h2>
          <div dir="auto">{name}</div>
          <div class="faint small">
            @{nick}, number {id}, since {shortDate(created_at)}
          </div>
        </div>
        <IconButton name="Close" icon="x" onClick={onClose} />
      </div>
      {!can_login && (
        <div class="note note-warn">
          <Icon name="lock" />
          <div>
            Disabled. At log-in they read: <span dir="auto">{login_denied_text}</span>
          </div>
        </div>
      )}
    </>
  )
}
