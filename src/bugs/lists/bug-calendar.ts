import { addressOf, type Bug, type BugList, cellText, FORMS, type ListHeading } from './bug-list.ts'

/** The fields that a calendar needs. */
const CALENDAR_FIELDS = [
  'id',
  'summary',
  'product',
  'component',
  'status',
  'resolution',
  'is_open',
  'assigned_to',
  'deadline',
  'creation_time',
  'last_change_time',
]

/** An iCalendar file with a to-do for every bug, due at its deadline. */
export function bugCalendar(heading: ListHeading): BugList {
  return {
    contentType: FORMS.ics,
    fileName: 'bugs.ics',
    fields: CALENDAR_FIELDS,
    head: lines([
      ['BEGIN', 'VCALENDAR'],
      ['VERSION', '2.0'],
      ['PRODID', '-//Lacewing//Bugs//EN'],
    ]),
    item: (bug) => todo(bug, heading),
    foot: lines([['END', 'VCALENDAR']]),
  }
}

function todo(bug: Bug, heading: ListHeading): string {
  const { id, product, component, status, resolution, deadline } = bug
  const state = [status, resolution].filter(Boolean).map(cellText).join(' ')
  return lines([
    ['BEGIN', 'VTODO'],
    ['UID', escaped(addressOf(heading, bug))],
    ['DTSTAMP', moment(heading.now)],
    ['CREATED', moment(bug.creation_time)],
    ['LAST-MODIFIED', moment(bug.last_change_time)],
    ...(bug.is_open ? [] : [['COMPLETED', moment(bug.last_change_time)] as const]),
    ['SUMMARY', escaped(`[Bug ${id}] ${cellText(bug.summary)}`)],
    ['DESCRIPTION', escaped(`${state}, assigned to ${cellText(bug.assigned_to)}`)],
    ['CATEGORIES', [product, component].map((it) => escaped(cellText(it))).join(',')],
    ['STATUS', bug.is_open ? 'NEEDS-ACTION' : 'COMPLETED'],
    ...(deadline ? [['DUE;VALUE=DATE', cellText(deadline).replaceAll('-', '')] as const] : []),
    ['URL', addressOf(heading, bug)],
    ['END', 'VTODO'],
  ])
}

function lines(properties: readonly (readonly [name: string, value: string])[]): string {
  return properties.map(([name, value]) => folded(`${name}:${value}`)).join('')
}

const LONGEST_LINE = 75

/** Folds a line into lines of at most 75 bytes. Continued lines start with a space. No character is split. */
function folded(line: string): string {
  let text = ''
  let bytes = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (bytes + size > LONGEST_LINE) {
      text += '\r\n '
      bytes = 1
    }
    text += character
    bytes += size
  }
  return `${text}\r\n`
}

/** Escapes line breaks, so that a text cannot start a new line of the calendar. */
function escaped(text: string): string {
  return text
    .replace(/[\\;,]/g, (character) => `\\${character}`)
    .replace(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/g, '\\n')
    .replace(/\p{Cc}/gu, '')
}

/** `2026-01-31T12:00:00Z` in the format of iCalendar. */
function moment(time: unknown): string {
  return cellText(time).replace(/[-:]/g, '')
}
