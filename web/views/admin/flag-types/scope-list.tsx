import { useState } from 'preact/hooks'
import { Combobox, matchingOptions } from '../../../parts/combobox.tsx'
import { useFocusBack } from '../../../parts/focus-back.ts'
import { Icon } from '../../../parts/icon.tsx'
import { OldValue } from '../changes/changed-value.tsx'
import {
  type FlagTypeState,
  rowInWords,
  rowsOf,
  type ScopeList,
  type ScopeRow,
  scopesInWords,
  scopesOf,
} from './flag-type-state.ts'
import { type FlagTypeProps, scopesNow } from './flag-type-values.ts'

interface Props extends FlagTypeProps {
  list: ScopeList
}

const HEADINGS: Readonly<Record<ScopeList, string>> = { inclusions: 'Applies to', exclusions: 'But not to' }
const TITLES: Readonly<Record<ScopeList, string>> = {
  inclusions: 'where it applies',
  exclusions: 'where it does not apply',
}
const EMPTY: Readonly<Record<ScopeList, string>> = { inclusions: 'every product', exclusions: 'no exception' }

/** Products and components in which flags of the type can be set, or cannot. */
export function ScopeNames({ place, state, list }: Props) {
  const [isAdding, setAdding] = useState(false)
  const button = useFocusBack(isAdding)
  const rows = rowsOf(scopesNow(place, state, list))
  const set = (next: readonly ScopeRow[]) => {
    const scopes = scopesOf(next)
    place.change({
      key: list,
      title: TITLES[list],
      before: scopesInWords(list, state.type[list]),
      after: scopesInWords(list, scopes),
      call: { method: 'PUT', path: `/rest/flag_type/${state.type.id}`, params: { [list]: scopes } },
    })
  }
  const add = (row: ScopeRow) => {
    setAdding(false)
    // A whole product has all its components.
    const others = rows.filter(
      (it) => it.product !== row.product || (row.component !== undefined && it.component !== undefined),
    )
    if (!rows.some((it) => rowInWords(it) === rowInWords(row))) set([...others, row])
  }
  const change = place.draft.get(list)
  return (
    <div class={change && 'is-unsaved'}>
      <h3>{HEADINGS[list]}</h3>
      {rows.length === 0 && <p class="faint">{EMPTY[list]}</p>}
      <ul class="chip-list">
        {rows.map((row) => (
          <li key={rowInWords(row)} class="chip">
            <span dir="auto" class="truncated" title={rowInWords(row)}>
              {row.product}
              {row.component !== undefined && <>: {row.component}</>}
            </span>
            {state.components.has(row.product) && (
              <button
                type="button"
                class="chip-remove"
                aria-label={`Remove ${rowInWords(row)} from “${HEADINGS[list]}”`}
                onClick={() => set(rows.filter((it) => it !== row))}
              >
                <Icon name="x" size="tiny" />
              </button>
            )}
          </li>
        ))}
      </ul>
      {isAdding ? (
        <Combobox
          label={`Product or component for “${HEADINGS[list]}”`}
          placeholder="Product or component"
          value=""
          hasFocus
          options={(text) => matchingOptions(optionsOf(state), text)}
          onChoice={({ value }) => add(JSON.parse(value) as ScopeRow)}
          onCancel={() => setAdding(false)}
        />
      ) : (
        <button ref={button} type="button" class="button button-small" onClick={() => setAdding(true)}>
          <Icon name="plus" />
          Add<span class="visually-hidden"> to “{HEADINGS[list]}”</span>
        </button>
      )}{' '}
      <OldValue change={change} />
    </div>
  )
}

function optionsOf({ components }: FlagTypeState) {
  return [...components].flatMap(([product, names]) => [
    { value: JSON.stringify({ product }), name: product, note: 'all components' },
    ...names.map((component) => ({
      value: JSON.stringify({ product, component }),
      name: rowInWords({ product, component }),
    })),
  ])
}
