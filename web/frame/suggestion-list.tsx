import { Fragment } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { Status } from '../parts/glyphs.tsx'
import { Icon } from '../parts/icon.tsx'
import { Avatar } from '../parts/person.tsx'
import type { Suggestion } from './completion.ts'

const HEADINGS = { field: 'Fields', value: 'Values', person: 'People', bug: 'Bugs' } as const

interface Props {
  id: string
  suggestions: readonly Suggestion[]
  active: number
  onTake(suggestion: Suggestion): void
}

export function SuggestionList({ id, suggestions, active, onTake }: Props) {
  useLayoutEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, active])
  return (
    <div id={`${id}-list`} role="listbox" aria-label="Completions and bugs" class="suggestions">
      {suggestions.map((suggestion, place) => (
        <Fragment key={`${suggestion.kind} ${suggestion.name} ${suggestion.note}`}>
          {suggestion.kind !== suggestions[place - 1]?.kind && (
            <div class="menu-heading" role="presentation">
              {HEADINGS[suggestion.kind]}
            </div>
          )}
          <div
            id={`${id}-${place}`}
            class={place === active ? 'menu-item is-active' : 'menu-item'}
            role="option"
            aria-selected={place === active}
            onClick={() => onTake(suggestion)}
          >
            <Picture suggestion={suggestion} />
            <span class="truncated" dir="auto">
              {suggestion.name}
            </span>
            <span class="menu-item-end">{suggestion.note}</span>
          </div>
          {suggestion.more !== undefined && (
            <div class="empty-line" role="presentation">
              {suggestion.more}
            </div>
          )}
        </Fragment>
      ))}
    </div>
  )
}

function Picture({ suggestion }: { suggestion: Suggestion }) {
  if (suggestion.kind === 'person') return <Avatar id={suggestion.id} name={suggestion.name} />
  if (suggestion.kind === 'bug') return <Status value={suggestion.bug.status} isOpen={suggestion.bug.is_open} short />
  return <Icon name={suggestion.kind === 'field' ? 'filter' : 'tag'} />
}
