import { Type } from '@sinclair/typebox'
import { type CallContext, call } from '../../access/call.ts'
import { requireGroup } from '../../access/caller.ts'
import { requireRecentProof } from '../../access/recent-proof.ts'
import { getTarget } from '../../people/users/user-targets.ts'
import { errors } from '../../platform/errors.ts'
import { secondsAgo } from '../../platform/time/clock.ts'
import { flag, integer, required, text } from '../../platform/wire/params.ts'
import { clampedId } from '../../platform/wire/reference.ts'
import { type HiddenContent, MOST_ITEMS_OF_USER, readActivity } from './activity-store.ts'
import { disableThen, enableAfter } from './denied-account.ts'
import { listHidden } from './hidden-step-store.ts'
import { countsOf, hideActivity } from './hide-activity.ts'
import { getNewAccounts } from './new-accounts-route.ts'
import { restoreActivity } from './restore-activity.ts'

const resource = 'activity'
const pathParams = { ref: 'Id or login name.' }
const days = integer('How many days to go back; 7 by default.')
const USUAL_DAYS = 7
const MOST_DAYS = 36_500
const Time = Type.String({ format: 'date-time' })
const Login = Type.Union([Type.String(), Type.Null()])

const Counts = { bugs: Type.Integer(), comments: Type.Integer(), attachments: Type.Integer() }
const Hidden = Type.Object({ id: Type.Integer(), ...Counts }, { additionalProperties: false })
const Restored = Type.Object(
  {
    id: Type.Integer(),
    ...Counts,
    is_enabled: Type.Boolean({ description: 'Whether the user can log in again because of this call.' }),
  },
  { additionalProperties: false },
)

const getActivity = call({
  method: 'GET',
  path: '/user/:ref/activity',
  pathParams,
  resource,
  summary: 'Get what a user wrote lately.',
  about: `For members of admin. At most ${MOST_ITEMS_OF_USER} of each kind, the oldest first.`,
  params: {
    days,
    unhidden: flag('Only what is not hidden yet: no comments with the tag spam, no obsolete attachments.'),
    text_length: integer('Only so many characters of each comment; the whole text without it.'),
  },
  answers: Type.Object(
    {
      bugs: Type.Array(
        Type.Object(
          {
            id: Type.Integer(),
            summary: Type.String(),
            product: Type.String(),
            component: Type.String(),
            version: Type.String(),
            creation_time: Time,
          },
          { additionalProperties: false },
        ),
      ),
      comments: Type.Array(
        Type.Object(
          {
            id: Type.Integer(),
            bug_id: Type.Integer(),
            count: Type.Integer(),
            time: Time,
            text: Type.String(),
            is_hidden: Type.Boolean({ description: 'Whether it has the tag spam.' }),
          },
          { additionalProperties: false },
        ),
      ),
      attachments: Type.Array(
        Type.Object(
          {
            id: Type.Integer(),
            bug_id: Type.Integer(),
            creation_time: Time,
            file_name: Type.String(),
            summary: Type.String(),
            is_obsolete: Type.Boolean(),
          },
          { additionalProperties: false },
        ),
      ),
      hidden: Type.Array(
        Type.Object(
          {
            id: Type.Integer(),
            at: Time,
            who: Login,
            is_restored: Type.Boolean(),
            restored_at: Type.Union([Time, Type.Null()]),
            restored_by: Login,
            ...Counts,
          },
          { additionalProperties: false },
        ),
        { description: 'What was hidden of the user, each time with its id.' },
      ),
    },
    { title: 'UserActivity', additionalProperties: false },
  ),
  scope: 'admin',
  async run(context) {
    const user = await targetOf(context)
    const since = secondsAgo(daysIn(context.params.days) * 86_400)
    const { unhidden: isUnhidden = false, text_length: longestText } = context.params
    if (longestText !== undefined && longestText < 0)
      throw errors.not_a_number({ name: 'text_length', value: longestText })
    const { bugs, comments, attachments } = await readActivity(
      context.db,
      { userId: user.id, since },
      { isUnhidden, ...(longestText !== undefined && { longestText }) },
    )
    const hidden = await listHidden(context.db, user.id)
    return {
      bugs: bugs.map(({ created_at, ...bug }) => ({ ...bug, creation_time: created_at })),
      comments: comments.map(({ number, at, is_hidden, ...comment }) => ({
        ...comment,
        count: number,
        time: at,
        is_hidden: is_hidden === 1,
      })),
      attachments: attachments.map(({ created_at, is_obsolete, ...attachment }) => ({
        ...attachment,
        creation_time: created_at,
        is_obsolete: is_obsolete === 1,
      })),
      hidden: hidden.map(({ content, ...step }) => ({
        ...step,
        is_restored: step.restored_at !== null,
        ...countsOf(JSON.parse(content) as HiddenContent),
      })),
    }
  },
})

const postHide = call({
  method: 'POST',
  idempotency: 'once',
  path: '/user/:ref/activity/hide',
  pathParams,
  resource,
  summary: 'Hide what a user wrote lately.',
  about:
    'For members of admin. Comments get the tag spam, attachments become obsolete, and bugs move to another product, all or nothing. It can be undone with the returned id.',
  params: {
    days,
    product: text('Product that the bugs move to; without it they stay.'),
    component: text('Component of that product, if it has none of the same name.'),
    version: text('Version of that product, if it has none of the same name.'),
    login_denied_text: text(
      'Also disables the account: what the user reads when they try to log in. Not for your own account.',
    ),
  },
  answers: Hidden,
  status: 201,
  scope: 'admin',
  async run(context) {
    const user = await targetOf(context)
    requireRecentProof(context)
    const { product, component, version, login_denied_text: denied } = context.params
    const location = product === undefined ? undefined : { product, component, version }
    const hide = (text?: string) => hideActivity(context, user, daysIn(context.params.days), location, text)
    return denied === undefined ? hide() : disableThen(context, user, denied, hide)
  },
})

const postRestore = call({
  method: 'POST',
  idempotency: 'once',
  path: '/user/:ref/activity/restore',
  pathParams,
  resource,
  summary: 'Undo one step of hiding.',
  about: 'For members of admin.',
  params: {
    id: required(integer('The id that hiding returned.')),
    enable: flag(
      'Also let the user log in again, if this step disabled the account and nobody has changed that since.',
    ),
  },
  answers: Restored,
  status: 201,
  scope: 'admin',
  async run(context) {
    const user = await targetOf(context)
    requireRecentProof(context)
    const { id, enable: isEnabled = false } = context.params
    const { deniedText, ...restored } = await restoreActivity(context, user, clampedId(id))
    return { ...restored, is_enabled: isEnabled && (await enableAfter(context, user, deniedText)) }
  },
})

function targetOf(context: CallContext) {
  requireGroup(context.caller, 'admin')
  return getTarget(context.db, context.path.ref ?? '')
}

function daysIn(wanted = USUAL_DAYS) {
  if (wanted < 0) throw errors.not_a_number({ name: 'days', value: wanted })
  return Math.min(wanted, MOST_DAYS)
}

export const misuseRoutes = [getActivity, getNewAccounts, postHide, postRestore] as const
