import { useState } from 'preact/hooks'
import type { FieldList } from '../../../core/bugs/fields.ts'
import { go, query } from '../../../core/router.ts'
import { Button } from '../../../parts/button.tsx'
import { BracketEditor } from './bracket-editor.tsx'
import { type Bracket, isBracket, newCondition, readCriteria, withCriteria, wordsOf } from './criteria.ts'
import { filtersOf } from './filters.ts'
import { formConditions, withoutForm } from './form-criteria.ts'

/** The advanced search: conditions and brackets of them, in the parameters f1, o1, v1 … of the address. */
export function Builder({ fields }: { fields: FieldList }) {
  const [root, setRoot] = useState(() => startOf(allCriteria(query.value)))
  const others = filtersOf(query.value, fields).filter(({ edits }) => edits !== 'builder')
  const search = () => {
    const next = withCriteria(withoutForm(query.value), withoutEmpty(root))
    next.delete('view')
    go(`/bugs?${next}`)
  }
  const said = wordsOf(withoutEmpty(root), (name) => fields.label(name)).slice(1, -1)
  return (
    <div class="builder">
      <form
        class="builder-form"
        onSubmit={(event) => {
          event.preventDefault()
          search()
        }}
      >
        <h2>Advanced search</h2>
        {others.length > 0 && (
          <p class="muted">
            Together with {others.map(({ label, text }) => `${label}: ${text}`).join(', ')}, which the filters above
            change.
          </p>
        )}
        <BracketEditor bracket={root} fields={fields} onChange={setRoot} />
        <p class="builder-summary" role="status">
          {said === '' ? 'No condition yet: all bugs are found.' : `Bugs with: ${said}`}
        </p>
        <div class="row">
          <Button kind="primary" type="submit">
            Search
          </Button>
          <Button onClick={() => setRoot(startOf({ join: 'AND', isNegated: false, parts: [] }))}>Start again</Button>
        </div>
      </form>
    </div>
  )
}

/** The rows of the address, and what the search form says in other parameters. */
function allCriteria(search: URLSearchParams): Bracket {
  const [rows, form] = [readCriteria(search), formConditions(search)]
  if (form.length === 0) return rows
  const own = rows.parts.length === 0 ? [] : rows.join === 'AND' ? rows.parts : [rows]
  return { join: 'AND', isNegated: false, parts: [...own, ...form] }
}

/** An empty search begins with one condition to fill in. */
function startOf(root: Bracket): Bracket {
  return root.parts.length > 0 ? root : { ...root, parts: [newCondition()] }
}

/** Conditions without a field, and brackets without conditions, mean nothing. */
function withoutEmpty(bracket: Bracket): Bracket {
  const parts = bracket.parts.map((part) => (isBracket(part) ? withoutEmpty(part) : part))
  return { ...bracket, parts: parts.filter((part) => (isBracket(part) ? part.parts.length > 0 : part.field !== '')) }
}
