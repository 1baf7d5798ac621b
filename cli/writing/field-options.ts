import type { Command } from 'commander'
import { wrongCommandLine } from '../context.ts'
import { nameAndValue } from '../reading/search-options.ts'

/** Fields with an option of their own. All others are changed with --set. */
const FIELD_OPTIONS = [
  ['summary', 'text', 'The summary.'],
  ['product', 'name', 'The product.'],
  ['component', 'name', 'The component.'],
  ['version', 'name', 'The version.'],
  ['milestone', 'name', 'The target milestone.'],
  ['status', 'name', 'The status.'],
  ['resolution', 'name', 'The resolution.'],
  ['priority', 'name', 'The priority.'],
  ['severity', 'name', 'The severity.'],
  ['type', 'name', 'The type.'],
  ['assignee', 'login', 'The assignee.'],
  ['alias', 'text', 'The alias.'],
] as const

const WIRE_NAMES = new Map([
  ['milestone', 'target_milestone'],
  ['assignee', 'assigned_to'],
])

/** Fields whose values are lists. */
const LISTS = new Set(['cc', 'keywords', 'see_also', 'groups', 'depends_on', 'blocks'])

/** In the REST API: those with an option of their own, and lists. */
export const FIELD_NAMES: readonly string[] = [...FIELD_OPTIONS.map(([name]) => WIRE_NAMES.get(name) ?? name), ...LISTS]

export interface FieldOptions {
  readonly set?: readonly string[]
  readonly flag?: readonly string[]
  readonly [name: string]: unknown
}

/** To be used for an option that may be repeated. */
export function collect(value: string, all: readonly string[] = []): readonly string[] {
  return [...all, value]
}

export function addFieldOptions(command: Command): Command {
  for (const [name, kind, about] of FIELD_OPTIONS) command.option(`--${name} <${kind}>`, about)
  return command
    .option(
      '--set <field=value>',
      'Any field by its name in the REST API, also a custom one; may be repeated.',
      collect,
    )
    .option('--flag <flag>', 'Such as review? or needinfo?edna@example.org, or review+; may be repeated.', collect)
}

const YES_OR_NO = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

type Flag = ReturnType<typeof flagOf>
/** By the names of the REST API. */
export type Fields = Record<string, unknown> & { flags?: readonly Flag[] }

/** What the options say, by the names of the REST API. An option of a value may be an empty text. */
export function fieldsOf(options: FieldOptions): Fields {
  const fields: Fields = {}
  for (const [name] of FIELD_OPTIONS)
    if (options[name] !== undefined) fields[WIRE_NAMES.get(name) ?? name] = options[name]
  for (const [name, value] of (options.set ?? []).map(nameAndValue)) fields[name] = typedValue(name, value)
  if (options.flag !== undefined) fields.flags = options.flag.map(flagOf)
  return fields
}

/** Lists have commas between their items. Of other values the server knows the type, but a Bugzilla takes the text `false` for true. */
export function typedValue(name: string, value: string): unknown {
  if (LISTS.has(name)) return itemsOf(value)
  return (name.startsWith('is_') ? YES_OR_NO.get(value) : undefined) ?? value
}

export function itemsOf(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** Such as review+ or needinfo?(edna@example.org). */
export function flagOf(text: string) {
  const [, name, status, requestee] = /^(.+?)([?+\-X])(?:\(?([^()]+)\)?)?$/.exec(text) ?? []
  if (name === undefined || status === undefined)
    throw wrongCommandLine(`--flag ${text} must be a name and one of ? + - X, such as review?edna@example.org.`)
  return { name, status, ...(requestee !== undefined && { requestee }) }
}
