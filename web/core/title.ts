import { useEffect } from 'preact/hooks'

/** Sets the title of the window while the component is shown. */
export function useTitle(title: string) {
  useEffect(() => {
    document.title = title === '' ? 'Lacewing' : `${title} · Lacewing`
  }, [title])
}
