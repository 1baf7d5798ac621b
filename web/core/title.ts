import { useEffect } from 'preact/hooks'
import { siteName } from './look.ts'

/** Sets the title of the window while the component is shown. */
export function useTitle(title: string) {
  const name = siteName.value
  useEffect(() => {
    document.title = title === '' ? name : `${title} · ${name}`
  }, [title, name])
}
