import type { Flag } from '../../platform/database/tables.ts'

/** A bug as it is read to be shown: its own row, and of the rest what was asked for. Lists come as JSON text, and null is an empty one. */
export interface BugRowRead {
  id: number
  product_id: number
  component_id: number
  version_id: number
  milestone_id: number
  status_id: number
  resolution_id: number
  priority_id: number
  severity_id: number
  op_sys_id: number
  platform_id: number
  creator_id: number
  assigned_to_id: number
  qa_contact_id: number | null
  summary: string
  url: string
  whiteboard: string
  created_at: string
  changed_at: string
  revision: number
  is_confirmed: Flag
  is_cc_accessible: Flag
  is_creator_accessible: Flag
  deadline: string | null
  estimated_hundredths: number
  remaining_hundredths: number
  actual_hundredths: number
  dupe_of?: number | null
  aliases?: string | null
  keywords?: string | null
  groups?: string | null
  depends_on?: string | null
  blocks?: string | null
  see_also?: string | null
  duplicates?: string | null
  tags?: string | null
  /** The ids of people. */
  cc?: string | null
  flags?: string | null
  custom?: string | null
}

/** The same with the names of what it refers to. */
export interface BugView extends BugRowRead {
  named: NamedParts
}

/** Names as JSON, and people; what was not asked for is empty. */
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
  /** The login as JSON. */
  written: string
  /** As the interface shows somebody, as JSON. */
  detail: string
  /** What people are put in order by. */
  key: string
}

/** The names as they are read. */
export interface NameRow {
  product?: string
  classification?: string
  component?: string
  version?: string
  milestone?: string
  creator_login?: string
  creator_name?: string
  assignee_login?: string
  assignee_name?: string
  qa_contact_login?: string | null
  qa_contact_name?: string | null
  cc_people?: string
}

export interface BugUserRow {
  id: number
  login: string
  real_name: string
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
