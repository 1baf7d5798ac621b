import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

const DISTANCE_PIXELS = 800
const callbacks = new WeakMap<Element, () => void>()

const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue
      observer.unobserve(target)
      callbacks.get(target)?.()
    }
  },
  { rootMargin: `${DISTANCE_PIXELS}px` },
)

/** Whether an element has been on the screen or near it: the buttons of a thousand comments are drawn only when they can be seen. */
export function useIsNear(element: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const target = element.current
    if (target === null) return
    callbacks.set(target, () => setNear(true))
    observer.observe(target)
    return () => observer.unobserve(target)
  }, [])
  return isNear
}
