import { EVENT_KINDS } from '../../changes/outbox.ts'
import { errors } from '../../platform/errors.ts'
import type { Rule } from '../../platform/rule.ts'
import type { WebhookEdit } from './webhook.ts'

const LONGEST_URL = 2000

export const webhooksHaveAnAddress: Rule<WebhookEdit> = {
  says: 'A webhook has an address.',
  brokenBy: ({ url }) => url === '',
  error: () => errors.parameter_required({ name: 'url' }),
}

export const webhooksAreReachedByHttp: Rule<WebhookEdit> = {
  says: `The address of a webhook begins with http:// or https://, contains no login and no fragment, and has at most ${LONGEST_URL} characters.`,
  brokenBy: ({ url }) => !isWebAddress(url),
  error: ({ url }) =>
    errors.bad_value({
      name: 'url',
      value: withoutLogin(url),
      right: `it must begin with http:// or https://, contain no login and no fragment, and have at most ${LONGEST_URL} characters`,
    }),
}

export const webhooksHearOfKnownEvents: Rule<WebhookEdit> = {
  says: 'A webhook has at least one kind of event, and only known kinds.',
  brokenBy: ({ events }) => events.length === 0 || unknownIn(events) !== undefined,
  error: ({ events }) =>
    errors.bad_value({
      name: 'events',
      value: unknownIn(events) ?? [],
      right: `it must contain one or more of ${EVENT_KINDS.join(', ')}`,
    }),
}

/** In the order they are checked: the first broken rule is the error that the client gets. */
export const webhookRules = [webhooksHaveAnAddress, webhooksAreReachedByHttp, webhooksHearOfKnownEvents]

function isWebAddress(url: string): boolean {
  if (!/^https?:\/\/[!-~]+$/i.test(url) || url.length > LONGEST_URL || !URL.canParse(url)) return false
  const { username, password, hash, hostname } = new URL(url)
  return username === '' && password === '' && hash === '' && hostname !== ''
}

function unknownIn(events: readonly string[]) {
  return events.find((event) => !EVENT_KINDS.some((kind) => kind === event))
}

/** A password in the URL is not repeated in the error. */
function withoutLogin(url: string) {
  return url.replace(/\/\/[^/@]*@/, '//…@')
}
