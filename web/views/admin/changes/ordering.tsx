import { useRef, useState } from 'preact/hooks'
import { Icon } from '../../../parts/icon.tsx'

interface Options<Id> {
  /** Rows of different lists are not mixed. */
  list: string
  ids: readonly Id[]
  onOrder(ids: readonly Id[]): void
}

export interface Ordering<Id> {
  list: string
  /** What a screen reader is told; for an element with the role `status`. */
  said: string
  isLifted(id: Id): boolean
  /** Puts it where the other is. */
  move(id: Id, to: number): void
  onKey(event: KeyboardEvent, id: Id): void
  putDown(id: Id): void
  /** For the element of a row: others can be dropped on it. */
  rowProps(id: Id): { onDragOver(event: DragEvent): void; onDrop(event: DragEvent): void }
}

/** An order that is changed by dragging, or with Space, arrows and Space; Escape puts back. */
export function useOrdering<Id extends string | number>({ list, ids, onOrder }: Options<Id>): Ordering<Id> {
  const [lifted, setLifted] = useState<Id>()
  const [said, setSaid] = useState('')
  const before = useRef<readonly Id[]>([])
  const move = (id: Id, to: number) => {
    if (to < 0 || to >= ids.length || ids[to] === id) return
    const next = ids.filter((it) => it !== id)
    next.splice(to, 0, id)
    onOrder(next)
    setSaid(`Place ${to + 1} of ${ids.length}`)
  }
  return {
    list,
    said,
    move,
    isLifted: (id) => lifted === id,
    putDown: (id) => lifted === id && setLifted(undefined),
    onKey: (event, id) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
      if (event.key === ' ') {
        before.current = ids
        setLifted(lifted === id ? undefined : id)
        setSaid(lifted === id ? 'Put down' : 'Lifted: arrows move it, Space puts it down, Escape puts it back')
      } else if (lifted === id && step !== undefined) move(id, ids.indexOf(id) + step)
      else if (lifted === id && event.key === 'Escape') {
        onOrder(before.current)
        setLifted(undefined)
        setSaid('Put back')
      } else return
      event.preventDefault()
      const button = event.currentTarget as HTMLElement
      requestAnimationFrame(() => button.focus())
    },
    rowProps: (target) => ({
      onDragOver: (event) => event.preventDefault(),
      onDrop: (event) => {
        event.preventDefault()
        const [from, ...rest] = (event.dataTransfer?.getData('text/plain') ?? '').split('\n')
        const id = ids.find((it) => String(it) === rest.join('\n'))
        if (from === list && id !== undefined) move(id, ids.indexOf(target))
      },
    }),
  }
}

/** `name` is what the row is called. */
export function DragHandle<Id extends string | number>({
  ordering,
  id,
  name,
}: {
  ordering: Ordering<Id>
  id: Id
  name: string
}) {
  return (
    <button
      type="button"
      class="icon-button icon-button-small drag-handle"
      draggable
      aria-label={`Move ${name}`}
      aria-pressed={ordering.isLifted(id)}
      title="Drag, or Space, arrows, Space"
      onDragStart={(event) => event.dataTransfer?.setData('text/plain', `${ordering.list}\n${id}`)}
      onKeyDown={(event) => ordering.onKey(event, id)}
      onBlur={() => ordering.putDown(id)}
    >
      <Icon name="drag" />
    </button>
  )
}
