import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { keepDraftFiles, readDraftFiles } from './draft-files.ts'

/**
 * Keeps the files of a draft in this browser, and reads those that were kept before. `onRead` gets them once. `name` may change
 * when the draft becomes another one; then the files are kept under the new name.
 */
export function useDraftFiles(name: string, files: readonly File[], onRead: (kept: readonly File[]) => void) {
  const [isRead, setRead] = useState(false)
  const [areKept, setKept] = useState(true)
  const hasKept = useRef(false)
  useEffect(() => {
    let isCurrent = true
    void readDraftFiles(name).then((kept) => {
      if (!isCurrent) return
      hasKept.current = kept.length > 0
      if (hasKept.current) onRead(kept)
      setRead(true)
    })
    return () => {
      isCurrent = false
    }
  }, [])
  // A layout effect, because the reader may leave the page before it is drawn.
  useLayoutEffect(() => {
    if (!isRead || (files.length === 0 && !hasKept.current)) return
    hasKept.current = files.length > 0
    void keepDraftFiles(name, files).then(setKept)
  }, [isRead, name, files.map(identityOf).join()])
  return { isRead, areKept }
}

function identityOf({ name, size, lastModified }: File) {
  return `${name} ${size} ${lastModified}`
}

/** The note that is shown if a file is too large to be kept, or if the browser keeps none. */
export const NOT_KEPT = 'Not all of these files are kept with the draft. If you leave the page, choose them again.'
