import { useLayoutEffect, useRef } from 'preact/hooks'

/** For a button that opens a form in its own place. It gets the focus when the form is closed, unless the focus went elsewhere. */
export function useFocusBack(isOpen: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(isOpen)
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body) button.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  return button
}
