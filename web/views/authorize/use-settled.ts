import { useEffect, useState } from 'preact/hooks'

const MILLISECONDS = 800

/**
 * Whether the page has been seen for a moment. A page of another site can make a reader click twice, and put this page under the second click;
 * so nothing is allowed before.
 */
export function useSettled(): boolean {
  const [isSettled, setSettled] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const begin = () => {
      clearTimeout(timer)
      setSettled(false)
      if (document.visibilityState === 'visible' && document.hasFocus())
        timer = setTimeout(() => setSettled(true), MILLISECONDS)
    }
    begin()
    document.addEventListener('visibilitychange', begin)
    addEventListener('focus', begin)
    addEventListener('blur', begin)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', begin)
      removeEventListener('focus', begin)
      removeEventListener('blur', begin)
    }
  }, [])
  return isSettled
}
