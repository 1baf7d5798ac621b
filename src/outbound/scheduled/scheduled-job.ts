export const SCHEDULED_QUEUE = 'scheduled mail'

/** A mail that is due. The content is written when it is sent. */
export type ScheduledJob = { userId: number; at: string } & (
  | { mailId: number }
  /** Of bugs that their assignee does not begin. */
  | { isReminder: true }
  /** The daily mail about requests. */
  | { isOverdue: true }
  /** What the user wanted to be reminded of. */
  | { reminderId: number }
)

/** The same for the same job, so that a mail that is sent twice can be recognized. */
export function seedOf(job: ScheduledJob): string {
  if ('mailId' in job) return `${job.mailId} ${job.at}`
  if ('isReminder' in job) return `reminder ${job.at}`
  return 'isOverdue' in job ? `overdue ${job.at.slice(0, 10)}` : `own reminder ${job.reminderId}`
}

/** The mails of one user are sent one after another. */
export function laneOfScheduledJob({ userId }: ScheduledJob) {
  return String(userId)
}

/** The daily chore that plans reminders. */
export const REMINDERS = 'reminders'
