import { useState } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { hrefOf } from '../../../core/router.ts'
import type { Field } from '../../../core/server/types.ts'
import { useData } from '../../../core/server/use-data.ts'
import { Combobox, matchingOptions } from '../../../parts/combobox.tsx'
import { SelectField } from '../../../parts/field.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { OldValue } from '../changes/changed-value.tsx'
import { Edited, editedValue } from '../changes/edited-value.tsx'
import { type FieldProps, ORDER } from './field-details.tsx'
import { controllingNames, fieldAddress, fieldKey, isSelect, searchOfFilled } from './field-state.ts'
import { labelOf, ruleInWords } from './field-words.ts'
import { fieldsNow, newValuesIn, pathOf, ruleNow } from './fields-now.ts'

/** When a field and its values are shown, as sentences that are made of the same data as the form. */
export function Visibility(props: FieldProps) {
  const { place, state, field } = props
  const ruled = fieldsNow(state.fields, place.draft).filter((it) => it.visibility_field === field.name)
  const others = state.fields.filter((it) => isSelect(it) && it.name !== field.name && !it.is_obsolete)
  if (!field.is_custom && ruled.length === 0) return null
  return (
    <section class="card admin-card field-visibility" aria-label="When it is shown">
      <h2>When it is shown</h2>
      {field.is_custom && <Rule key={field.name} {...props} others={others} />}
      {field.is_custom && isSelect(field) && <ValueControl {...props} others={others} />}
      {ruled.length > 0 && (
        <ul class="field-sentences">
          {ruled.map((it) => (
            <li key={it.name}>
              <span class="muted">Show</span>{' '}
              <a class="link" dir="auto" href={hrefOf(fieldAddress(it))}>
                {it.display_name}
              </a>{' '}
              <span class="muted">if</span> <bdi>{ruleInWords(state.fields, it)}</bdi>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Rule(props: FieldProps & { others: readonly Field[] }) {
  const { place, state, field, others } = props
  const key = fieldKey(field, 'rule')
  const change = place.draft.get(key)
  const now = ruleNow(field, place.draft)
  /** Chosen, but without a value yet: until it has one, there is no rule to save. */
  const [pending, setPending] = useState<string>()
  const controller = pending ?? now.visibility_field ?? ''
  const values = pending === undefined ? now.visibility_values : []
  const set = (visibility_field: string | null, visibility_values: readonly string[]) => {
    setPending(undefined)
    place.change({
      key,
      title: `when ${field.display_name} is shown`,
      before: ruleInWords(state.fields, field),
      after: ruleInWords(state.fields, { visibility_field, visibility_values: [...visibility_values] }),
      order: ORDER.field,
      call: { method: 'PUT', path: pathOf(field), params: { visibility_field, visibility_values } },
    })
  }
  const choose = (name: string) => {
    if (name === '') return set(null, [])
    if (name === field.visibility_field) return set(name, field.visibility_values)
    setPending(name)
  }
  const remove = (value: string) => {
    const left = values.filter((it) => it !== value)
    if (left.length > 0) return set(controller, left)
    place.draft.drop(key)
    setPending(controller)
  }
  const controlling = others.find((it) => it.name === controller)
  const offered = [
    ...controllingNames(state, controller),
    ...(controlling === undefined ? [] : newValuesIn(controlling, place.draft).map(({ after }) => after)),
  ].filter((name) => !values.includes(name))
  return (
    <div class={change || pending !== undefined ? 'field-rule is-unsaved' : 'field-rule'}>
      <p dir="auto">
        <span class="muted">Show</span> <b dir="auto">{field.display_name}</b>{' '}
        {pending === undefined && now.visibility_field === null ? (
          'always.'
        ) : (
          <>
            <span class="muted">if</span> <bdi>{labelOf(state.fields, controller)}</bdi> is{' '}
            {values.length === 0 ? '…' : `${values.join(' or ')}.`}
          </>
        )}{' '}
        <OldValue change={change} />
      </p>
      <div class="field-rule-form">
        <SelectField
          label="Depends on"
          value={controller}
          options={[
            { value: '', name: 'nothing: always shown' },
            ...others.map((it) => ({ value: it.name, name: it.display_name })),
          ]}
          onChoice={choose}
        />
        {controller !== '' && (
          <div>
            <ul class="chip-list">
              {values.map((value) => (
                <li key={value} class="chip">
                  <span dir="auto" class="truncated">
                    {value}
                  </span>
                  <button
                    type="button"
                    class="chip-remove"
                    aria-label={`Remove ${value}`}
                    onClick={() => remove(value)}
                  >
                    <Icon name="x" size="tiny" />
                  </button>
                </li>
              ))}
            </ul>
            <Combobox
              key={controller}
              label={`Value of ${labelOf(state.fields, controller)}`}
              placeholder="Add a value"
              value=""
              isForSeveral
              source={`${controller} ${values.length}`}
              options={(text) =>
                matchingOptions(
                  offered.map((name) => ({ value: name, name })),
                  text,
                )
              }
              onChoice={({ value }) => set(controller, [...values, value])}
            />
          </div>
        )}
      </div>
      {pending !== undefined && <p class="hint">Add a value: a rule without one is not saved.</p>}
      {change !== undefined && now.visibility_field !== null && <HiddenCount field={field} rule={now} />}
    </div>
  )
}

/** How many bugs that the reader may see keep a value where the field will not be shown. */
function HiddenCount({ field, rule }: { field: Field; rule: Pick<Field, 'visibility_field' | 'visibility_values'> }) {
  const search = searchOfFilled(field)
  rule.visibility_values.forEach((value, place) => {
    search[`f${place + 2}`] = rule.visibility_field ?? ''
    search[`o${place + 2}`] = 'notequals'
    search[`v${place + 2}`] = value
  })
  const { body } = useData(addressOf('/bug', { ...search, count_only: 1 }))
  const count = Number(body?.bug_count ?? 0)
  return (
    <p class="hint" role="status">
      A hidden field keeps its values.{' '}
      {body !== undefined && (
        <>
          {count === 1 ? '1 bug has a value' : `${count} bugs have a value`} where it will be hidden.{' '}
          {count > 0 && (
            <a class="link" href={hrefOf(`/bugs?${new URLSearchParams(search)}`)}>
              See them
            </a>
          )}
        </>
      )}
    </p>
  )
}

/** Which of its values are offered may depend on another field. Each value says when. */
function ValueControl({ place, field, others }: FieldProps & { others: readonly Field[] }) {
  const options = [
    { value: '', name: 'nothing: all are offered' },
    ...others.map((it) => ({ value: it.name, name: it.display_name })),
  ]
  const control = editedValue(place, {
    key: fieldKey(field, 'value_field'),
    title: `what the values of ${field.display_name} depend on`,
    before: field.value_field ?? '',
    words: Object.fromEntries(options.map(({ value, name }) => [value, name])),
    order: ORDER.field,
    call: (after) => ({ method: 'PUT', path: pathOf(field), params: { value_field: after || null } }),
  })
  return (
    <Edited value={control}>
      <SelectField
        label="Its values depend on"
        value={control.value}
        options={options}
        hint={
          control.change === undefined
            ? 'A value can be offered only with some of them: choose Edit at the value.'
            : 'All values are offered until each has its condition.'
        }
        onChoice={control.set}
      />
    </Edited>
  )
}
