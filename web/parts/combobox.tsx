import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { afterPress } from './after-press.ts'
import { matching } from './matching.ts'

export interface Option {
  value: string
  name: string
  /** Text at the end of the row, such as a count or a login name. */
  note?: string
  /** Another name that finds it, such as that of the REST API. */
  also?: string
  /** Why it cannot be chosen. */
  refused?: string
  /** It is no option, but a sentence below them, such as that there are more. */
  isNote?: boolean
}

interface Props {
  label: string
  value: string
  /** The options for the typed text; without text, the most likely ones. */
  options(text: string): readonly Option[] | Promise<readonly Option[]>
  /** What the options are taken from. When it changes, `options` is called again. */
  source?: unknown
  onChoice(option: Option): void
  onCancel?(): void
  /** Called with each change of the text. Only with `isFree`. */
  onText?(text: string): void
  placeholder?: string
  /** It is empty again after each choice, for the next one. */
  isForSeveral?: boolean
  /** Any text may be chosen, not only an option. */
  isFree?: boolean
  hasFocus?: boolean
  /** Free text that was typed is taken when the field is left. */
  isTakenOnLeaving?: boolean
  /** These come from Field. */
  id?: string
  describedBy?: string | undefined
  isInvalid?: boolean
}

/**
 * A text field with a list of options below it, as the ARIA pattern describes it: arrows move, Enter and Tab take the option, Escape
 * restores.
 */
