// A new bug that begins as a copy of another.
import { MAIN_FORM, MORE_FORM } from '../../core/bugs/field-places.ts'
import type { Bug, Comment, Field } from '../../core/server/types.ts'
import { emptyBug, type NewBug } from './new-bug.ts'

/** An alias belongs to one bug, and people and times are those of the first one. */
const NOT_COPIED: readonly string[] = ['alias', 'assigned_to', 'qa_contact', 'deadline', 'estimated_time']
const COPIED = [...MAIN_FORM, ...MORE_FORM].filter((name) => !NOT_COPIED.includes(name))

type Description = Pick<Comment, 'text' | 'is_private'>

/** A private description is not copied: others may see the new bug. */
export function cloneOf(bug: Bug, description: Description | undefined, fields: readonly Field[]): NewBug {
  const custom = fields.filter(({ is_custom }) => is_custom).map(({ name }) => name)
  const all = bug as unknown as Record<string, unknown>
  const values: Record<string, string> = {}
  for (const name of [...COPIED, ...custom]) {
    const text = [all[name] ?? []].flat().join(', ')
    if (text !== '') values[name] = text
  }
  const text = description === undefined || description.is_private ? '' : description.text
  const { product, component, version, summary, groups } = bug
  return {
    ...emptyBug(),
    product,
    component,
    version,
    summary,
    description: `+++ This bug was filed as a clone of bug ${bug.id} +++\n\n${text}`,
    values,
    ...(groups.length > 0 && { groups }),
  }
}
