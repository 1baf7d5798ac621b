import { useState } from 'preact/hooks'
import { hrefOf } from '../../../core/router.ts'
import type { Field } from '../../../core/server/types.ts'
import { Icon } from '../../../parts/icon.tsx'
import { FindBox } from '../changes/find-box.tsx'
import { isFound } from '../changes/is-found.ts'
import { DragHandle, useOrdering } from '../changes/ordering.tsx'
import type { Place } from '../changes/use-place.ts'
import { changeOrder } from './change-order.ts'
import { ORDER } from './field-details.tsx'
import { type FieldsState, fieldAddress, hasOwnValues, ORDER_KEY, ownValues } from './field-state.ts'
import { ruleInWords, typeInWords } from './field-words.ts'
import { fieldsNow, pathOf } from './fields-now.ts'

interface Props {
  place: Place<FieldsState>
  state: FieldsState
  current: string | undefined
}

/** Where the values of other built-in fields are changed. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['product', '/admin/products'],
  ['component', '/admin/products'],
  ['version', '/admin/products'],
  ['target_milestone', '/admin/products'],
  ['classification', '/admin/classifications'],
  ['keywords', '/admin/keywords'],
  ['flagtypes.name', '/admin/flag-types'],
])

export function FieldList({ place, state, current }: Props) {
  const [text, setText] = useState('')
  const now = fieldsNow(state.fields, place.draft)
  const isMatch = (field: Field) => isFound(text, field.name, field.display_name, field.description ?? '')
  const custom = now.filter((it) => it.is_custom)
  const standard = now.filter((it) => !it.is_custom && isMatch(it))
  const chosen = standard.filter(hasOwnValues)
  const others = standard.filter((it) => !hasOwnValues(it))
  const ordering = useOrdering({
    list: 'fields',
    ids: custom.map(({ name }) => name),
    onOrder: (names) => {
      const saved = state.fields
        .filter((it) => it.is_custom)
        .map((it) => ({ name: it.display_name, sort_key: it.sort_key ?? 0, path: pathOf(it), id: it.name }))
      const byName = new Map(saved.map((row) => [row.id, row]))
      const next = names.flatMap((name) => byName.get(name) ?? [])
      changeOrder(place, { key: ORDER_KEY, title: 'order of the fields', order: ORDER.field, saved, next })
    },
  })
  const shown = custom.filter(isMatch)
  return (
    <nav class="card field-list" aria-label="Fields">
      <div class="admin-card">
        <FindBox label="Find a field" text={text} onText={setText} found={shown.length + standard.length} />
      </div>
      <div class="menu-heading">Your fields</div>
      <p class="visually-hidden" role="status">
        {ordering.said}
      </p>
      {custom.length === 0 && <p class="admin-note faint">None yet.</p>}
      <ul>
        {shown.map((field) => (
          <li
            key={field.name}
            class={[
              isChanged(place, field) && 'is-unsaved',
              ordering.isLifted(field.name) && 'is-lifted',
              field.is_obsolete && 'is-closed',
            ]
              .filter(Boolean)
              .join(' ')}
            {...ordering.rowProps(field.name)}
          >
            <DragHandle ordering={ordering} id={field.name} name={field.display_name} />
            <a href={hrefOf(fieldAddress(field))} aria-current={field.name === current ? 'page' : undefined}>
              <b dir="auto">{field.display_name}</b>
              <span class="faint small truncated" dir="auto">
                {typeInWords(field)} · {whereOf(now, field)}
              </span>
            </a>
          </li>
        ))}
      </ul>
      {chosen.length > 0 && <div class="menu-heading">Built in: only their values change</div>}
      <ul>
        {chosen.map((field) => (
          <li key={field.name} class={isChanged(place, field) ? 'is-built-in is-unsaved' : 'is-built-in'}>
            <Icon name="lock" size="small" />
            <a href={hrefOf(fieldAddress(field))} aria-current={field.name === current ? 'page' : undefined}>
              <span dir="auto">{field.display_name}</span>
              <span class="faint small">{ownValues(field).length} values</span>
            </a>
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <details class="field-others" open={text !== ''}>
          <summary>Other built-in fields ({others.length})</summary>
          <ul>
            {others.map((field) => (
              <li key={field.name}>
                {ELSEWHERE.has(field.name) ? (
                  <a class="link" href={hrefOf(ELSEWHERE.get(field.name) ?? '')}>
                    {field.display_name}
                  </a>
                ) : (
                  field.display_name
                )}{' '}
                <span class="monospace faint small">{field.name}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </nav>
  )
}

function isChanged({ draft }: Place<FieldsState>, { name }: Field) {
  return draft.changes.value.some(
    ({ key }) => key.startsWith(`field ${name} `) || /^values? (\S+)/.exec(key)?.[1] === name,
  )
}

function whereOf(fields: readonly Field[], field: Field) {
  if (field.is_obsolete) return 'no longer used'
  return field.visibility_field === null ? 'everywhere' : `if ${ruleInWords(fields, field)}`
}
