import type { Schedule } from './schedule.ts'

/** Saved searches that are mailed on a schedule, with their results at that time. */
export interface ScheduledMail {
  id: number
  ownerId: number
  owner: string
  subject: string
  body: string
  isSentEmpty: boolean
  searches: MailedSearch[]
  schedules: MailedSchedule[]
}

export interface MailedSearch {
  searchId: number
  search: string
  title: string
  isMailPerBug: boolean
}

/** The recipient is a user, or all members of a group. */
export interface MailedSchedule extends Schedule {
  to: { userId: number; login: string } | { groupId: number; group: string }
  nextAt: string
}

export function presentScheduledMail(mail: ScheduledMail) {
  return {
    id: mail.id,
    owner: mail.owner,
    subject: mail.subject,
    body: mail.body,
    mail_if_no_bugs: mail.isSentEmpty,
    searches: mail.searches.map(({ search, title, isMailPerBug }) => ({
      search,
      title,
      one_mail_per_bug: isMailPerBug,
    })),
    schedules: mail.schedules.map(({ day, time, to, nextAt }) => ({
      day,
      time,
      ...('login' in to ? { user: to.login } : { group: to.group }),
      next_time: nextAt,
    })),
  }
}
