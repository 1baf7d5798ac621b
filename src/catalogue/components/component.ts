export interface Component extends ComponentEdit {
  id: number
  product_id: number
}

/** The new state of a component. */
export interface ComponentEdit {
  name: string
  description: string
  /** Undefined only before the rules have checked the component. */
  default_assignee: ComponentUser | undefined
  default_qa_contact: ComponentUser | undefined
  default_cc: readonly ComponentUser[]
  /** Who triages its bugs: at most one of the two. */
  triage_owner: ComponentUser | undefined
  triage_rotation: ComponentRotation | undefined
  is_active: 0 | 1
}

export interface ComponentUser {
  id: number
  login: string
}

export interface ComponentRotation {
  id: number
  name: string
}

export interface WantedComponent {
  name?: string | undefined
  description?: string | undefined
  default_assignee?: string | undefined
  default_qa_contact?: string | undefined
  default_cc?: string[] | undefined
  triage_owner?: string | undefined
  triage_rotation?: string | undefined
  is_open?: boolean | undefined
}

export const NEW_COMPONENT: ComponentEdit = {
  name: '',
  description: '',
  default_assignee: undefined,
  default_qa_contact: undefined,
  default_cc: [],
  triage_owner: undefined,
  triage_rotation: undefined,
  is_active: 1,
}

/** A component with the parameter names of the REST API, as text for the audit log. */
export function writtenForm(component: ComponentEdit) {
  return {
    name: component.name,
    description: component.description,
    default_assignee: component.default_assignee?.login ?? '',
    default_qa_contact: component.default_qa_contact?.login ?? '',
    default_cc: component.default_cc.map(({ login }) => login).join(', '),
    triage_owner: component.triage_owner?.login ?? '',
    triage_rotation: component.triage_rotation?.name ?? '',
    is_open: component.is_active,
  }
}
