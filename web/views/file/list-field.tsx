import type { ComponentChildren } from 'preact'
import { Combobox, type Option } from '../../parts/combobox.tsx'
import { Field } from '../../parts/field.tsx'
import { Icon } from '../../parts/icon.tsx'
import { itemsIn } from './values-once-filed.ts'

interface Props {
  label: string
  value: string
  onValue(value: string): void
  options(text: string): readonly Option[] | Promise<readonly Option[]>
  error: string | undefined
  placeholder?: string
  isNeeded?: boolean
  /** Only options can be chosen. */
  isClosed?: boolean
  /** How an item is shown. */
  show?(item: string): ComponentChildren
}

/** Each item can be removed, and one can be added. */
export function ListField(props: Props) {
  const { label, value, onValue, options, error, placeholder = 'Add', isNeeded, isClosed, show } = props
  const items = itemsIn(value)
  const add = (text: string) => onValue([...new Set([...items, ...itemsIn(text)])].join(', '))
  const offered = async (text: string) => (await options(text)).filter((option) => !items.includes(option.value))
  return (
    <Field label={label} error={error} {...(isNeeded && { isNeeded })}>
      {({ id, describedBy, isInvalid }) => (
        <>
          {items.map((item) => (
            <span key={item} class="chip file-list-item">
              <span dir="auto" class="truncated">
                {show?.(item) ?? item}
              </span>
              <button
                type="button"
                class="chip-remove"
                aria-label={`Remove ${item}`}
                onClick={() => onValue(items.filter((it) => it !== item).join(', '))}
              >
                <Icon name="x" size="tiny" />
              </button>
            </span>
          ))}
          <Combobox
            id={id}
            describedBy={describedBy}
            isInvalid={isInvalid}
            label={label}
            value=""
            isForSeveral
            source={value}
            placeholder={placeholder}
            options={offered}
            onChoice={(option) => add(option.value)}
            {...(!isClosed && { isFree: true, isTakenOnLeaving: true })}
          />
        </>
      )}
    </Field>
  )
}
