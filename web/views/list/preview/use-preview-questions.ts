import { useEffect, useState } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { readFlagTypes } from '../../../core/bugs/flag-types.ts'
import { loadPeople } from '../../../core/bugs/people.ts'
import { get, put } from '../../../core/server/rest.ts'
import type { FlagChange } from '../../bug/composer/composed.ts'
import { type OpenQuestion, openQuestions } from '../../bug/composer/open-questions.ts'
import { type CommentDraft, markdown, sendComment } from '../../bug/composer/send.ts'

type Found = Parameters<typeof openQuestions>

/** The open questions of a bug that the reader may answer. They are read when the reader begins to write. */
export function usePreviewQuestions(
  bug: number,
  isWriting: boolean,
  decided: Readonly<Record<number, boolean>>,
): readonly OpenQuestion[] {
  const [found, setFound] = useState<readonly [Found[0], Found[1]]>()
  useEffect(() => {
    if (!isWriting) return
    let isCurrent = true
    readQuestions(bug).then(
      (read) => isCurrent && setFound(read),
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [bug, isWriting])
  return isWriting && found !== undefined ? openQuestions(found[0], found[1], decided) : []
}

async function readQuestions(bug: number): Promise<readonly [Found[0], Found[1]]> {
  const wanted = { ref: bug, include_fields: 'flags,product,component' }
  const { bugs } = await get(addressOf('/bug/:ref', wanted))
  const { flags = [], product = '', component = '' } = bugs?.[0] ?? {}
  const open = flags.filter(({ status }) => status === '?')
  if (open.length === 0) return [[], { types: [], mayConfirm: false }]
  const [types, access] = await Promise.all([
    readFlagTypes(product, component),
    get(addressOf('/bug/:ref/access', { ref: bug })),
    loadPeople(open.flatMap(({ setter, requestee }) => [setter, ...(requestee === undefined ? [] : [requestee])])),
  ])
  return [open, { types: types.bug, mayConfirm: access.fields.is_confirmed?.allowed === true }]
}

/** Sends a comment, and clears the questions that it answers in the same change. */
export async function sendAnswer(bugId: number, draft: CommentDraft, answers: readonly FlagChange[]) {
  if (answers.length === 0) return sendComment(bugId, draft)
  const comment = { body: draft.text, is_private: draft.isPrivate, ...markdown() }
  await put('/bug/:ref', { ref: bugId, comment, flags: answers.map(({ id, status }) => ({ id: id ?? 0, status })) })
}
