import { type TInteger, Type } from '@sinclair/typebox'
import { MAIL_PRESETS, type MailPreset } from '../../../../shared/mail-preferences.ts'
import { call } from '../../../access/call.ts'
import { requireLogin } from '../../../access/caller.ts'
import { isSelf } from '../../../people/users/user-targets.ts'
import { errors } from '../../../platform/errors.ts'
import { countMail, DAYS, MOST_EVENTS_COUNTED, MOST_EVENTS_READ } from './count-mail.ts'

const strict = { additionalProperties: false }

const Preview = Type.Object(
  {
    since: Type.String({ format: 'date-time' }),
    at_least: Type.Boolean(),
    email_enabled: Type.Boolean(),
    present: Type.Integer(),
    presets: Type.Object(
      Object.fromEntries(MAIL_PRESETS.map((name) => [name, Type.Integer()])) as Record<MailPreset, TInteger>,
      strict,
    ),
  },
  { title: 'MailPreview', ...strict },
)

const getPreview = call({
  method: 'GET',
  path: '/user/:user/mail/preview',
  pathParams: { user: 'Id or login name of the caller.' },
  resource: 'mail',
  summary: 'Count the mail of the last week.',
  about: `How many messages the events of the last ${DAYS} days would have sent to the caller: with the present preferences and with each preset. The newest ${MOST_EVENTS_READ} events are looked through, and ${MOST_EVENTS_COUNTED} of them counted.`,
  params: {},
  answers: Preview,
  scope: 'read',
  async run(context) {
    const caller = requireLogin(context.caller)
    if (!isSelf(caller, context.path.user ?? ''))
      throw errors.not_allowed({ need: 'this number depends on bugs that only the user may see, and is only for them' })
    const db = context.db.within(context.request.readLimits)
    const { since, isAtLeast, isMailOn, counts } = await countMail({ ...context, db, caller })
    const { present, ...presets } = counts
    return { since, at_least: isAtLeast, email_enabled: isMailOn, present, presets }
  },
})

export const mailPreviewRoutes = [getPreview] as const
