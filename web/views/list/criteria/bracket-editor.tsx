import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import type { FieldList } from '../../../core/bugs/fields.ts'
import { Button, IconButton } from '../../../parts/button.tsx'
import { ConditionEditor } from './condition-editor.tsx'
import { type Bracket, isBracket, type Join, newCondition, type Part } from './criteria.ts'
import { Negation } from './negation.tsx'

interface Props {
  bracket: Bracket
  fields: FieldList
  onChange(bracket: Bracket): void
  /** Absent for the outermost bracket. */
  onRemove?(): void
}

const JOINS: readonly (readonly [Join, string])[] = [
  ['AND', 'all of these hold'],
  ['OR', 'any of these holds'],
  ['AND_G', 'all hold for the same comment, attachment, flag or change'],
]

/** Conditions that are joined, and further brackets among them. */
export function BracketEditor({ bracket, fields, onChange, onRemove }: Props) {
  const id = useId()
  const { box, focusLater } = useFocusInBracket()
  const replace = (place: number, before: Part, part: Part) => {
    keys.set(part, keyOf(before))
    onChange({ ...bracket, parts: bracket.parts.with(place, part) })
  }
  const add = (part: Part) => {
    focusLater('last part')
    onChange({ ...bracket, parts: [...bracket.parts, part] })
  }
  const remove = (place: number) => {
    focusLater('add')
    onChange({ ...bracket, parts: bracket.parts.toSpliced(place, 1) })
  }
  return (
    <fieldset class="bracket" ref={box}>
      <legend class="visually-hidden">{onRemove === undefined ? 'Conditions' : 'Bracket'}</legend>
      <div class="row bracket-head">
        {onRemove !== undefined && (
          <Negation part={bracket} onChange={(isNegated) => onChange({ ...bracket, isNegated })} />
        )}
        <label for={id}>Bugs for which</label>
        <select
          id={id}
          class="input select"
          value={bracket.join}
          onChange={(event) => onChange({ ...bracket, join: event.currentTarget.value as Join })}
        >
          {JOINS.map(([join, words]) => (
            <option key={join} value={join}>
              {words}
            </option>
          ))}
        </select>
        {onRemove !== undefined && <IconButton name="Remove the bracket" icon="x" size="small" onClick={onRemove} />}
      </div>
      {bracket.parts.map((part, place) =>
        isBracket(part) ? (
          <BracketEditor
            key={keyOf(part)}
            bracket={part}
            fields={fields}
            onChange={(next) => replace(place, part, next)}
            onRemove={() => remove(place)}
          />
        ) : (
          <ConditionEditor
            key={keyOf(part)}
            condition={part}
            fields={fields}
            onChange={(next) => replace(place, part, next)}
            onRemove={() => remove(place)}
          />
        ),
      )}
      <div class="row">
        <Button size="small" kind="quiet" icon="plus" onClick={() => add(newCondition())}>
          Condition
        </Button>
        <Button
          size="small"
          kind="quiet"
          icon="plus"
          onClick={() => add({ join: 'OR', isNegated: false, parts: [newCondition(), newCondition()] })}
        >
          Bracket
        </Button>
      </div>
    </fieldset>
  )
}

/** What is typed into a part stays with it when another one before it is removed. */
const keys = new WeakMap<Part, number>()
let lastKey = 0

function keyOf(part: Part): number {
  const key = keys.get(part) ?? ++lastKey
  keys.set(part, key)
  return key
}

/** After a step the focus is where one goes on: in the part that was added, or where another one can be added. */
function useFocusInBracket() {
  const box = useRef<HTMLFieldSetElement>(null)
  const wanted = useRef<'last part' | 'add'>(undefined)
  useLayoutEffect(() => {
    const target = wanted.current
    wanted.current = undefined
    if (target === 'last part')
      [...(box.current?.querySelectorAll(':scope > .condition, :scope > .bracket') ?? [])]
        .at(-1)
        ?.querySelector('select')
        ?.focus()
    else if (target === 'add') box.current?.querySelector<HTMLElement>(':scope > .row:last-child button')?.focus()
  })
  const focusLater = (target: 'last part' | 'add') => {
    wanted.current = target
  }
  return { box, focusLater }
}
