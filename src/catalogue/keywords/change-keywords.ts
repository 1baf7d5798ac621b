import { type Changes, MERGED, recordAudit, recordCreation, recordRemoval } from '../../changes/audit.ts'
import { changesBetween } from '../../changes/changes-between.ts'
import { countBugsWithKeyword } from '../../changes/count-bugs.ts'
import { replaceKeyword } from '../../changes/replace-values.ts'
import type { ConfigurationTransaction, Db } from '../../platform/database/db.ts'
import { enforce } from '../../platform/rule.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { changeCatalogue } from '../change-catalogue.ts'
import { beginRemoval, mostCounted, needsSteps } from '../removals/begin-removal.ts'
import type { Removal } from '../removals/removal.ts'
import { renameInSearches } from '../rename-in-searches.ts'
import { changedKeyword, type Keyword, type KeywordEdit } from './keyword.ts'
import { keywordMergeRules, keywordRules } from './keyword-rules.ts'
import { deleteKeyword, getKeyword, insertKeyword, moveKeywordWatches, updateKeyword } from './keyword-store.ts'

export async function createKeyword(db: Db, who: number, wanted: Partial<KeywordEdit>): Promise<number> {
  const keyword = changedKeyword({ name: '', description: '' }, wanted)
  enforce(keywordRules, keyword)
  return changeCatalogue(db, async (tx) => {
    const id = await insertKeyword(tx, keyword)
    await recordCreation(tx, { who, class: 'Keyword', objectId: id }, keyword.name)
    return id
  })
}

export async function changeKeyword(
  db: Db,
  who: number,
  ref: string,
  wanted: Partial<KeywordEdit>,
): Promise<{ id: number; changes: Changes }> {
  return changeCatalogue(db, async (tx) => {
    const { id, ...before } = await getKeyword(tx, ref)
    const after = changedKeyword(before, wanted)
    enforce(keywordRules, after)
    await updateKeyword(tx, { id, ...after })
    if (after.name !== before.name) await renameInSearches(tx, 'keywords', before.name, after.name)
    const changes = changesBetween({ ...before }, { ...after })
    await recordAudit(tx, { who, class: 'Keyword', objectId: id }, changes)
    return { id, changes }
  })
}

/** With `replaceWith`, bugs and saved searches get another keyword instead; `inSteps` many of them some at a time, and it is deleted after them. */
export function removeKeyword(
  db: Db,
  who: number,
  ref: string,
  { replaceWith, inSteps = false }: { replaceWith?: string | undefined; inSteps?: boolean | undefined } = {},
): Promise<{ keyword: Keyword; removal: Removal | undefined }> {
  return changeCatalogue(db, async (tx) => {
    const keyword = await getKeyword(tx, ref)
    if (replaceWith === undefined) {
      await deleteAndRecord(tx, who, keyword)
      return { keyword, removal: undefined }
    }
    const replacement = await getKeyword(tx, replaceWith)
    enforce(keywordMergeRules, { from: keyword, to: replacement })
    const bugs = await countBugsWithKeyword(tx, keyword.id, mostCounted(inSteps))
    if (!needsSteps(bugs, inSteps, keyword.name)) {
      await finishKeywordMerge(tx, who, keyword, replacement)
      return { keyword, removal: undefined }
    }
    const begun = { class: 'Keyword', objectId: keyword.id, name: keyword.name, replacement, bugs } as const
    return { keyword, removal: await beginRemoval(tx, who, begun) }
  })
}

/** The bugs that are left get the other keyword, and so do saved searches and those who watch. */
export async function finishKeywordMerge(tx: ConfigurationTransaction, who: number, from: Keyword, to: Keyword) {
  enforce(keywordMergeRules, { from, to })
  await replaceKeyword(tx, { who, at: timeNow() }, { field: 'keywords', from, to })
  await renameInSearches(tx, 'keywords', from.name, to.name)
  await moveKeywordWatches(tx, from.id, to.id)
  const audited = { who, class: 'Keyword', objectId: from.id } as const
  await recordAudit(tx, audited, { [MERGED]: { removed: from.name, added: to.name } })
  await deleteAndRecord(tx, who, from)
}

async function deleteAndRecord(tx: ConfigurationTransaction, who: number, { id, name }: Keyword) {
  await deleteKeyword(tx, id)
  await recordRemoval(tx, { who, class: 'Keyword', objectId: id }, name)
}
