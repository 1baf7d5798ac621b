import { errors } from '../../platform/errors.ts'
import type { Rule } from '../../platform/rule.ts'
import { isOneLine } from '../../platform/text/one-line.ts'
import { haveShortDescriptions, LONGEST_NAME } from '../name-rules.ts'
import type { ComponentEdit } from './component.ts'

export const componentsHaveAShortName: Rule<ComponentEdit> = {
  says: `Components have a name: one line of at most ${LONGEST_NAME} characters.`,
  brokenBy: ({ name }) => name === '' || name.length > LONGEST_NAME || !isOneLine(name),
  error: ({ name }) =>
    errors.component_name_wrong({ name, right: `it must be one line of 1 to ${LONGEST_NAME} characters` }),
}

// compat: Bugzilla has no error number for this rule and the next one, so it is the general one, as Bugzilla has for a missing assignee.
export const componentsHaveADescription: Rule<ComponentEdit> = {
  says: 'Components have a description.',
  brokenBy: ({ description }) => description === '',
  error: () => errors.component_description_empty(),
}

export const componentsHaveAnAssignee: Rule<ComponentEdit> = {
  says: 'Components have a default assignee for new bugs.',
  brokenBy: ({ default_assignee }) => default_assignee === undefined,
  error: () => errors.component_assignee_required(),
}

export const componentDescriptionsAreShort: Rule<ComponentEdit> = haveShortDescriptions('Components')

/** Checked in this order. The client gets the error of the first broken rule. */
export const componentRules = [
  componentsHaveAShortName,
  componentsHaveADescription,
  componentsHaveAnAssignee,
  componentDescriptionsAreShort,
]
