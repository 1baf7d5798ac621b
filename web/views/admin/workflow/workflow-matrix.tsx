import { useRef } from 'preact/hooks'
import { Icon } from '../../../parts/icon.tsx'
import type { Step, WorkflowState } from './workflow-state.ts'

interface Props {
  state: WorkflowState
  stepOf(from: string | null, to: string): Step
  isChanged(from: string | null, to: string): boolean
  change(from: string | null, to: string): void
}

const WORDS: Readonly<Record<Step, string>> = {
  no: 'not allowed',
  yes: 'allowed',
  'with a comment': 'allowed with a comment',
}
const ARROWS: Readonly<Record<string, readonly [row: number, column: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/** A click or Space goes through the three states of a step, arrows move. */
export function WorkflowMatrix({ state, stepOf, isChanged, change }: Props) {
  const table = useRef<HTMLTableElement>(null)
  const starts = [null, ...state.statuses.map(({ name }) => name)]
  const move = (event: KeyboardEvent, row: number, column: number) => {
    const by = ARROWS[event.key]
    if (by === undefined) return
    event.preventDefault()
    let [nextRow, nextColumn] = [row + by[0], column + by[1]]
    const cell = () => table.current?.querySelector<HTMLElement>(`[data-cell="${nextRow} ${nextColumn}"]`)
    // The diagonal has no step: the focus goes over it.
    if (!cell()) [nextRow, nextColumn] = [nextRow + by[0], nextColumn + by[1]]
    cell()?.focus()
  }
  return (
    <>
      <div class="scroll-box card">
        <table class="workflow-matrix" ref={table}>
          <thead>
            <tr>
              <th scope="col">
                <span class="faint">from, to</span>
              </th>
              {state.statuses.map(({ name, isActive }) => (
                <th key={name} scope="col" class={isActive ? undefined : 'faint'} dir="auto">
                  <span>{name}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {starts.map((from, row) => (
              <tr key={from}>
                <th scope="row" dir="auto">
                  {from ?? 'New bug'}
                </th>
                {state.statuses.map(({ name: to }, column) => {
                  const step = stepOf(from, to)
                  if (from === to) return <td key={to} class="workflow-same" />
                  return (
                    <td key={to} class={isChanged(from, to) ? 'is-unsaved' : undefined}>
                      <button
                        type="button"
                        class={`workflow-step${step === 'no' ? '' : ' is-allowed'}`}
                        data-cell={`${row} ${column}`}
                        aria-label={`${from ?? 'New bug'} to ${to}: ${WORDS[step]}`}
                        onClick={() => change(from, to)}
                        onKeyDown={(event) => move(event, row, column)}
                      >
                        {step !== 'no' && <Icon name={step === 'yes' ? 'check' : 'comment'} />}
                      </button>
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="faint small">
        Check: allowed. Bubble: allowed with a comment. Empty: not allowed. A click or Space goes through them, arrows
        move. Saving also allows every status to change to {state.duplicates}, so that each bug can be marked as a
        duplicate.
      </p>
    </>
  )
}
