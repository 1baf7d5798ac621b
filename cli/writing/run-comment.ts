import type { Context } from '../context.ts'
import { removeIfKept, sendKept, shellWord } from '../input/kept-text.ts'
import { shownValue } from '../reading/shown-value.ts'
import { acknowledged } from './acknowledged.ts'
import { proposalIn } from './proposal.ts'
import { editedText, givenText, requireText, type TextOptions } from './typed-text.ts'

export interface CommentOptions extends TextOptions {
  readonly private?: boolean
}

export async function runComment(ref: string, options: CommentOptions, context: Context) {
  const connection = context.connect()
  const { client, name } = connection
  const wanted = {
    purpose: `comment-${ref}`,
    again: `lacewing comment ${shellWord(ref)} --file FILE${options.private ? ' --private' : ''}`,
  }
  const readBug = async () => (await client.get('/bug/:ref', { ref, include_fields: 'id,summary,status' })).bugs[0]
  const given = await givenText(context, options, wanted, true)
  if (given !== undefined) requireText(given)
  const known = given === undefined ? await readBug() : undefined
  const typed = given ?? (await editedText(context, wanted, explanationFor(known ?? {}, options)))
  const [bug, answer] = await sendKept(typed.kept, name, async () => {
    const found = known ?? (await readBug())
    const comment = { ref, comment: typed.text, ...(options.private && { is_private: true }) }
    const once = await connection.isLacewing()
    return [found, acknowledged(await client.post('/bug/:ref/comment', comment, { once }))] as const
  })
  removeIfKept(options.file, context)
  const proposed = proposalIn(answer)
  if (proposed !== undefined) return context.output.print(proposed.document, [proposed.line])
  await context.output.confirm({ id: answer.id, bug_id: bug?.id }, [`Commented on bug ${shownValue(bug?.id ?? ref)}.`])
}

function explanationFor({ id, summary }: { id?: unknown; summary?: unknown }, options: CommentOptions): string[] {
  return [
    `A comment on bug ${shownValue(id)}: ${shownValue(summary)}`,
    options.private ? 'It will be private.' : 'Everybody who sees the bug will see it.',
  ]
}
