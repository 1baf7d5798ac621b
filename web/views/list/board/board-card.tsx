import { useLayoutEffect, useRef } from 'preact/hooks'
import { bugAddress, hrefOf } from '../../../core/router.ts'
import type { Bug } from '../../../core/server/types.ts'
import { Priority, Severity } from '../../../parts/glyphs.tsx'
import { Avatar, nameOf } from '../../../parts/person.tsx'
import { valueWords } from '../criteria/filters.ts'
import { Lock, Marks } from '../criteria/summary.tsx'
import { liftedCard, movedCard } from './board-moves.ts'

interface Props {
  bug: Bug
  column: string
  /** Those of all columns, in their order. */
  values: readonly string[]
  canMove: boolean
  /** Why it cannot go to a column. */
  whyNot(to: string): string | undefined
  onMove(bug: Bug, from: string, to: string): void
  onSay(text: string): void
}

export function BoardCard({ bug, column, values, canMove, whyNot, onMove, onSay }: Props) {
  const who = bug.assigned_to_detail
  const isLifted = liftedCard.value?.bug.id === bug.id
  const handle = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (movedCard.value?.id !== bug.id || movedCard.value.to !== column) return
    movedCard.value = undefined
    handle.current?.focus()
  }, [])
  const lift = (over: string) => {
    liftedCard.value = { bug, from: column, over }
    onSay(whyNot(over) ?? `${bug.id} over ${valueWords(over)}. Space puts it down, Escape puts it back.`)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const over = liftedCard.value?.over ?? column
    if (event.key === ' ' && !isLifted) lift(column)
    else if (isLifted && (event.key === ' ' || event.key === 'Enter')) onMove(bug, column, over)
    else if (isLifted && event.key === 'Escape') {
      liftedCard.value = undefined
      onSay(`${bug.id} is back in ${valueWords(column)}.`)
    } else if (isLifted && (event.key === 'ArrowRight' || event.key === 'ArrowLeft')) {
      const to = values[values.indexOf(over) + (event.key === 'ArrowRight' ? 1 : -1)]
      if (to !== undefined) lift(to)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <li
      class={isLifted ? 'board-card is-lifted' : 'board-card'}
      draggable={canMove}
      onDragStart={(event) => dragStart(event, bug, column)}
      onDragEnd={dragEnd}
    >
      <div class="row board-card-head">
        <Priority value={bug.priority} short />
        <span class="cell-id">{bug.id}</span>
        {bug.severity !== 'normal' && <Severity value={bug.severity} short />}
        {bug.groups.length > 0 && <Lock groups={bug.groups} />}
        {canMove && (
          <button
            ref={handle}
            type="button"
            class="board-card-lift align-end"
            aria-pressed={isLifted}
            aria-label={`Move ${bug.id}: Space lifts, arrows choose the column`}
            title="Space lifts, arrows choose the column, Space puts it down"
            onKeyDown={onKeyDown}
            onClick={(event) => {
              // A tap lifts it; a tap on a column puts it there.
              event.stopPropagation()
              if (isLifted) liftedCard.value = undefined
              else lift(column)
            }}
          >
            ⠿
          </button>
        )}
        <span class={canMove ? undefined : 'align-end'} title={who === undefined ? 'No assignee' : nameOf(who)}>
          {who === undefined ? (
            <span class="avatar avatar-none" aria-hidden="true" />
          ) : (
            <Avatar id={who.id} name={nameOf(who)} />
          )}
        </span>
      </div>
      <a href={hrefOf(bugAddress(bug.id))} class="board-card-summary" dir="auto" draggable={false}>
        {bug.summary}
      </a>
      <div class="row board-card-foot">
        <Marks bug={bug} />
      </div>
    </li>
  )
}

function dragStart(event: DragEvent, bug: Bug, column: string) {
  event.dataTransfer?.setData('text/plain', String(bug.id))
  liftedCard.value = { bug, from: column, over: column }
}

function dragEnd() {
  liftedCard.value = undefined
}
