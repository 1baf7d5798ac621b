import { type Changes, MERGED, recordAudit, recordCreation, recordRemoval } from '../../changes/audit.ts'
import { changesBetween } from '../../changes/changes-between.ts'
import { replaceKeyword } from '../../changes/replace-values.ts'
import type { ConfigurationTransaction, Db } from '../../platform/database/db.ts'
import { enforce } from '../../platform/rule.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { changeCatalogue } from '../change-catalogue.ts'
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

/** With `replaceWith`, bugs and saved searches get another keyword instead. */
export async function removeKeyword(db: Db, who: number, ref: string, replaceWith?: string): Promise<Keyword> {
  return changeCatalogue(db, async (tx) => {
    const keyword = await getKeyword(tx, ref)
    if (replaceWith !== undefined) await mergeKeyword(tx, who, keyword, await getKeyword(tx, replaceWith))
    await deleteKeyword(tx, keyword.id)
    await recordRemoval(tx, { who, class: 'Keyword', objectId: keyword.id }, keyword.name)
    return keyword
  })
}

async function mergeKeyword(tx: ConfigurationTransaction, who: number, from: Keyword, to: Keyword) {
  enforce(keywordMergeRules, { from, to })
  await replaceKeyword(tx, { who, at: timeNow() }, { field: 'keywords', from, to })
  await renameInSearches(tx, 'keywords', from.name, to.name)
  await moveKeywordWatches(tx, from.id, to.id)
  await recordAudit(
    tx,
    { who, class: 'Keyword', objectId: from.id },
    { [MERGED]: { removed: from.name, added: to.name } },
  )
}
