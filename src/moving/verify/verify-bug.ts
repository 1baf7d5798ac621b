import { createHash } from 'node:crypto'
import { isObject, type Json, type RestAnswer } from '../rest-client/rest-server.ts'
import { askBoth, type VerifyContext } from './ask-both.ts'
import { type AnswerDifference, compareAnswers, errorOf } from './compare-answers.ts'
import type { VerifyPerson } from './verify-people.ts'

/** One bug as each person: its fields, comments, history and attachments, and whether it is visible at all. */
export async function verifyBug(context: VerifyContext, id: number) {
  const readContents = new Set<string>()
  for (const person of context.people) {
    const bug = await askBoth(context, 'bug', person, `bug/${id}?include_fields=_default,_custom,tags`)
    if (!bug?.areBothGood) continue
    await askBoth(context, 'comment', person, `bug/${id}/comment`)
    await askBoth(context, 'history', person, `bug/${id}/history`)
    const listed = await askBoth(context, 'attachment', person, `bug/${id}/attachment?exclude_fields=data`)
    if (listed?.areBothGood) await verifyContents(context, person, id, listed.old.body, readContents)
  }
}

/** The content of each attachment, once, as the first person who sees it. */
async function verifyContents(
  context: VerifyContext,
  person: VerifyPerson,
  bug: number,
  listed: Json,
  read: Set<string>,
) {
  const lists = isObject(listed) && isObject(listed.bugs) ? listed.bugs[String(bug)] : undefined
  for (const attachment of Array.isArray(lists) ? lists : []) {
    const id = isObject(attachment) ? String(attachment.id) : ''
    if (!/^\d{1,10}$/.test(id) || read.has(id)) continue
    read.add(id)
    await askBoth(context, 'content', person, `bug/attachment/${id}?include_fields=id,data`, (old, own) =>
      compareContents(old, own, id),
    )
  }
}

function compareContents(old: RestAnswer, own: RestAnswer, id: string): AnswerDifference[] {
  if (errorOf(old) !== undefined || errorOf(own) !== undefined) return compareAnswers(old, own)
  const [left, right] = [contentIn(old.body, id), contentIn(own.body, id)]
  return left === right ? [] : [{ path: 'data', kind: 'differs', old: left, new: right }]
}

/** Size and hash, so that examples stay small. */
function contentIn(body: Json, id: string): string {
  const attachments = isObject(body) && isObject(body.attachments) ? body.attachments : {}
  const attachment = attachments[id]
  const data = isObject(attachment) ? attachment.data : undefined
  if (typeof data !== 'string') return 'no content'
  const bytes = Buffer.from(data, 'base64')
  return `${bytes.length} bytes, SHA-256 ${createHash('sha256').update(bytes).digest('hex')}`
}
