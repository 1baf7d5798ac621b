import { useId } from 'preact/hooks'
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
  const replace = (place: number, part: Part | undefined) => {
    const parts = bracket.parts.flatMap((it, at) => (at === place ? (part === undefined ? [] : [part]) : [it]))
    onChange({ ...bracket, parts })
  }
  const add = (part: Part) => onChange({ ...bracket, parts: [...bracket.parts, part] })
  return (
    <fieldset class="bracket">
      <legend class="vh">{onRemove === undefined ? 'Conditions' : 'Bracket'}</legend>
      <div class="row bracket-h">
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
        {onRemove !== undefined && <IconButton name="Remove the bracket" icon="x" size="s" onClick={onRemove} />}
      </div>
      {bracket.parts.map((part, place) =>
        isBracket(part) ? (
          <BracketEditor
            key={place}
            bracket={part}
            fields={fields}
            onChange={(next) => replace(place, next)}
            onRemove={() => replace(place, undefined)}
          />
        ) : (
          <ConditionEditor
            key={place}
            condition={part}
            fields={fields}
            onChange={(next) => replace(place, next)}
            onRemove={() => replace(place, undefined)}
          />
        ),
      )}
      <div class="row">
        <Button size="s" kind="quiet" icon="plus" onClick={() => add(newCondition())}>
          Condition
        </Button>
        <Button
          size="s"
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
