import type { CallContext } from '../../access/call.ts'
import type { SignedIn } from '../../access/caller.ts'
import type { FieldDefinitions } from '../../catalogue/fields/field.ts'
import type { Workflow } from '../../catalogue/workflow/workflow.ts'
import { toApiNames } from '../values/bugzilla-names.ts'
import type { CreateParams } from './create-params.ts'

/** The caller who files a bug, and the parts of the installation that decide on it. */
export interface NewBugContext extends Pick<CallContext, 'settings' | 'groups' | 'baseUrl'> {
  caller: SignedIn
  fields: FieldDefinitions
  workflow: Workflow
}

/** The requested bug, with the names of the REST API. `custom` has all parameters as they were sent. */
export type WantedBug = ReturnType<typeof wantedIn>

export function wantedIn(params: CreateParams, rawParams: Readonly<Record<string, unknown>>) {
  const named = toApiNames(params)
  return {
    ...named,
    description: named.description ?? named.comment ?? '',
    custom: Object.fromEntries(Object.entries(rawParams).filter(([, value]) => value !== null)),
  }
}
