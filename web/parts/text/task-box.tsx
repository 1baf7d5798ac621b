import { useContext } from 'preact/hooks'
import { TickTask } from './text-contexts.ts'

interface Props {
  isDone: boolean
  line: number
  text: string
}

/** The box of a task in a list. */
export function TaskBox({ isDone, line, text }: Props) {
  const tick = useContext(TickTask)
  return (
    <input
      type="checkbox"
      class="checkbox markdown-task"
      disabled={tick === undefined}
      checked={isDone}
      aria-label={text}
      onChange={() => tick?.(line, !isDone)}
    />
  )
}
