import { Button } from './button.tsx'
import { FormFault } from './form-fault.tsx'

export interface FormEndProps {
  fault: Error | undefined
  /** What the button does. */
  action: string
  isBusy: boolean
  /** Why it cannot be sent yet. */
  unavailable?: string | undefined
  isDangerous?: boolean
  onClose(): void
}

/** The end of a form in a page that can be closed: what the server refused, and the two ways out. */
export function FormEnd({ fault, action, isBusy, unavailable, isDangerous = false, onClose }: FormEndProps) {
  return (
    <>
      <FormFault text={fault?.message} />
      <div class="row wrap">
        <Button kind={isDangerous ? 'danger' : 'primary'} type="submit" isBusy={isBusy} unavailable={unavailable}>
          {action}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </>
  )
}