export function Combobox(props: Props) {
  const { label, value, onChoice, onCancel, onText, placeholder, isFree, hasFocus } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(value)
  const [isOpen, setOpen] = useState(false)
  const [isTyped, setTyped] = useState(false)
  const { shown, notes, isCurrent, active, setActive } = useShownOptions(props, text, isOpen, isTyped)
  /** Enter or Tab was pressed before the options for the text were there: the active one of those is taken, not one for an earlier text. */
  const isTakenLater = useRef(false)

  useLayoutEffect(() => setText(value), [value])
  useLayoutEffect(() => {
    if (!hasFocus) return
    input.current?.focus()
    input.current?.select()
  }, [hasFocus])

  useLayoutEffect(() => {
    if (isOpen) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [isOpen, active, shown])

  const close = () => {
    isTakenLater.current = false
    setOpen(false)
    setTyped(false)
  }
  const choose = (option: Option, end = close) => {
    if (option.refused !== undefined) return
    setText(props.isForSeveral ? '' : option.name)
    end()
    onChoice(option)
  }
  const take = () => {
    const option = (isOpen ? shown[active] : undefined) ?? (isFree ? { value: text, name: text } : undefined)
    if (option !== undefined) choose(option)
    return option !== undefined
  }
  useLayoutEffect(() => {
    if (!isTakenLater.current || !isCurrent) return
    isTakenLater.current = false
    take()
  }, [isCurrent])
  const onKeyDown = (event: KeyboardEvent) => {
    // With Ctrl, Enter sends the form.
    if (event.ctrlKey || event.metaKey) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      const step = event.key === 'ArrowDown' ? 1 : -1
      setActive((last) => (shown.length === 0 ? 0 : (last + step + shown.length) % shown.length))
    } else if (event.key === 'Enter' || (event.key === 'Tab' && isOpen && isTyped)) {
      const isTab = event.key === 'Tab'
      if (isTab && isFree && (!isCurrent || shown[active] === undefined)) return
      isTakenLater.current = isOpen && !isCurrent
      // Enter on a text that nothing matches must not send the form around it.
      if (isTakenLater.current || take() || (!isTab && isTyped && isOpen)) event.preventDefault()
    } else if (event.key === 'Escape') {
      // If there is nothing to restore, Escape goes on to the dialog or the editor around the field.
      if (isTyped || onCancel !== undefined) {
        event.preventDefault()
        event.stopPropagation()
      }
      setText(value)
      close()
      onCancel?.()
    }
  }
  return (
    <div class="combobox">
      <div class={props.isInvalid ? 'input is-invalid' : 'input'}>
        <input
          ref={input}
          id={props.id}
          aria-describedby={props.describedBy}
          aria-invalid={props.isInvalid}
          role="combobox"
          autofocus={hasFocus}
          aria-label={label}
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && shown.length > 0 ? `${id}-${active}` : undefined}
          autocomplete="off"
          spellcheck={false}
          value={text}
          placeholder={placeholder}
          onInput={(event) => {
            isTakenLater.current = false
            setText(event.currentTarget.value)
            onText?.(event.currentTarget.value)
            setTyped(true)
            setOpen(true)
          }}
          onFocus={() => setOpen(true)}
          onBlur={() => {
            const end = () => afterPress(close)
            if (props.isTakenOnLeaving && isTyped && text.trim() !== '') return choose({ value: text, name: text }, end)
            if (isTyped && onText === undefined) setText(value)
            end()
            onCancel?.()
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      {isOpen && <OptionList {...props} id={id} shown={shown} notes={notes} active={active} onChoice={choose} />}
    </div>
  )
}

/** More are not read, but found by typing. */
const MOST_SHOWN = 50

interface Found {
  options: readonly Option[]
  /** What they were found for. */
  text?: string
  source?: unknown
}

/** The options for the text, and the one that is active. Options that arrive after the text has changed are dropped. */
function useShownOptions({ options, source, value }: Props, text: string, isOpen: boolean, isTyped: boolean) {
  const wanted = isTyped ? text : ''
  const [found, setFound] = useState<Found>({ options: [] })
  const [active, setActive] = useState(0)
  // Not useEffect, which would wait for the next picture.
  useLayoutEffect(() => {
    if (!isOpen) return
    let isDropped = false
    const show = (options: readonly Option[]) => {
      if (isDropped) return
      const current = options.findIndex((option) => !isTyped && option.value === value)
      setFound({ options, text: wanted, source })
      setActive(Math.max(0, current))
    }
    Promise.resolve(options(wanted)).then(show, () => show([]))
    return () => {
      isDropped = true
    }
  }, [wanted, isOpen, isTyped, source])
  /** Those for an earlier text stay until the new ones have arrived, so that the list does not flicker. */
  const isCurrent = found.text === wanted && found.source === source
  const all = found.options.filter(({ isNote }) => !isNote)
  const shown = all.slice(0, MOST_SHOWN)
  const more = all.length > MOST_SHOWN ? [`${all.length - MOST_SHOWN} more. Type to find them.`] : []
  const notes = [...more, ...found.options.filter(({ isNote }) => isNote).map(({ name }) => name)]
  return { shown, notes, isCurrent, active, setActive }
}

/** For the end of a list of which there is more. */
export function noteOf(name: string): Option {
  return { value: '', name, isNote: true }
}

interface OptionListProps extends Pick<Props, 'label' | 'value' | 'isFree' | 'onChoice'> {
  id: string
  shown: readonly Option[]
  notes: readonly string[]
  active: number
}

function OptionList({ id, label, value, isFree, shown, notes, active, onChoice }: OptionListProps) {
  return (
    <div class="popup" onMouseDown={(event) => event.preventDefault()}>
      <div id={`${id}-list`} role="listbox" aria-label={label}>
        {shown.map((option, index) => (
          <div
            key={option.value}
            id={`${id}-${index}`}
            class={index === active ? 'menu-item is-active' : 'menu-item'}
            role="option"
            aria-selected={index === active}
            aria-disabled={option.refused === undefined ? undefined : 'true'}
            onClick={() => onChoice(option)}
          >
            <span dir="auto">{option.name === '' ? 'None' : option.name}</span>
            <span class="menu-item-end">{option.refused ?? (option.value === value ? 'now' : option.note)}</span>
          </div>
        ))}
      </div>
      {shown.length === 0 && (isFree || notes.length === 0) && (
        <div class="empty-line">{isFree ? 'Press Enter to use this text.' : 'Nothing matches.'}</div>
      )}
      {notes.map((note) => (
        <div key={note} class="empty-line">
          {note}
        </div>
      ))}
    </div>
  )
}

/** The options that match the typed text by their name, note or other name, the best first. */
export function matchingOptions(options: readonly Option[], text: string): readonly Option[] {
  return matching(options, text, ({ name, also, note }) => [name, also, note])
}
