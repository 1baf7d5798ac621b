import type { ComponentChildren } from 'preact'
import { useCallback, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { sentenceInOrder } from '../core/name-in-sentence.ts'
import { returnFocus } from './focus-back.ts'

interface Props {
  title: string
  children: ComponentChildren
  /** The buttons. Each says what it does. */
  buttons?: ComponentChildren
  onClose(): void
  /**
   * The page behind it is covered, but not made inert. That computes the style of every element, which takes longer than drawing the
   * dialog does: for dialogs that are opened while one works fast.
   */
  isQuick?: boolean
}

/** A modal dialog: only before actions that cannot be undone, or to ask for several values. The focus stays inside, and returns afterwards. */
export function Dialog({ title, children, buttons, onClose, isQuick = false }: Props) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const before = useRef<Element | null>(null)
  // Before the layout effects of what it contains, which move the focus to a field: nothing in a closed dialog can have it.
  const open = useCallback((element: HTMLDialogElement | null) => {
    dialog.current = element
    if (element === null) return
    before.current = document.activeElement
    if (isQuick) element.show()
    else element.showModal()
  }, [])
  useLayoutEffect(() => {
    const { current } = dialog
    return () => {
      // While it is open, nothing else can have the focus.
      current?.close()
      returnFocus(before.current)
    }
  }, [])
  const shown = (
    <dialog
      ref={open}
      class={isQuick ? 'dialog is-quick' : 'dialog'}
      aria-labelledby={id}
      {...(isQuick && {
        'aria-modal': 'true',
        tabIndex: -1,
        onKeyDown: (event: KeyboardEvent) => onKey(event, onClose),
      })}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === dialog.current && !isQuick && onClose()}
    >
      <div class="dialog-head">
        <h2 id={id}>{sentenceInOrder(title)}</h2>
      </div>
      <div class="dialog-body">{children}</div>
      {buttons !== undefined && <div class="dialog-foot">{buttons}</div>}
    </dialog>
  )
  if (!isQuick) return shown
  return (
    <>
      <div class="dialog-backdrop" role="presentation" onClick={onClose} />
      {shown}
    </>
  )
}

const FOCUSABLE = 'a[href], button:not(:disabled), input, select, textarea'

/** What the browser does itself in a modal dialog: Escape closes it, and Tab stays inside. */
function onKey(event: KeyboardEvent, onClose: () => void) {
  if (event.defaultPrevented) return
  if (event.key === 'Escape') onClose()
  else if (event.key === 'Tab') {
    const all = [...(event.currentTarget as Element).querySelectorAll<HTMLElement>(FOCUSABLE)]
    const place = all.indexOf(event.target as HTMLElement) + (event.shiftKey ? -1 : 1)
    all.at(place % all.length)?.focus()
  } else return
  event.preventDefault()
}
