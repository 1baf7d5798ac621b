export const SCHEDULED_QUEUE = 'scheduled mail'

/** A mail that is due: a scheduled one or a reminder. The content is written when it is sent. */
export type ScheduledJob =
  | { userId: number; at: string; mailId: number; isReminder?: undefined }
  | { userId: number; at: string; isReminder: true }

/** The mails of one user are sent one after another. */
export function laneOfScheduledJob({ userId }: ScheduledJob) {
  return String(userId)
}

/** The daily chore that plans reminders. */
export const REMINDERS = 'reminders'
