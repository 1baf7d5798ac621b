// When scheduled mail is sent, in words. All times are those of UTC.

const WEEK = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const WEEK_NAMES = ['Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays']
const LAST_DAY = 31

export const DAYS: readonly { value: string; name: string }[] = [
  { value: 'All', name: 'Every day' },
  { value: 'MF', name: 'Monday to Friday' },
  ...WEEK.map((value, place) => ({ value, name: WEEK_NAMES[place] ?? value })),
  { value: '1', name: 'The first of the month' },
  { value: 'last', name: 'The last of the month' },
  ...Array.from({ length: LAST_DAY - 1 }, (_, day) => ({
    value: String(day + 2),
    name: `Day ${day + 2} of the month`,
  })),
]

const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), name: `${hour}:00 UTC` }))

export const TIMES: readonly { value: string; name: string }[] = [
  ...HOURS,
  { value: '15min', name: 'Every 15 minutes' },
  { value: '30min', name: 'Every 30 minutes' },
  { value: '60min', name: 'Every hour' },
]

/** Such as “Monday to Friday, 8:00 UTC”. */
export function whenInWords({ day, time }: { day: string; time: string }): string {
  const named = (list: typeof DAYS, value: string) => list.find((it) => it.value === value)?.name ?? value
  return `${named(DAYS, day)}, ${named(TIMES, time)}`
}
