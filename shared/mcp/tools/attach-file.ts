import { BUG, inputOf, objectOf, paramsOf, REASON, REQUEST_ID } from '../input-schema.ts'
import type { Tool } from '../tool.ts'
import { TrackerRefusal } from '../tracker.ts'
import { once, picked, whyProposed, writtenOutcome } from './written.ts'

const FIELDS = ['file_name', 'summary', 'content_type', 'comment', 'is_patch', 'is_private'] as const
const MOST_CHARACTERS = 700_000

export const attachFile: Tool = {
  name: 'attach_file',
  title: 'Attach a file to a bug',
  about: `Attaches a file: its content as text, or as base64, at most ${MOST_CHARACTERS} characters.`,
  needs: 'write',
  input: inputOf(
    {
      bug: BUG,
      ...paramsOf('POST /bug/:ref/attachment', FIELDS),
      text: { type: 'string', minLength: 1, maxLength: MOST_CHARACTERS, description: 'The content, if it is text.' },
      base64: {
        type: 'string',
        minLength: 1,
        maxLength: MOST_CHARACTERS,
        description: 'The content in base64, instead of text.',
      },
      reason: REASON,
      request_id: REQUEST_ID,
    },
    ['bug', 'file_name', 'summary'],
  ),
  data: objectOf({ id: { type: 'integer', description: 'Id of the new attachment.' }, proposal: { type: 'object' } }),
  async run(tracker, args) {
    const { text, base64 } = args as { text?: string; base64?: string }
    if ((text === undefined) === (base64 === undefined)) throw needsContent()
    const params = {
      ref: args.bug,
      ...picked(args, FIELDS),
      // Without a type, text would be saved as a file of unknown content.
      content_type: args.content_type ?? (text === undefined ? 'application/octet-stream' : 'text/plain'),
      data: base64 ?? base64Of(text ?? ''),
      ...whyProposed(tracker, args.reason),
    }
    const answer = await tracker.call('POST', '/bug/:ref/attachment', params, once(args.request_id))
    const { ids: [id] = [] } = answer.body as { ids?: number[] }
    return writtenOutcome(answer, 'The file is attached.', { id })
  },
}

function needsContent() {
  return new TrackerRefusal({ status: 400, code: 0, message: 'Send the content as text or as base64, not both.' })
}

function base64Of(text: string): string {
  const bytes = new TextEncoder().encode(text)
  const parts: string[] = []
  for (let from = 0; from < bytes.length; from += PART)
    parts.push(String.fromCharCode(...bytes.subarray(from, from + PART)))
  return btoa(parts.join(''))
}

/** More would be too many arguments of a function. */
const PART = 8192
