// What an undo would do, before it is done: first what stays and why, then what comes back.
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { displayOf } from '../core/bugs/fields.ts'
import { showToast } from '../core/toasts.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { TextField } from './field.tsx'
import { ScrollRegion } from './scroll-region.tsx'
import { TableHead } from './table-head.tsx'
import { type Undone, type UndoPart, useUndo } from './use-undo.ts'

interface UndoDialogProps {
  title: string
  what: Undone
  onClose(): void
  /** After something was changed back. */
  onDone(): void
  children?: ComponentChildren
}

export function UndoDialog({ title, what, onClose, onDone, children }: UndoDialogProps) {
  const { step, parts, fault, look, change, stop } = useUndo(what)
  const [comment, setComment] = useState('')
  const undone = parts.flatMap((part) => part.undone)
  const looked = parts.reduce((sum, { bugs }) => sum + bugs, 0)
  const isAtWork = step === 'trying' || step === 'changing'
  const needsComment = parts.some(({ refused }) => refused.some(({ reason }) => reason.endsWith('_needs_comment')))
  const undo = async () => {
    const count = await change(comment.trim())
    if (count > 0) onDone()
    if (count > 0 && count === undone.length) {
      showToast({ kind: 'done', text: `${bugsIn(count)} changed back.` })
      onClose()
    }
  }
  return (
    <Dialog
      title={title}
      onClose={() => step !== 'changing' && onClose()}
      buttons={
        <FocusKept step={step}>
          {step === 'changing' ? <Button onClick={stop}>Stop</Button> : <Button onClick={onClose}>Close</Button>}
          {step === 'tried' && needsComment && (
            <Button
              unavailable={comment.trim() === '' ? 'Write a comment' : undefined}
              onClick={() => void look(comment.trim())}
            >
              Try with the comment
            </Button>
          )}
          {step === 'tried' && undone.length > 0 && (
            <Button kind="primary" onClick={() => void undo()}>
              Change {bugsIn(undone.length)} back
            </Button>
          )}
        </FocusKept>
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
      {step === 'tried' && (undone.length > 0 || needsComment) && (
        <TextField
          label="Comment"
          value={comment}
          onText={setComment}
          hint={needsComment ? 'Some of the bugs need one.' : 'On each bug that is changed, if you write one.'}
        />
      )}
    </Dialog>
  )
}

/** The buttons change with each step: the focus stays among them when the one that had it goes. */
function FocusKept({ step, children }: { step: string; children: ComponentChildren }) {
  const group = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { activeElement } = document
    const isLost =
      activeElement === null || activeElement === document.body || activeElement instanceof HTMLDialogElement
    if (isLost) group.current?.querySelector('button')?.focus()
  }, [step])
  return (
    <div class="row wrap" ref={group}>
      {children}
    </div>
  )
}

function bugsIn(count: number) {
  return `${count.toLocaleString()} ${count === 1 ? 'bug' : 'bugs'}`
}

/** A table of thousands of rows would be slow. */
const MOST_SHOWN = 200

interface Row {
  bug: number
  what: string
  why: string
}

function Outcome({ parts, isDone }: { parts: readonly UndoPart[]; isDone: boolean }) {
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

function staysIn({ refused, conflicts }: UndoPart): Row[] {
  return [
    ...refused.map((it) => ({ bug: it.bug_id, what: 'everything', why: it.message })),
    ...conflicts.map((it) => ({
      bug: it.bug_id,
      what: nameOf(it.field),
      why:
        it.stays_with === undefined
          ? `changed again since${it.now === '' ? '' : `, to ${it.now}`}, by ${it.who}`
          : `stays with ${nameOf(it.stays_with)}`,
    })),
  ]
}

function wordsOf(changes: UndoPart['undone'][number]['changes']) {
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
