import { dismiss, keep, keepFor, toast } from '../core/toasts.ts'
import { Button, IconButton } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'

const AFTER_LEAVING_MILLISECONDS = 3000

export function Toasts() {
  const shown = toast.value
  return (
    <div class="toasts" role={shown?.kind === 'failed' ? 'alert' : 'status'}>
      {shown !== undefined && (
        <div
          class="toast"
          onMouseEnter={keep}
          onFocusCapture={keep}
          onMouseLeave={() => shown.kind === 'done' && keepFor(AFTER_LEAVING_MILLISECONDS)}
        >
          <Icon name={shown.kind === 'done' ? 'check' : 'warn'} />
          <span>{shown.text}</span>
          {shown.action !== undefined && (
            <Button
              kind="quiet"
              size="s"
              onClick={() => {
                const { action } = shown
                dismiss()
                action?.run()
              }}
            >
              {shown.action.name}
            </Button>
          )}
          <IconButton name="Dismiss" icon="x" size="s" onClick={dismiss} />
        </div>
      )}
    </div>
  )
}
