import { Button } from './button.tsx'
import type { FormEndProps } from './form-end.tsx'
import { FormFault } from './form-fault.tsx'

/** The end of a form in a dialog. All dialogs have Cancel first, and at the right what they do. */
export function DialogEnd({ fault, action, isBusy, unavailable, isDangerous = false, onClose }: FormEndProps) {
  return (
    <>
      <FormFault text={fault?.message} />
      <div class="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind={isDangerous ? 'danger' : 'primary'} type="submit" isBusy={isBusy} unavailable={unavailable}>
          {action}
        </Button>
      </div>
    </>
  )
}
