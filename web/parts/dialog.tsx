import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

interface Props {
  title: string
  children: ComponentChildren
  /** Buttons that name what they do. */
  buttons?: ComponentChildren
  onClose(): void
}

/** Only before what cannot be undone, or where several answers are needed. The focus stays inside and returns to where it was. */
export function Dialog({ title, children, buttons, onClose }: Props) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  // At once: what is typed after the key that opens it belongs into it.
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
