import { useEffect, useState } from 'preact/hooks'
import { boardCall, CARDS_AT_ONCE } from '../../../../shared/first-calls.ts'
import { me } from '../../../core/account/session.ts'
import type { FieldList } from '../../../core/bugs/fields.ts'
import { useDrawn } from '../../../core/portions.ts'
import { query } from '../../../core/router.ts'
import type { Bug } from '../../../core/server/types.ts'
import { useData } from '../../../core/server/use-data.ts'
import { Button } from '../../../parts/button.tsx'
import { Priority, Severity, Status } from '../../../parts/glyphs.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { withCondition } from '../criteria/criteria.ts'
import { valueWords } from '../criteria/filters.ts'
import { BoardCard } from './board-card.tsx'
import { liftedCard, moveRule, noteOf } from './board-moves.ts'

interface Props {
  fields: FieldList
  field: string
  value: string
  count: number
  /** Grows when the cards have to be loaded again. */
  round: number
  /** Those of all columns, in their order. */
  values: readonly string[]
  onMove(bug: Bug, from: string, to: string): void
  onSay(text: string): void
}

/** So many cards are drawn between two pictures. */
const PORTION = 10

export function BoardColumn({ fields, field, value, count, round, values, onMove, onSay }: Props) {
  const [most, setMost] = useState(CARDS_AT_ONCE)
  const { body, reload } = useData(count === 0 ? undefined : boardCall(withCondition(query.value, field, value), most))
  useEffect(() => {
    if (round > 0) reload()
  }, [round])
  const bugs = count === 0 ? [] : (body?.bugs ?? [])
  const drawn = useDrawn(bugs.length, PORTION)
  const card = liftedCard.value
  const rule = card === undefined || card.from === value ? undefined : moveRule(fields, field, card.bug, value)
  const note = rule === undefined ? undefined : noteOf(rule)
  const isOver = card !== undefined && card.over === value && card.from !== value
  const classes = [
    'board-column',
    rule?.refused !== undefined && 'is-refused',
    isOver && rule?.refused === undefined && 'is-target',
  ]
  const name = valueWords(value)
  return (
    <section
      class={classes.filter(Boolean).join(' ')}
      aria-label={name}
      onClick={() => card !== undefined && card.from !== value && onMove(card.bug, card.from, value)}
      onDragOver={(event) => {
        if (card === undefined) return
        if (rule?.refused === undefined) event.preventDefault()
        if (card.over !== value) liftedCard.value = { ...card, over: value }
      }}
      onDrop={(event) => {
        event.preventDefault()
        if (card !== undefined) onMove(card.bug, card.from, value)
      }}
    >
      <h2 class="board-column-head">
        <ColumnName field={field} value={value} />
        <span class="faint">{count.toLocaleString()}</span>
      </h2>
      {note !== undefined && (
        <div class={rule?.refused === undefined ? 'board-column-note' : 'board-column-note is-refused'}>
          <Icon name={rule?.refused === undefined ? 'info' : 'lock'} size="small" />
          {note}
        </div>
      )}
      {bugs.length === 0 && count === 0 && <p class="board-column-empty faint">Bugs with {name} stand here.</p>}
      <ul class="board-cards">
        {bugs.slice(0, drawn).map((bug) => (
          <BoardCard
            key={bug.id}
            bug={bug}
            column={value}
            values={values}
            canMove={me.value !== undefined}
            whyNot={(to) => moveRule(fields, field, bug, to).refused}
            onMove={onMove}
            onSay={onSay}
          />
        ))}
        {count > most && drawn === bugs.length && (
          <li>
            <Button size="small" onClick={() => setMost(most + CARDS_AT_ONCE)}>
              Show {Math.min(count - most, CARDS_AT_ONCE)} more of {(count - most).toLocaleString()}
            </Button>
          </li>
        )}
      </ul>
    </section>
  )
}

function ColumnName({ field, value }: { field: string; value: string }) {
  if (field === 'status') return <Status value={value} />
  if (field === 'priority') return <Priority value={value} />
  if (field === 'severity') return <Severity value={value} />
  return <span dir="auto">{valueWords(value)}</span>
}
