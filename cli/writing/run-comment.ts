import type { Context } from '../context.ts'
import { sendKept } from '../input/kept-text.ts'
import { shownValue } from '../reading/shown-value.ts'
import { proposalIn } from './proposal.ts'
import { readTypedText, type TextOptions } from './typed-text.ts'

export interface CommentOptions extends TextOptions {
  readonly private?: boolean
}

export async function runComment(ref: string, options: CommentOptions, context: Context) {
  const connection = context.connect()
  const { client, name } = connection
  const { bugs } = await client.get('/bug/:ref', { ref, include_fields: 'id,summary,status' })
  const bug = bugs[0]
  const typed = await readTypedText(context, options, {
    purpose: `comment-${ref.replaceAll(/[^\w-]/g, '_').slice(0, 40)}`,
    explanation: [
      `A comment on bug ${shownValue(bug?.id)}: ${shownValue(bug?.summary)}`,
      options.private ? 'It will be private.' : 'Everybody who sees the bug will see it.',
    ],
  })
  const comment = { ref, comment: typed.text, ...(options.private && { is_private: true }) }
  const answer = await sendKept(typed.kept, name, async () =>
    client.post('/bug/:ref/comment', comment, { once: await connection.isLacewing() }),
  )
  const proposed = proposalIn(answer)
  if (proposed !== undefined) return context.output.print(proposed.document, [proposed.line])
  const { id } = answer
  await context.output.confirm({ id, bug_id: bug?.id }, [`Comment ${id} is on bug ${shownValue(bug?.id)}.`])
}
