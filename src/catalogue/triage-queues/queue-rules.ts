import { LONGEST_QUERY, parametersIn, withoutCredentials } from '../../people/saved-searches/saved-search.ts'
import { errors } from '../../platform/errors.ts'
import type { Rule } from '../../platform/rule.ts'
import { haveAName, haveShortNames } from '../name-rules.ts'
import type { QueueEdit } from './queue.ts'

const LONGEST_AIM = 365
const SHOWN_CHARACTERS = 200

export const queuesHaveAName: Rule<QueueEdit> = haveAName('Triage queues')
export const queueNamesAreShort: Rule<QueueEdit> = haveShortNames('Triage queues')

export const queuesHaveASearch: Rule<QueueEdit> = {
  says: 'A triage queue has the parameters of a search.',
  brokenBy: ({ query }) => query === '',
  error: () => errors.parameter_required({ name: 'query' }),
}

export const queueSearchesHaveALimit: Rule<QueueEdit> = {
  says: `The parameters of the search of a triage queue have at most ${LONGEST_QUERY} characters.`,
  brokenBy: ({ query }) => query.length > LONGEST_QUERY,
  error: ({ query }) =>
    errors.bad_value({
      name: 'query',
      value: withoutCredentials(query.slice(0, SHOWN_CHARACTERS)),
      right: `it must have at most ${LONGEST_QUERY} characters`,
    }),
}

export const queuesUseNoSavedSearch: Rule<QueueEdit> = {
  says: 'The search of a triage queue does not use a saved search, which would be another one for each reader.',
  brokenBy: ({ query }) => 'savedsearch' in parametersIn(query),
  error: () =>
    errors.bad_value({ name: 'query', value: 'savedsearch', right: 'give the parameters of the search instead' }),
}

export const queuesHaveASensibleAim: Rule<QueueEdit> = {
  says: `The bugs of a triage queue should wait for 1 to ${LONGEST_AIM} days at most.`,
  brokenBy: ({ aim_days }) => aim_days !== null && (aim_days < 1 || aim_days > LONGEST_AIM),
  error: ({ aim_days }) =>
    errors.bad_value({ name: 'aim_days', value: aim_days, right: `it must be from 1 to ${LONGEST_AIM}` }),
}

/** Checked in this order. The client gets the error of the first broken rule. */
export const queueRules = [
  queuesHaveAName,
  queueNamesAreShort,
  queuesHaveASearch,
  queueSearchesHaveALimit,
  queuesUseNoSavedSearch,
  queuesHaveASensibleAim,
]
