import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { restNameOf } from '../../../../shared/bug-fields/field-names.ts'
import { usesMarkdown } from '../../../core/account/session.ts'
import { type FieldList, isList } from '../../../core/bugs/fields.ts'
import { dropDraft, keepDraft, readDraft } from '../../../core/drafts/drafts.ts'
import { Button } from '../../../parts/button.tsx'
import { Combobox, matchingOptions, type Option } from '../../../parts/combobox.tsx'
import { displayValue } from '../../../parts/glyphs.tsx'
import { peopleLike } from '../../../parts/options.ts'
import { selectedBugs } from '../state.ts'
import type { Rows } from '../table/rows.ts'
import { type ChosenChange, chooseChange } from './bulk-changes.ts'

interface Props {
  name: string
  label: string
  fields: FieldList
  rows: Rows
  /** With the name of the field that has to be asked for next. */
  onClose(next?: string): void
}

/** Asks for the new value of one field of all selected bugs. */
export function BulkField({ name, label, fields, rows, onClose }: Props) {
  const box = useRef<HTMLDivElement>(null)
  useFocusAfter()
  useEffect(() => {
    const leave = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) onClose()
    }
    addEventListener('pointerdown', leave)
    return () => removeEventListener('pointerdown', leave)
  }, [])
  const take = (value: string, said: string) => {
    chooseChange({ field: name, label, value: said, body: bodyFor(name, value) })
    onClose(needsResolution(name, value, fields) ? 'resolution' : undefined)
  }
  return (
    <div
      class="popup bulk-popup"
      ref={box}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !box.current?.contains(relatedTarget)) onClose()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      <b>{label}</b>
      <Control name={name} label={label} fields={fields} rows={rows} onTake={take} />
    </div>
  )
}

/** Leads back to the button that opened it. That of a field that is chosen now is gone, and the next step is the preview. */
function useFocusAfter() {
  const [before] = useState(() => document.activeElement as HTMLElement | null)
  useLayoutEffect(
    () => () =>
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return
        if (before?.isConnected && before !== document.body) before.focus()
        else document.querySelector<HTMLElement>('.bulk-bar > .button-primary')?.focus()
      }),
    [],
  )
}

interface ControlProps extends Omit<Props, 'onClose'> {
  onTake(value: string, said: string): void
}

function Control({ name, label, fields, rows, onTake }: ControlProps) {
  if (name === 'comment') return <CommentText onTake={onTake} />
  const kind = fields.kind(name)
  if (kind === 'text' || kind === 'time') return <TextValue label={label} isDay={kind === 'time'} onTake={onTake} />
  const products = productsOf(rows)
  const options: readonly Option[] = fields
    .values(name, products)
    .filter(({ is_active: isActive }) => isActive !== false)
    .map(({ name: value }) => ({ value: value ?? '', name: displayValue(value ?? ''), also: value ?? '' }))
  return (
    <Combobox
      label={`New value of ${label}`}
      value=""
      hasFocus
      options={kind === 'person' ? peopleLike : (text) => matchingOptions(options, text)}
      onChoice={(option) => onTake(option.value, option.name)}
    />
  )
}

/** Versions, milestones and components are those of the products of the selected bugs. */
function productsOf(rows: Rows): readonly string[] {
  return [...new Set(rows.loaded.filter(({ id }) => selectedBugs.value.has(id)).map(({ product }) => product))]
}

function bodyFor(name: string, value: string): ChosenChange['body'] {
  if (name === 'comment') return { comment: { body: value, ...(usesMarkdown.value && { is_markdown: true }) } }
  if (isList(name)) return { [name]: { add: [value] } }
  return { [restNameOf(name)]: value }
}

function needsResolution(name: string, value: string, fields: FieldList) {
  return name === 'status' && fields.values('status').find((it) => it.name === value)?.is_open === false
}

function TextValue({ label, isDay, onTake }: { label: string; isDay: boolean; onTake: ControlProps['onTake'] }) {
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => input.current?.focus(), [])
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault()
        onTake(text, text === '' ? 'nothing' : text)
      }}
    >
      <input
        ref={input}
        class="input"
        type={(isDay ? 'date' : 'text') as 'text'}
        aria-label={`New value of ${label}`}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <Button size="small" type="submit">
        Choose
      </Button>
    </form>
  )
}

const DRAFT = 'comment of a bulk change'

function CommentText({ onTake }: { onTake: ControlProps['onTake'] }) {
  const [text, setText] = useState(() => readDraft<string>(DRAFT) ?? '')
  const area = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => area.current?.focus(), [])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() === '') return
        dropDraft(DRAFT)
        onTake(text, text.length > 24 ? `${text.slice(0, 24)}…` : text)
      }}
    >
      <textarea
        ref={area}
        class="input"
        rows={4}
        aria-label="Comment on all selected bugs"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value)
          keepDraft(DRAFT, event.currentTarget.value)
        }}
      />
      <Button size="small" type="submit">
        Add the comment
      </Button>
    </form>
  )
}
