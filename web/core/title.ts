import { useEffect } from 'preact/hooks'

/** The title of the window says what the page is. */
export function useTitle(title: string) {
  useEffect(() => {
    document.title = title === '' ? 'Lacewing' : `${title} · Lacewing`
  }, [title])
}
