import { useEffect, useRef, useState } from 'preact/hooks'
import { isRefusedFor, post } from '../core/server/rest.ts'

/** One change by its number, or all that was made by a source since a time. */
export type Undone =
  | { id: number }
  | { key_id: number; since: string }
  | { source: 'page'; since: string; until: string; bugs: readonly number[] }

export type UndoPart = Omit<Awaited<ReturnType<typeof call>>, 'total'>
type Step = 'trying' | 'tried' | 'changing' | 'changed'

interface Request {
  dry_run?: boolean
  after?: string
  comment?: string
}

function call(what: Undone, request: Request, headers: Record<string, string>) {
  if ('id' in what) return post('/change/:id/undo', { ...what, ...request }, headers)
  if ('key_id' in what) return post('/change/undo', { ...what, ...request }, headers)
  return post('/change/undo', { ...what, bugs: [...what.bugs], ...request }, headers)
}

/**
 * Tries the undo at once, and does it when `change` is called: only what was shown, or all is shown again. Each call looks at some bugs, so that
 * one sees how far it is.
 */
export function useUndo(what: Undone) {
  const [step, setStep] = useState<Step>('trying')
  const [parts, setParts] = useState<readonly UndoPart[]>([])
  const [fault, setFault] = useState<string>()
  const isStopped = useRef(false)
  const stop = () => {
    isStopped.current = true
  }
  /** Undefined if the bugs were changed since they were shown. */
  const run = async (comment: string, tried?: readonly UndoPart[]) => {
    const all: UndoPart[] = []
    setParts([])
    setFault(undefined)
    let after: string | null | undefined
    try {
      do {
        const headers: Record<string, string> = {}
        if (tried !== undefined) headers['If-Match'] = `"${tried[all.length]?.tag}"`
        const request = { dry_run: tried === undefined, ...(after && { after }), ...(comment !== '' && { comment }) }
        const part: UndoPart = await call(what, request, headers)
        all.push(part)
        setParts([...all])
        after = part.next
      } while (after !== null && !isStopped.current)
    } catch (problem) {
      if (isRefusedFor(problem, 'changed_meanwhile')) return undefined
      setFault((problem as Error).message)
    }
    return all
  }
  const look = async (comment = '') => {
    setStep('trying')
    await run(comment)
    setStep('tried')
  }
  useEffect(() => {
    void look()
    return stop
  }, [])
  const change = async (comment: string) => {
    setStep('changing')
    const all = await run(comment, parts)
    if (all === undefined) {
      await look(comment)
      setFault('Some of the bugs were changed meanwhile. This is what would come back now.')
      return 0
    }
    setStep('changed')
    return all.reduce((sum, { undone }) => sum + undone.length, 0)
  }
  return { step, parts, fault, look, change, stop }
}
