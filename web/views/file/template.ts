// The template of a product is what a description begins with.
import type { Product } from '../../core/server/types.ts'
import type { NewBug } from './new-bug.ts'

/** Puts the template into a description that is empty, or that is the unchanged template of another product. */
export function withTemplate(bug: NewBug, { name, bug_template: template = '' }: Product): NewBug {
  const isOther = bug.templateOf !== name
  const isUntouched = bug.description === bug.template || (isOther && bug.description.trim() === '')
  if (!isUntouched) return isOther ? { ...bug, template: '', templateOf: name } : bug
  if (!isOther && template === bug.template) return bug
  return { ...bug, description: template, template, templateOf: name }
}
