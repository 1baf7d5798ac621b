import { useEffect, useId, useState } from 'preact/hooks'
import { isAdmin } from '../../../core/account/session.ts'
import { loadPeople, personBy } from '../../../core/bugs/people.ts'
import { Button, IconButton } from '../../../parts/button.tsx'
import { FieldError } from '../../../parts/field.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { nameOf } from '../../../parts/person.tsx'
import { Time } from '../../../parts/time.tsx'
import { LinkTemplatesPreview } from './link-templates-preview.tsx'
import { inWords, isAltered, type Parameter, piecesOf } from './parameter.ts'
import { ParameterInput } from './parameter-input.tsx'
import { useParameter } from './use-parameter.ts'

interface Props {
  parameter: Parameter
  words: readonly string[]
  version: number
  onSaved(): void
}

export function ParameterRow({ parameter, words, version, onSaved }: Props) {
  const id = useId()
  const { name, title, about, default: shipped, last_change } = parameter
  const state = useParameter(parameter, version, onSaved)
  const mayChange = isAdmin.value || !parameter.is_for_administrators
  const isChanged = isAltered(parameter)
  const who = last_change?.who
  useEffect(() => void (who && loadPeople([who])), [who])
  return (
    <li class={isChanged ? 'parameter is-changed' : 'parameter'} data-name={name} tabIndex={-1}>
      <div class="parameter-name">
        <b>
          <Marked text={title} words={words} />
        </b>
        {isChanged && <span class="badge badge-accent">changed</span>}
        <span class="monospace faint">
          <Marked text={name} words={words} />
        </span>
        <p class="muted" id={`${id}-about`}>
          <Marked text={about} words={words} />
        </p>
      </div>
      <div class="parameter-control">
        {mayChange ? (
          <Control parameter={parameter} state={state} describedBy={`${id}-about ${id}-error`} />
        ) : (
          <span class="parameter-fixed">
            <Icon name="lock" />
            <span class="monospace">{inWords(parameter, parameter.value)}</span>
            <span class="faint">only members of admin change it</span>
          </span>
        )}
        {name === 'link_templates' && <LinkTemplatesPreview typed={state.text} saved={parameter.value} />}
        <div role="alert">
          {state.error !== undefined && (
            <FieldError
              id={`${id}-error`}
              error={
                state.isLate
                  ? `${state.error} It is now “${inWords(parameter, parameter.value)}”. Save again to overwrite it.`
                  : `${state.error} Not saved yet.`
              }
            />
          )}
        </div>
      </div>
      <div class="parameter-default">
        <span class="truncated" title={inWords(parameter, shipped)}>
          <span class="faint">Default</span> {inWords(parameter, shipped)}
        </span>
        <span class="faint">
          {last_change === null ? (
            'never changed'
          ) : (
            <>
              {last_change.who === null ? 'changed' : nameOf(personBy(last_change.who))}{' '}
              <Time at={last_change.at} isInSentence />
            </>
          )}
        </span>
      </div>
      <div class="parameter-back">
        {isChanged && mayChange && (
          <IconButton
            name={`${title}: back to the default, ${inWords(parameter, shipped)}`}
            icon="undo"
            onClick={() => void state.save(shipped)}
          />
        )}
      </div>
    </li>
  )
}

interface ControlProps {
  parameter: Parameter
  state: ReturnType<typeof useParameter>
  describedBy: string
}

/** A secret is replaced, never shown. */
function Control({ parameter, state, describedBy }: ControlProps) {
  const [isReplacing, setReplacing] = useState(false)
  if (parameter.kind !== 'secret' || isReplacing)
    return <ParameterInput {...{ parameter, state, describedBy }} onLeave={() => setReplacing(false)} />
  return (
    <div class="row">
      <span class="monospace">{parameter.value === '' ? 'none' : '••••••••'}</span>
      <Button size="small" onClick={() => setReplacing(true)}>
        {parameter.value === '' ? 'Set…' : 'Replace…'}
      </Button>
    </div>
  )
}

function Marked({ text, words }: { text: string; words: readonly string[] }) {
  return (
    <>{piecesOf(text, words).map((piece, place) => (place % 2 === 1 ? <mark key={place}>{piece}</mark> : piece))}</>
  )
}
