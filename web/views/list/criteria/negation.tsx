import type { Part } from './criteria.ts'

export function Negation({ part, onChange }: { part: Part; onChange(isNegated: boolean): void }) {
  return (
    <label class="row negation">
      <input
        class="checkbox"
        type="checkbox"
        checked={part.isNegated}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      not
    </label>
  )
}
