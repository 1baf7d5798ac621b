import { xmlText } from '../../platform/wire/formats/xml.ts'
import { addressOf, type Bug, type BugList, cellText, FORMS, type ListHeading } from './bug-list.ts'

/** The fields that a feed needs. */
const FEED_FIELDS = [
  'id',
  'summary',
  'product',
  'component',
  'status',
  'resolution',
  'priority',
  'severity',
  'assigned_to_detail',
  'creator_detail',
  'creation_time',
  'last_change_time',
]

/** An Atom feed of the bugs, in the order of the search. */
export function bugFeed(heading: ListHeading): BugList {
  const address = `${heading.baseUrl}/rest/bug?${heading.query}`
  return {
    contentType: FORMS.atom,
    fileName: 'bugs.atom',
    fields: FEED_FIELDS,
    head: `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>Bugs</title>
<id>${xmlText(address)}</id>
<link rel="self" href="${xmlText(address)}"/>
<updated>${heading.now}</updated>
`,
    item: (bug) => entry(bug, addressOf(heading, bug)),
    foot: '</feed>\n',
  }
}

function entry(bug: Bug, address: string): string {
  return `<entry>
<title>${xmlText(`[Bug ${bug.id}] ${cellText(bug.summary)}`)}</title>
<id>${xmlText(address)}</id>
<link rel="alternate" type="application/json" href="${xmlText(address)}"/>
<published>${xmlText(cellText(bug.creation_time))}</published>
<updated>${xmlText(cellText(bug.last_change_time))}</updated>
<author><name>${xmlText(nameOf(bug.creator_detail))}</name></author>
<summary>${xmlText(facts(bug))}</summary>
</entry>
`
}

function facts(bug: Bug): string {
  const { product, component, status, resolution, priority, severity, assigned_to_detail } = bug
  return [
    `${cellText(product)}, ${cellText(component)}`,
    [status, resolution].filter(Boolean).map(cellText).join(' '),
    `priority ${cellText(priority)}, severity ${cellText(severity)}`,
    `assigned to ${nameOf(assigned_to_detail)}`,
  ].join('; ')
}

/** The real name of a user, or the login name if there is none. */
function nameOf(person: unknown): string {
  const { real_name, name } = (person ?? {}) as { real_name?: string; name?: string }
  return real_name || name || ''
}
