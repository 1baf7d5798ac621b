// Why something about a bug reaches a user: the one list for mail, inbox and feed, on the server and on the pages.

import type { MailRole } from './mail-preferences.ts'

/** The parts of the inbox by which it is filtered, with the key of each, in the order of the page. */
export const REASON_GROUPS = [
  { name: 'asked', title: 'Asked of you', icon: 'ask', key: '1' },
  { name: 'assigned', title: 'Assigned to you', icon: 'user', key: '2' },
  { name: 'mentioned', title: 'Mentioned', icon: 'quote', key: '3' },
  { name: 'followed', title: 'You follow', icon: 'eye', key: '4' },
  { name: 'watched', title: 'You watch', icon: 'box', key: '5' },
  { name: 'rule', title: 'Rule', icon: 'rule', key: '6' },
] as const

export type ReasonGroup = (typeof REASON_GROUPS)[number]['name']

interface ReasonEntry {
  /** Its name in the REST API. */
  name: string
  /** Stored with mail choices and inbox entries, so it never changes. Bugzilla's, where it has one; all below 30. */
  number: number
  group: ReasonGroup
  /** The words of its badge, and the icon of the pages. */
  badge: string
  icon: string
  /** Completes “You get this because”. */
  because: string
  /** The same for the user who is watched: completes “you watch Ada,”. */
  ofWatched?: string
  /** Its word in the headers X-Bugzilla-Reason and X-Bugzilla-Watch-Reason. */
  header: string
  /** The row of the mail preferences that decides about it; `flags` for requests, `always` if there is no choice. */
  preference: MailRole | 'flags' | 'mentioned' | 'always'
  /** What is followed by many users is not stored for each of them; the inbox finds it when it is read. */
  isFoundWhenRead?: true
}

/** The strongest reason first. */
export const REASONS = [
  {
    name: 'asked',
    number: 20,
    group: 'asked',
    badge: 'Asked of you',
    icon: 'ask',
    because: 'you are asked for it',
    header: 'Requestee',
    preference: 'flags',
    isFoundWhenRead: true,
  },
  {
    name: 'reminder',
    number: 24,
    group: 'asked',
    badge: 'Reminder',
    icon: 'clock',
    because: 'you asked to be reminded of it',
    header: 'Reminder',
    preference: 'always',
    isFoundWhenRead: true,
  },
  {
    name: 'mentioned',
    number: 21,
    group: 'mentioned',
    badge: 'Mentioned',
    icon: 'quote',
    because: 'you are mentioned',
    header: 'Mentioned',
    preference: 'mentioned',
  },
  {
    name: 'assigned_to',
    number: 0,
    group: 'assigned',
    badge: 'Assigned to you',
    icon: 'user',
    because: 'the bug is assigned to you',
    ofWatched: 'to whom the bug is assigned',
    header: 'AssignedTo',
    preference: 'assigned_to',
  },
  {
    name: 'qa_contact',
    number: 1,
    group: 'assigned',
    badge: 'You are QA contact',
    icon: 'user',
    because: 'you are its QA contact',
    ofWatched: 'who is its QA contact',
    header: 'QAcontact',
    preference: 'qa_contact',
  },
  {
    name: 'rule',
    number: 22,
    group: 'rule',
    badge: 'Rule',
    icon: 'rule',
    because: 'a rule sent it to you',
    header: 'Rule',
    preference: 'always',
  },
  {
    name: 'reporter',
    number: 2,
    group: 'followed',
    badge: 'You reported it',
    icon: 'eye',
    because: 'you reported it',
    ofWatched: 'who reported it',
    header: 'Reporter',
    preference: 'reporter',
  },
  {
    name: 'cc',
    number: 3,
    group: 'followed',
    badge: 'You follow',
    icon: 'eye',
    because: 'you are on its CC list',
    ofWatched: 'who is on its CC list',
    header: 'CC',
    preference: 'cc',
  },
  {
    name: 'voter',
    number: 4,
    group: 'followed',
    badge: 'You vote for it',
    icon: 'eye',
    because: 'you vote for it',
    ofWatched: 'who votes for it',
    header: 'Voter',
    preference: 'voter',
  },
  {
    // In mail, the reason is the role of the watched person, and this word is not used.
    name: 'watched_person',
    number: 23,
    group: 'watched',
    badge: 'Person you watch',
    icon: 'user',
    because: 'you watch somebody who has a role in it',
    header: 'Watcher',
    preference: 'cc',
  },
  {
    name: 'watched_component',
    number: 15,
    group: 'watched',
    badge: 'Component you watch',
    icon: 'box',
    because: 'you watch its component',
    header: 'Component-Watcher',
    preference: 'watched_component',
    isFoundWhenRead: true,
  },
  {
    name: 'watched_product',
    number: 16,
    group: 'watched',
    badge: 'Product you watch',
    icon: 'box',
    because: 'you watch its product',
    header: 'Product-Watcher',
    preference: 'watched_component',
    isFoundWhenRead: true,
  },
  {
    name: 'watched_keyword',
    number: 17,
    group: 'watched',
    badge: 'Keyword you watch',
    icon: 'box',
    because: 'you watch one of its keywords',
    header: 'Keyword-Watcher',
    preference: 'watched_component',
    isFoundWhenRead: true,
  },
  {
    name: 'global_watcher',
    number: 5,
    group: 'watched',
    badge: 'You watch all bugs',
    icon: 'box',
    because: 'you watch all bugs',
    header: 'GlobalWatcher',
    preference: 'always',
    isFoundWhenRead: true,
  },
] as const satisfies readonly ReasonEntry[]

export type ReasonName = (typeof REASONS)[number]['name']

/** A reason, as one who reads the list sees it. */
export type Reason = ReasonEntry & { name: ReasonName }

const byName = new Map<string, Reason>(REASONS.map((reason) => [reason.name, reason]))
const byNumber = new Map<number, Reason>(REASONS.map((reason) => [reason.number, reason]))

export function reasonNamed(name: ReasonName): Reason {
  const reason = byName.get(name)
  if (reason === undefined) throw new TypeError(`there is no reason ${name}`)
  return reason
}

export function reasonNumbered(number: number): Reason | undefined {
  return byNumber.get(number)
}

export function numberOfReason(name: ReasonName): number {
  return reasonNamed(name).number
}
