import { useState } from 'preact/hooks'
import { dropDraft, keepDraft, readDraft } from '../../core/drafts.ts'
import type { Draft } from './send.ts'

/** What is written about a bug and not sent yet. It is kept in this browser with every keystroke. */
export function useDraft(id: number): [Draft, (draft: Draft) => void, boolean] {
  const name = `bug ${id} comment`
  const [draft, setDraft] = useState<Draft>(() => readDraft<Draft>(name) ?? { text: '', isPrivate: false })
  const [isKept, setKept] = useState(false)
  const change = (next: Draft) => {
    setDraft(next)
    if (next.text === '') dropDraft(name)
    else keepDraft(name, next)
    setKept(next.text !== '')
  }
  return [draft, change, isKept]
}
