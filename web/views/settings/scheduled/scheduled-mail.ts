import type { Answer, NameOf } from '../../../../client/call-types.ts'
import { me } from '../../../core/account/session.ts'

export type ScheduledMail = Answer<NameOf<'GET', '/scheduled_mail'>>['scheduled_mails'][number]

/** A schedule as the form has it: a receiver is a login name, a group, or the reader if empty. */
export interface ScheduleValues {
  day: string
  time: string
  user: string
  group: string
}

/** What the reader sets of a scheduled mail. */
export interface MailValues {
  subject: string
  body: string
  mail_if_no_bugs: boolean
  searches: { search: string; title: string; one_mail_per_bug: boolean }[]
  schedules: ScheduleValues[]
}

export function mayScheduleForOthers() {
  return me.value?.groups.includes('bz_canusewhineatothers') ?? false
}

export const NEW_SCHEDULE: ScheduleValues = { day: 'MF', time: '8', user: '', group: '' }

export function valuesOf(mail: ScheduledMail): MailValues {
  const { subject, body, mail_if_no_bugs, searches, schedules } = mail
  return {
    ...{ subject, body, mail_if_no_bugs, searches },
    schedules: schedules.map(({ day, time, user = '', group = '' }) => ({
      ...{ day, time, group },
      user: user === me.value?.name ? '' : user,
    })),
  }
}

/** As the REST API takes it. */
export function paramsOf({ searches, schedules, ...rest }: MailValues) {
  return {
    ...rest,
    searches: searches.map(({ title, ...search }) => ({ ...search, ...(title !== '' && { title }) })),
    schedules: schedules.map(({ day, time, user, group }) => ({
      ...{ day, time },
      ...(group !== '' ? { group } : user !== '' && { user }),
    })),
  }
}
