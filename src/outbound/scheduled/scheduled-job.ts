export const SCHEDULED_QUEUE = 'scheduled mail'

/** A mail that is due to somebody: what was scheduled, or what they should be reminded of. What is in it is found out when it is sent. */
export type ScheduledJob =
  | { userId: number; at: string; mailId: number; isReminder?: undefined }
  | { userId: number; at: string; isReminder: true }

/** Everybody's own mails come one after another. */
export function laneOf({ userId }: ScheduledJob) {
  return String(userId)
}

/** The chore of each day that looks for those who are to be reminded. */
export const REMINDERS = 'reminders'
