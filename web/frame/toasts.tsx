import { useKeys } from '../core/keys.ts'
import { closeToastAfter, dismissToast, keepToast, toast } from '../core/toasts.ts'
import { Button, IconButton } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'

const AFTER_LEAVING_MILLISECONDS = 3000
/** The message is the last element of the page and has its own key, because it would be gone before Tab reaches it. */
const ACTION_KEY = 'z'

export function Toasts() {
  const shown = toast.value
  const action = shown?.action
  const act = () => {
    dismissToast()
    action?.run()
  }
  useKeys(action === undefined ? [] : [{ keys: ACTION_KEY, what: action.name, run: act }])
  return (
    <div class="toasts" role={shown?.kind === 'failed' ? 'alert' : 'status'}>
      {shown !== undefined && (
        <div
          class="toast"
          onMouseEnter={keepToast}
          onFocusCapture={keepToast}
          onMouseLeave={() => shown.kind === 'done' && closeToastAfter(AFTER_LEAVING_MILLISECONDS)}
        >
          <Icon name={shown.kind === 'done' ? 'check' : 'warn'} />
          <span>{shown.text}</span>
          {action !== undefined && (
            <Button kind="quiet" size="small" shortcut={ACTION_KEY} onClick={act}>
              {action.name}
            </Button>
          )}
          <IconButton name="Dismiss" icon="x" size="small" onClick={dismissToast} />
        </div>
      )}
    </div>
  )
}
