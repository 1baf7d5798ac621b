import { useMemo, useRef, useState } from 'preact/hooks'
import type { Answer } from '../../../../client/call-types.ts'
import { restNameOf } from '../../../../shared/bug-fields/field-names.ts'
import { groupsCall } from '../../../../shared/first-calls.ts'
import type { FieldList } from '../../../core/bugs/fields.ts'
import { query } from '../../../core/router.ts'
import { useEvents } from '../../../core/server/live.ts'
import type { Bug } from '../../../core/server/types.ts'
import { useData } from '../../../core/server/use-data.ts'
import { useTitle } from '../../../core/title.ts'
import { ScrollRegion } from '../../../parts/scroll-region.tsx'
import { titleOf, valueWords } from '../criteria/filters.ts'
import { WrongQuery } from '../empty-list.tsx'
import { ToolBar } from '../tool-bar.tsx'
import { BoardColumn } from './board-column.tsx'
import { type CardMove, liftedCard, moveRule, sendMove } from './board-moves.ts'
import { MoveDialog } from './move-dialog.tsx'

const MOST_COLUMNS = 24
const BATCH_MILLISECONDS = 500

/** Bugs as cards in columns, one for each value of a field. A card is moved by dragging it, or with Space and the arrows. */
export function Board({ fields }: { fields: FieldList }) {
  const field = restNameOf(query.value.get('by') ?? 'status')
  useTitle(`${titleOf(query.value, fields)}, board`)
  const [round, setRound] = useState(0)
  const [asking, setAsking] = useState<CardMove>()
  const [said, setSaid] = useState('')
  const counts = useData(groupsCall(query.value, field))
  const reload = () => {
    counts.reload()
    setRound((last) => last + 1)
  }
  useReloadOnEvents(reload)
  const { values, left } = useColumnValues(fields, field, counts.body?.counts ?? [])
  const move = async (bug: Bug, from: string, to: string) => {
    liftedCard.value = undefined
    if (from === to) return setSaid(`${bug.id} stays in ${valueWords(from)}.`)
    const rule = moveRule(fields, field, bug, to)
    if (rule.refused !== undefined) return setSaid(rule.refused)
    const wanted: CardMove = { bug, field, from, to, rule }
    if (rule.needsResolution || rule.needsComment) return setAsking(wanted)
    if (await sendMove(wanted, {}, reload)) setSaid(`${bug.id} is in ${valueWords(to)} now.`)
    reload()
  }
  return (
    <main id="main" class="list list-board is-wide">
      <ToolBar fields={fields} total={counts.body?.bug_count} complaint={counts.fault?.message} />
      {counts.fault !== undefined ? (
        <WrongQuery fault={counts.fault} retry={reload} />
      ) : (
        <ScrollRegion class="board" label="Board">
          {values.map(({ value, count }) => (
            <BoardColumn
              key={value}
              fields={fields}
              field={field}
              value={value}
              count={count}
              round={round}
              values={values.map((it) => it.value)}
              onMove={(bug, from, to) => void move(bug, from, to)}
              onSay={setSaid}
            />
          ))}
          {left > 0 && <p class="empty-line">{left.toLocaleString()} more columns have bugs. Filter to see them.</p>}
        </ScrollRegion>
      )}
      <p class="visually-hidden" role="status">
        {said}
      </p>
      {asking !== undefined && (
        <MoveDialog
          move={asking}
          fields={fields}
          onClose={() => {
            setAsking(undefined)
            reload()
          }}
        />
      )}
    </main>
  )
}

interface ColumnValue {
  value: string
  count: number
}

/** All values of a short list; of a long one, those that bugs of this list have. */
function useColumnValues(
  fields: FieldList,
  field: string,
  counts: Answer<'GET /report'>['counts'],
): { values: readonly ColumnValue[]; left: number } {
  return useMemo(() => {
    const found = new Map(counts.map(({ y = '', bug_count: count }) => [y, count]))
    const all = fields.values(field, query.value.getAll('product')).map(({ name }) => name ?? '')
    const names = [...new Set([...all, ...found.keys()])]
    const shown = names.length > MOST_COLUMNS ? names.filter((name) => found.has(name)) : names
    const values = shown.slice(0, MOST_COLUMNS).map((value) => ({ value, count: found.get(value) ?? 0 }))
    return { values, left: shown.length - values.length }
  }, [fields, field, counts])
}

function useReloadOnEvents(reload: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEvents(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      if (liftedCard.value === undefined) reload()
    }, BATCH_MILLISECONDS)
  })
}
