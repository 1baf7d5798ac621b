import { addressOf } from '../../../../shared/rest-address.ts'
import { get } from '../../../core/server/rest.ts'
import type { Effect, Effects } from '../changes/effects-in-words.ts'

export interface Status {
  name: string
  isOpen: boolean
  isActive: boolean
}

/** A step is not allowed, allowed, or allowed with a comment. These are also the words of the page. */
export type Step = 'no' | 'yes' | 'with a comment'

export interface WorkflowState {
  statuses: readonly Status[]
  /** Every status can change to this one. */
  duplicates: string
  /** By `keyOf`. */
  steps: ReadonlyMap<string, Step>
}

/** `from` is null for a new bug. Names have no control characters, so that a tab separates them. */
export function keyOf(from: string | null, to: string) {
  return `step ${from ?? ''}\t${to}`
}

export async function loadWorkflow(): Promise<WorkflowState> {
  const [{ fields }, { transitions }, { parameters }] = await Promise.all([
    get(addressOf('/field/bug', { names: 'bug_status', include_fields: '_default,values.is_active' })),
    get(addressOf('/workflow')),
    get(addressOf('/parameters')),
  ])
  const statuses = (fields[0]?.values ?? []).flatMap(({ name, is_open, is_active }) =>
    name === null || name === undefined ? [] : [{ name, isOpen: is_open === true, isActive: is_active !== false }],
  )
  return {
    statuses,
    duplicates: String(parameters.duplicate_or_move_bug_status ?? ''),
    steps: new Map(
      transitions.map(({ from, to, comment_required }) => [
        keyOf(from, to),
        comment_required ? 'with a comment' : 'yes',
      ]),
    ),
  }
}

/** Every step by its key: also those that are not allowed, which others may have allowed meanwhile. */
export function valuesOf({ statuses, steps }: WorkflowState): Map<string, string> {
  const starts = [null, ...statuses.map(({ name }) => name)]
  return new Map(
    starts.flatMap((from) =>
      statuses
        .filter(({ name }) => name !== from)
        .map(({ name }): [string, string] => [keyOf(from, name), steps.get(keyOf(from, name)) ?? 'no']),
    ),
  )
}

export function pathOf(from: string | null, to: string) {
  const end = encodeURIComponent(to)
  return from === null ? `/rest/workflow/new/${end}` : `/rest/workflow/from/${encodeURIComponent(from)}/${end}`
}

/** What the workflow means now, where it is surprising. */
export function remarksOn({ statuses }: WorkflowState, stepOf: (from: string | null, to: string) => Step): string[] {
  const active = statuses.filter(({ isActive }) => isActive)
  const starts = [null, ...active.map(({ name }) => name)]
  return active.flatMap(({ name, isOpen }) => {
    const into = starts.filter((from) => from !== name && stepOf(from, name) !== 'no')
    const out = active.filter((to) => to.name !== name && stepOf(name, to.name) !== 'no')
    return [
      ...(into.length === 0 ? [`Nothing leads to ${name}: no bug can get it.`] : []),
      ...(out.length === 0 ? [`Nothing leads away from ${name}: bugs stay there.`] : []),
      ...(isOpen && out.length > 0 && out.every((to) => to.isOpen) ? [`${name} cannot be closed directly.`] : []),
    ]
  })
}

/** Steps that saving adds although they were not chosen: to the status of duplicates. As the audit log would name them. */
export function addedSteps(
  { statuses, duplicates }: WorkflowState,
  { changes }: Effects,
  isChosen: (from: string, to: string) => boolean,
): Effect[] {
  const added = changes.filter((it) => it.class === 'Tracker::Workflow').map((it) => `, ${it.added}, `)
  return statuses
    .filter(({ name }) => !isChosen(name, duplicates) && added.some((it) => it.includes(`, ${name} > ${duplicates}, `)))
    .map(({ name }) => ({
      text: `Saving also allows ${name} → ${duplicates}, so that each bug can be marked as a duplicate.`,
    }))
}
