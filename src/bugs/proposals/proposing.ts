import type { CallContext } from '../../access/call.ts'
import type { Draft } from './drafts/draft.ts'
import { Proposed } from './proposal-schema.ts'
import { type ProposingContext, storeDraft } from './storing/store-proposals.ts'

/** Beside `draft`, what a call does for an API key that may propose but not write: it stores what it would do. */
export const PROPOSING = {
  store: (context: object, draft: unknown) => storeDraft(context as CallContext as ProposingContext, draft as Draft),
  answers: Proposed,
}
