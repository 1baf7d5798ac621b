import type { Selectable } from 'kysely'
import type { Database } from '../../platform/database/tables.ts'

type BugColumns = Selectable<Database['bugs']>

/** A bug as it is read: its own row and the requested parts. Lists are JSON text, and null is an empty list. */
export interface BugRowRead extends Omit<BugColumns, 'summary_key' | 'whiteboard_key' | 'dupe_of_id' | 'lists'> {
  dupe_of?: number | null
  aliases?: string | null
  keywords?: string | null
  groups?: string | null
  depends_on?: string | null
  blocks?: string | null
  see_also?: string | null
  duplicates?: string | null
  code_state?: string | null
  tags?: string | null
  /** Ids of users. */
  cc?: string | null
  flags?: string | null
  custom?: string | null
}

/** A bug with the names of its product, users and so on. */
export interface BugView extends BugRowRead {
  named: NamedParts
}

/** Names as JSON, and users. Parts that were not requested are empty. */
export interface NamedParts {
  product: string
  classification: string
  component: string
  version: string
  milestone: string
  creator: BugUser
  assignee: BugUser
  qaContact: BugUser
  cc: readonly BugUser[]
}

export interface BugUser extends BugUserRow {
  nick: string
  /** The login as JSON. */
  written: string
  /** The user as the REST API returns them, as JSON. */
  detail: string
  /** Sort key. */
  key: string
}

/** The names as the statement returns them. */
export interface NameRow {
  product?: string
  classification?: string
  component?: string
  version?: string
  milestone?: string
  creator_login?: string
  creator_name?: string
  creator_nick?: string | null
  assignee_login?: string
  assignee_name?: string
  assignee_nick?: string | null
  qa_contact_login?: string | null
  qa_contact_name?: string | null
  qa_contact_nick?: string | null
  cc_people?: string
}

export interface BugUserRow {
  id: number
  login: string
  real_name: string
  /** Null stands for the neutral nick; `BugUser` has that instead. */
  nick: string | null
}

export interface FlagRow {
  id: number
  name: string
  type_id: number
  status: string
  setter: string
  requestee: string | null
  created_at: string
  modified_at: string
}

export interface CustomRow {
  field_id: number
  text_value: string | null
  number_value: number | null
}
