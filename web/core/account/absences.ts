import { addressOf } from '../../../shared/rest-address.ts'
import { lastDayBefore, shortDate } from '../times.ts'

/** The absences of a user that are not over. */
export function absencesCall(user: string | number) {
  return addressOf('/absence', { users: String(user) })
}

export interface Absence {
  id: number
  from: string
  until: string
  note: string
  is_now: boolean
}

/** “until 5 Dec”, or “from 1 Dec to 5 Dec” if it has not begun; the days are whole for the reader. */
export function absenceInWords({ from, until, is_now }: Absence): string {
  const last = shortDate(lastDayBefore(until))
  return is_now ? `until ${last}` : `from ${shortDate(from)} to ${last}`
}
