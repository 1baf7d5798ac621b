import { useEffect, useRef } from 'preact/hooks'
import type { Bug } from '../../../core/server/types.ts'
import { Combobox, matchingOptions, type Option } from '../../../parts/combobox.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { bugsLike } from '../../../parts/options.ts'
import type { BugStore } from '../bug-store.ts'
import { useBug, useBugStore } from '../use-bug.ts'
import { closeEditor } from './editing.ts'
import { valueIn, valuesFor } from './field-names.ts'
import { peopleLike } from './people-options.ts'
import type { Property } from './properties.ts'
import { changeList, valueInWords } from './save.ts'

/** Each item can be removed, and one can be added. Every step is saved at once. */
export function ListEditor({ property }: { property: Property }) {
  const store = useBugStore()
  const bug = useBug()
  const box = useRef<HTMLDivElement>(null)
  const { name, label, kind } = property
  const items = ((valueIn(bug, name) ?? []) as (string | number)[]).map(String)
  const close = () => closeEditor(store, name, true)
  useEffect(() => {
    const leave = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) close()
    }
    addEventListener('pointerdown', leave)
    return () => removeEventListener('pointerdown', leave)
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    close()
  }
  return (
    <div class="list-editor" ref={box} onKeyDown={onKeyDown} role="group" aria-label={label}>
      {items.length > 0 && (
        <span class="row wrap">
          {items.map((item) => (
            <span key={item} class="chip">
              <span dir="auto">{valueInWords(name, item)}</span>
              <button
                type="button"
                class="chip-remove"
                aria-label={`Remove ${valueInWords(name, item)}`}
                onClick={() => changeList(store, property, { remove: [item] })}
              >
                <Icon name="x" size="tiny" />
              </button>
            </span>
          ))}
        </span>
      )}
      <Combobox
        key={items.join(' ')}
        label={`Add to ${label}`}
        value=""
        placeholder={PLACEHOLDERS[kind] ?? 'Add'}
        options={(text) => optionsFor(store, bug, property, items, text)}
        onChoice={({ value }) => void (value.trim() !== '' && changeList(store, property, { add: [value.trim()] }))}
        isFree={kind === 'names' || kind === 'addresses' || kind === 'bugs'}
        hasFocus
      />
    </div>
  )
}

const PLACEHOLDERS: Readonly<Record<string, string>> = {
  people: 'Add a person',
  bugs: 'Number, alias or words',
  addresses: 'Address or number',
  names: 'Add a name',
}

async function optionsFor(
  store: BugStore,
  bug: Bug,
  { kind, field }: Property,
  items: readonly string[],
  text: string,
): Promise<readonly Option[]> {
  if (kind === 'people') return (await peopleLike(store, text)).filter(({ value }) => !items.includes(value))
  if (kind === 'bugs') return bugsLike(text, bug.id)
  if (kind === 'names' || kind === 'addresses') return []
  const values = valuesFor(bug, store.field(field ?? '')).filter(({ name }) => !items.includes(name ?? ''))
  return matchingOptions(
    values.map(({ name, description }) => ({
      value: name ?? '',
      name: name ?? '',
      ...(description !== undefined && { note: description }),
    })),
    text,
  )
}
