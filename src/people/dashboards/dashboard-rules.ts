import { errors } from '../../platform/errors.ts'
import type { Rule } from '../../platform/rule.ts'
import { isOneLine } from '../../platform/text/one-line.ts'
import type { DashboardEdit } from './dashboard.ts'

const LONGEST_NAME = 64

export const dashboardsHaveAName: Rule<DashboardEdit> = {
  says: 'A dashboard has a name.',
  brokenBy: ({ name }) => name === '',
  error: () => errors.parameter_required({ name: 'name' }),
}

export const dashboardNamesAreShort: Rule<DashboardEdit> = {
  says: `The name of a dashboard is one line of at most ${LONGEST_NAME} characters.`,
  brokenBy: ({ name }) => name.length > LONGEST_NAME || !isOneLine(name),
  error: ({ name }) =>
    errors.bad_value({ name: 'name', value: name, right: `it must be one line of at most ${LONGEST_NAME} characters` }),
}

/** In the order they are checked: the first broken rule is the error that the client gets. */
export const dashboardRules = [dashboardsHaveAName, dashboardNamesAreShort]
