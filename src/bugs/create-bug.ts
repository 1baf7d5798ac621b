import type { Asked } from '../access/call.ts'
import { requireLogin } from '../access/caller.ts'
import type { FieldDefinitions } from '../catalogue/fields/field.ts'
import { keptFields } from '../catalogue/fields/field-store.ts'
import { keptWorkflow } from '../catalogue/workflow/workflow-store.ts'
import { announce } from '../changes/outbox.ts'
import { timeNow } from '../platform/clock.ts'
import { errors } from '../platform/errors.ts'
import { addAliases } from './bug-aliases.ts'
import { addBugGroups } from './bug-groups.ts'
import { addCc, addKeywords, insertBug } from './bug-store.ts'
import { addComment } from './comments/add-comment.ts'
import { CREATE_PARAMS, IGNORED_PARAMS } from './create-params.ts'
import { customFieldNamed } from './custom-values/custom-value.ts'
import { insertCustomValues } from './custom-values/custom-value-store.ts'
import { applyFlags } from './flags/apply-flags.ts'
import { planBug, wantedIn } from './new-bug.ts'

/** Files a bug, with all that belongs to it or not at all. Answers its number. */
export async function createBug(asked: Asked<typeof CREATE_PARAMS>): Promise<{ id: number }> {
  const caller = requireLogin(asked.caller)
  const { settings, groups, baseUrl } = asked
  const fields = await asked.catalogue(keptFields)
  const workflow = await asked.catalogue(keptWorkflow)
  requireKnownFields(asked.given, fields)
  const wanted = wantedIn(asked.params, asked.given)
  return asked.db.transaction(async (tx) => {
    const at = timeNow()
    const plan = await planBug(tx, { caller, settings, baseUrl, fields, workflow }, wanted, at)
    const id = await insertBug(tx, plan.row)
    await addBugGroups(tx, id, plan.groupIds)
    await addAliases(tx, id, plan.aliases)
    await addKeywords(tx, id, plan.keywordIds)
    await addCc(tx, id, plan.ccIds)
    await insertCustomValues(tx, id, plan.custom)
    const { text, isPrivate } = plan.description
    await addComment(tx, { bugId: id, userId: caller.id, at, text, isPrivate })
    const target = { bugId: id, productId: plan.row.product_id, componentId: plan.row.component_id }
    const { cc, facts } = await applyFlags(tx, { caller, settings, groups }, target, wanted.flags ?? [], at)
    await addCc(tx, id, cc)
    await announce(tx, { kind: 'bug.create', bugId: id, who: caller.id, at, facts: { flags: facts } })
    return { id }
  })
}

/** A misspelt field would be lost without a word, so it is refused by its name. */
function requireKnownFields(given: Readonly<Record<string, unknown>>, fields: FieldDefinitions) {
  const unknown = Object.keys(given).find(
    (name) =>
      !Object.hasOwn(CREATE_PARAMS, name) && !IGNORED_PARAMS.has(name) && customFieldNamed(fields, name) === undefined,
  )
  if (unknown !== undefined) throw errors.unknown_field({ name: unknown })
}
