import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

interface Props {
  title: string
  children: ComponentChildren
  /** The buttons. Each says what it does. */
  buttons?: ComponentChildren
  onClose(): void
}

/** A modal dialog: only before actions that cannot be undone, or to ask for several values. The focus stays inside, and returns afterwards. */
export function Dialog({ title, children, buttons, onClose }: Props) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  // A layout effect, so that the next key that is typed goes into the dialog.
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null
    const { current } = dialog
    current?.showModal()
    return () => {
      // While it is open, nothing else can have the focus.
      current?.close()
      before?.focus?.()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div class="dialog-h">
        <h2 id={id}>{title}</h2>
      </div>
      <div class="dialog-b">{children}</div>
      {buttons !== undefined && <div class="dialog-f">{buttons}</div>}
    </dialog>
  )
}
