// The places of the administration, for its rail and for the palette.
import type { ReadonlySignal } from '@preact/signals'
import {
  administersProducts,
  changesParameters,
  editsKeywords,
  isAdmin,
  managesAccounts,
  managesClassifications,
  managesMembers,
  managesProducts,
} from './account/session.ts'

export type AdminPlaceName =
  | ''
  | 'products'
  | 'classifications'
  | 'people'
  | 'groups'
  | 'fields'
  | 'workflow'
  | 'flag-types'
  | 'keywords'
  | 'canned-replies'
  | 'parameters'
  | 'mail'
  | 'webhooks'
  | 'providers'
  | 'code'
  | 'programs'
  | 'audit'
  | 'misuse'

export interface AdminPlace {
  part: AdminPlaceName
  address: string
  title: string
  icon: string
  /** The heading above it in the rail. */
  group: string
  /** What people look for that is done there. */
  words: string
}

interface Row {
  part: AdminPlaceName
  title: string
  icon: string
  group?: string
  words?: string
  /** Who may open it besides members of admin. */
  isAllowed?: ReadonlySignal<boolean>
}

/** In the order of the rail. Those of one group stand next to each other. */
const PLACES: readonly Row[] = [
  { part: '', title: 'State', icon: 'server', words: 'backup disk queue' },
  {
    ...{ part: 'products', title: 'Products', icon: 'box', group: 'Who and what' },
    words: 'component version milestone template',
    isAllowed: administersProducts,
  },
  {
    part: 'classifications',
    title: 'Classifications',
    icon: 'group',
    group: 'Who and what',
    isAllowed: managesClassifications,
  },
  {
    ...{ part: 'people', title: 'People', icon: 'user', group: 'Who and what' },
    words: 'user account invite session',
    isAllowed: managesAccounts,
  },
  { part: 'groups', title: 'Groups', icon: 'users', group: 'Who and what', isAllowed: managesMembers },
  {
    ...{ part: 'fields', title: 'Fields', icon: 'list', group: 'How bugs work' },
    words: 'status resolution severity priority value custom',
  },
  { part: 'workflow', title: 'Workflow', icon: 'arrow', group: 'How bugs work', words: 'status steps' },
  { part: 'flag-types', title: 'Flag types', icon: 'flag', group: 'How bugs work', isAllowed: administersProducts },
  { part: 'keywords', title: 'Keywords', icon: 'tag', group: 'How bugs work', isAllowed: editsKeywords },
  {
    ...{ part: 'canned-replies', title: 'Canned replies', icon: 'quote', group: 'How bugs work' },
    words: 'answer text template comment',
    isAllowed: managesProducts,
  },
  { part: 'parameters', title: 'Parameters', icon: 'gear', group: 'This installation', isAllowed: changesParameters },
  { part: 'mail', title: 'Mail', icon: 'mail', group: 'This installation' },
  { part: 'webhooks', title: 'Webhooks', icon: 'out', group: 'This installation' },
  { part: 'providers', title: 'Providers', icon: 'lock', group: 'This installation', words: 'log in openid' },
  { part: 'code', title: 'Code', icon: 'code', group: 'This installation', words: 'github gitlab commit review' },
  {
    ...{ part: 'programs', title: 'Programs', icon: 'link', group: 'This installation' },
    words: 'oauth mcp agent access client',
  },
  { part: 'audit', title: 'Audit log', icon: 'history', group: 'What happened' },
  { part: 'misuse', title: 'Spam and misuse', icon: 'shield', group: 'What happened' },
]

/** Those that the reader may open. */
export function adminPlaces(): AdminPlace[] {
  return PLACES.filter(({ isAllowed }) => isAdmin.value || isAllowed?.value).map(
    ({ part, title, icon, group = '', words = '' }) => ({
      ...{ part, title, icon, group, words },
      address: part === '' ? '/admin' : `/admin/${part}`,
    }),
  )
}
