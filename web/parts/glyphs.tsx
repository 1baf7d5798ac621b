// Status, priority and severity: each has a shape of its own, and its word beside it wherever there is room.
import { Icon } from './icon.tsx'

interface Props {
  value: string
  /** Show only the shape; the word is there for screen readers and on hover. */
  short?: boolean
}

const STATUS_SHAPES: Readonly<Record<string, string>> = {
  UNCONFIRMED: 'unconfirmed',
  CONFIRMED: 'confirmed',
  NEW: 'confirmed',
  ASSIGNED: 'progress',
  IN_PROGRESS: 'progress',
  REOPENED: 'confirmed',
  WAITING: 'waiting',
  NEEDINFO: 'waiting',
  RESOLVED: 'resolved',
  CLOSED: 'resolved',
  VERIFIED: 'verified',
}

const PRIORITY_SHAPES = ['highest', 'high', 'normal', 'low', 'lowest', 'none'] as const
const SEVERITY_SHAPES = ['blocker', 'critical', 'major', 'normal', 'minor', 'trivial', 'enhancement'] as const

/** `IN_PROGRESS` is for queries and the API; people read “In progress”. */
export function displayValue(value: string): string {
  if (!/^[A-Z][A-Z_]+$/.test(value)) return value
  const text = value.replaceAll('_', ' ').toLowerCase()
  return text[0]?.toUpperCase() + text.slice(1)
}

export function statusShape(value: string, isOpen = true) {
  return STATUS_SHAPES[value] ?? (isOpen ? 'progress' : 'resolved')
}

function Glyph({ kind, shape, value, short }: Props & { kind: 'status' | 'priority' | 'severity'; shape: string }) {
  const word = displayValue(value)
  return (
    <span class={`${kind} ${kind}-${shape}`} title={short ? word : undefined}>
      <Icon name={`${kind}-${shape}`} />
      <span class={short ? 'visually-hidden' : undefined}>{word}</span>
    </span>
  )
}

export function Status({ value, short, isOpen }: Props & { isOpen?: boolean }) {
  return <Glyph kind="status" shape={statusShape(value, isOpen)} value={value} short={short ?? false} />
}

export function Priority({ value, short }: Props) {
  return <Glyph kind="priority" shape={shapeOf(value, PRIORITY_SHAPES, 'none')} value={value} short={short ?? false} />
}

export function Severity({ value, short }: Props) {
  return (
    <Glyph kind="severity" shape={shapeOf(value, SEVERITY_SHAPES, 'normal')} value={value} short={short ?? false} />
  )
}

/** Values that administrators have added: `P1` and the like get the shape of their number. */
function shapeOf<Shape extends string>(value: string, shapes: readonly Shape[], other: Shape): Shape {
  const word = value.toLowerCase()
  const named = shapes.find((shape) => shape === word)
  if (named !== undefined) return named
  const number = /^p(\d)$/.exec(word)?.[1]
  return number === undefined ? other : (shapes[Math.min(Math.max(Number(number) - 1, 0), shapes.length - 1)] ?? other)
}
