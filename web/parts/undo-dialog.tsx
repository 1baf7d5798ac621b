// What an undo would do, before it is done: first what stays and why, then what comes back.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { displayOf } from '../core/bugs/fields.ts'
import { post } from '../core/server/rest.ts'
import { showToast } from '../core/toasts.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { ScrollRegion } from './scroll-region.tsx'
import { TableHead } from './table-head.tsx'

/** One change by its number, or all that was made by a source since a time. */
export type Undone =
  | { id: number }
  | { key_id: number; since: string }
  | { source: 'page'; since: string; until: string; bugs: readonly number[] }

interface UndoDialogProps {
  title: string
  what: Undone
  onClose(): void
  /** After something was changed back. */
  onDone(): void
  children?: ComponentChildren
}

type Part = Omit<Awaited<ReturnType<typeof call>>, 'total'>
type Step = 'trying' | 'tried' | 'changing' | 'changed'

export function UndoDialog({ title, what, onClose, onDone, children }: UndoDialogProps) {
  const { step, parts, fault, change, stop } = useUndo(what)
  const undone = parts.flatMap((part) => part.undone)
  const looked = parts.reduce((sum, { bugs }) => sum + bugs, 0)
  const isAtWork = step === 'trying' || step === 'changing'
  const undo = async () => {
    const count = await change()
    if (count > 0) onDone()
    if (count === undone.length) {
      showToast({ kind: 'done', text: `${bugsIn(count)} changed back.` })
      onClose()
    }
  }
  return (
    <Dialog
      title={title}
      onClose={() => step !== 'changing' && onClose()}
      buttons={
        <>
          {step === 'changing' ? <Button onClick={stop}>Stop</Button> : <Button onClick={onClose}>Close</Button>}
          {step === 'tried' && undone.length > 0 && (
            <Button kind="primary" onClick={() => void undo()}>
              Change {bugsIn(undone.length)} back
            </Button>
          )}
        </>
      }
    >
      {children}
      {isAtWork && (
        <p class="muted" role="status">
          {step === 'trying' ? 'Looking at' : 'Changing'} {bugsIn(looked)}…
        </p>
      )}
      {fault !== undefined && (
        <p class="error" role="alert">
          {fault}
        </p>
      )}
      {!isAtWork && <Outcome parts={parts} isDone={step === 'changed'} />}
    </Dialog>
  )
}

function bugsIn(count: number) {
  return `${count.toLocaleString()} ${count === 1 ? 'bug' : 'bugs'}`
}

function call(what: Undone, more: { dry_run?: boolean; after?: string }) {
  if ('id' in what) return post('/change/:id/undo', { ...what, ...more })
  if ('key_id' in what) return post('/change/undo', { ...what, ...more })
  return post('/change/undo', { ...what, bugs: [...what.bugs], ...more })
}

/** Tries the undo at once, and does it when `change` is called. Each call looks at some bugs, so that one sees how far it is. */
function useUndo(what: Undone) {
  const [step, setStep] = useState<Step>('trying')
  const [parts, setParts] = useState<readonly Part[]>([])
  const [fault, setFault] = useState<string>()
  const isStopped = useRef(false)
  const stop = () => {
    isStopped.current = true
  }
  const run = async (dry_run: boolean) => {
    const all: Part[] = []
    setParts([])
    setFault(undefined)
    let after: string | null | undefined
    try {
      do {
        const part: Part = await call(what, { dry_run, ...(after && { after }) })
        all.push(part)
        setParts([...all])
        after = part.next
      } while (after !== null && !isStopped.current)
    } catch (problem) {
      setFault((problem as Error).message)
    }
    return all
  }
  useEffect(() => {
    void run(true).then(() => setStep('tried'))
    return stop
  }, [])
  const change = async () => {
    setStep('changing')
    const all = await run(false)
    setStep('changed')
    return all.reduce((sum, { undone }) => sum + undone.length, 0)
  }
  return { step, parts, fault, change, stop }
}

/** A table of thousands of rows would be slow. */
const MOST_SHOWN = 200

interface Row {
  bug: number
  what: string
  why: string
}

function Outcome({ parts, isDone }: { parts: readonly Part[]; isDone: boolean }) {
  const stays = parts.flatMap(staysIn)
  const back = parts.flatMap(({ undone }) => undone.map((it) => ({ bug: it.bug_id, ...wordsOf(it.changes) })))
  const kept = new Set(parts.flatMap((part) => part.kept.map(({ kind }) => KEPT[kind])))
  return (
    <>
      {stays.length > 0 && <Rows title="Stays as it is" columns={['Bug', 'What', 'Why']} rows={stays} />}
      {back.length > 0 && (
        <Rows title={isDone ? 'Changed back' : 'Comes back'} columns={['Bug', 'From', 'To']} rows={back} />
      )}
      {back.length === 0 && stays.length === 0 && <p>There is nothing to change back.</p>}
      {kept.size > 0 && <p class="muted">Not touched: {[...kept].join(', ')}.</p>}
    </>
  )
}

const KEPT = {
  comment: 'comments',
  filed: 'bugs that were filed',
  attachment: 'attachments',
  hours: 'hours worked',
  comment_text: 'deleted texts',
  answer: 'marks of answers',
} as const

function staysIn({ refused, conflicts }: Part): Row[] {
  return [
    ...refused.map((it) => ({ bug: it.bug_id, what: 'everything', why: it.message })),
    ...conflicts.map((it) => ({
      bug: it.bug_id,
      what: nameOf(it.field),
      why: `changed again since${it.now === '' ? '' : `, to ${it.now}`}, by ${it.who}`,
    })),
  ]
}

function wordsOf(changes: Part['undone'][number]['changes']) {
  const all = Object.entries(changes)
  const words = (side: 'removed' | 'added') =>
    all.map(([name, change]) => `${nameOf(name)}: ${change?.[side] || 'none'}`).join('; ')
  return { what: words('removed'), why: words('added') }
}

function nameOf(field: string) {
  return displayOf(field).label ?? field
}

function Rows({ title, columns, rows }: { title: string; columns: readonly string[]; rows: readonly Row[] }) {
  return (
    <section aria-label={title}>
      <h3>
        {title} <span class="faint">{rows.length.toLocaleString()}</span>
      </h3>
      <ScrollRegion class="bulk-table" label={title}>
        <table class="table">
          <TableHead columns={[...columns]} />
          <tbody>
            {rows.slice(0, MOST_SHOWN).map(({ bug, what, why }, place) => (
              <tr key={place}>
                <td class="nowrap">{bug}</td>
                <td dir="auto">{what}</td>
                <td dir="auto">{why}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {rows.length > MOST_SHOWN && <p class="faint small">And {(rows.length - MOST_SHOWN).toLocaleString()} more.</p>}
    </section>
  )
}
