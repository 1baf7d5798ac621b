import { useRef } from 'preact/hooks'
import { useKeys } from '../core/keys.ts'
import { sentenceInOrder } from '../core/name-in-sentence.ts'
import { closeToastAfter, dismissToast, keepToast, toast } from '../core/toasts.ts'
import { Button, IconButton } from '../parts/button.tsx'
import { returnFocus } from '../parts/focus-back.ts'
import { Icon } from '../parts/icon.tsx'
import { useFreePlace } from './use-free-place.ts'

const AFTER_LEAVING_MILLISECONDS = 3000
/** Longer texts may be cut. */
const LONG_TEXT = 120
/** The message is the last element of the page and has its own key, because it would be gone before Tab reaches it. */
const ACTION_KEY = 'z'
/** Also while one types, where the other key is a letter. */
const FOCUS_KEY = 'F6'

export function Toasts() {
  const shown = toast.value
  const action = shown?.action
  const box = useRef<HTMLDivElement>(null)
  const before = useRef<Element | null>(null)
  useFreePlace(box, shown)
  /** The focus that was in the message goes back to where it was before. */
  const close = (then?: () => void) => {
    const hadFocus = box.current?.contains(document.activeElement) === true
    dismissToast()
    if (hadFocus) returnFocus(before.current?.isConnected ? before.current : null)
    then?.()
  }
  const act = () => close(action?.run)
  const focusFirst = () => box.current?.querySelector('button')?.focus()
  useKeys([
    ...(action === undefined ? [] : [{ keys: ACTION_KEY, what: action.name, run: act }]),
    ...(shown === undefined ? [] : [{ keys: FOCUS_KEY, what: 'Go to the message', run: focusFirst }]),
  ])
  const noteFocus = ({ relatedTarget }: FocusEvent) => {
    keepToast()
    if (!(relatedTarget instanceof Node && box.current?.contains(relatedTarget)))
      before.current = relatedTarget as Element | null
  }
  const leave = () => shown?.kind === 'done' && closeToastAfter(AFTER_LEAVING_MILLISECONDS)
  return (
    <div ref={box} class="toasts" role={shown?.kind === 'failed' ? 'alert' : 'status'}>
      {shown !== undefined && (
        <div
          class="toast"
          onMouseEnter={keepToast}
          onFocusCapture={noteFocus}
          onMouseLeave={leave}
          onBlurCapture={leave}
          onKeyDown={(event) => event.key === 'Escape' && close()}
        >
          <Icon name={shown.kind === 'done' ? 'check' : 'warn'} />
          <span class="toast-text" title={shown.text.length > LONG_TEXT ? shown.text : undefined}>
            {sentenceInOrder(shown.text)}
          </span>
          {action !== undefined && (
            <Button kind="quiet" size="small" shortcut={ACTION_KEY} onClick={act}>
              {action.name}
            </Button>
          )}
          <IconButton name="Dismiss" icon="x" size="small" onClick={() => close()} />
        </div>
      )}
    </div>
  )
}
