import type { ComponentChildren } from 'preact'

interface Props {
  /** The buttons that create what is listed. */
  actions?: ComponentChildren
  /** What finds the rows of the list, or says what they are. */
  children: ComponentChildren
}

/** The row above a list: the buttons for new objects are at its end, on all pages. */
export function PlaceHead({ actions, children }: Props) {
  return (
    <div class="row wrap place-head">
      <div class="grow">{children}</div>
      {actions && <div class="row wrap">{actions}</div>}
    </div>
  )
}
