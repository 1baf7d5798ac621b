import type { CallContext } from '../../../access/call.ts'
import { isIn, requireLogin } from '../../../access/caller.ts'
import { errors } from '../../../platform/errors.ts'
import { enforce } from '../../../platform/rule.ts'
import { hasTags } from '../reading/comment-json.ts'
import { commentTagRules } from './comment-tag-rules.ts'

type TaggerContext = Pick<CallContext, 'caller' | 'settings'>

/** The requested tags as they are stored. Throws if the caller may not tag comments or if one is not a valid tag. */
export function wantedTags(context: TaggerContext, input: readonly string[] = []): string[] {
  if (input.length === 0) return []
  requireTagger(context)
  const tags = input.map((tag) => tag.trim())
  for (const tag of tags) enforce(commentTagRules, tag)
  return tags
}

export function requireTagger(context: TaggerContext) {
  const { caller, settings } = context
  requireLogin(caller)
  if (!hasTags(settings)) throw errors.comment_tags_off()
  if (!mayTagComments(context)) throw errors.group_required({ groups: [settings.comment_taggers_group] })
}

export function mayTagComments({ caller, settings }: TaggerContext): boolean {
  return hasTags(settings) && isIn(caller, settings.comment_taggers_group)
}
