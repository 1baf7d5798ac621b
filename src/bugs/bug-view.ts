import type { Flag } from '../platform/database/tables.ts'

/** A bug as it is read to be shown: its own row, and of the rest what was asked for. Lists come as JSON text, and null is an empty one. */
export interface BugView {
  id: number
  product_id: number
  component_id: number
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
  dupe_of?: number | null
  aliases?: string | null
  keywords?: string | null
  groups?: string | null
  depends_on?: string | null
  blocks?: string | null
  see_also?: string | null
  duplicates?: string | null
  tags?: string | null
  cc?: string | null
  flags?: string | null
  custom?: string | null
}

export interface PersonRow {
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
