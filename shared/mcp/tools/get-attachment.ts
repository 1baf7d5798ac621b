import { answerOf, inputOf, objectOf } from '../input-schema.ts'
import type { Tool } from '../tool.ts'

const LONGEST_TEXT = 12_000
/** A larger file is not read at all. */
const MOST_BYTES = 1_000_000

const FACTS = [
  'id',
  'bug_id',
  'file_name',
  'summary',
  'content_type',
  'size',
  'creator',
  'creation_time',
  'is_private',
  'is_patch',
  'is_obsolete',
] as const

/** Types whose content is text, besides those that begin with text/. */
const TEXT_TYPES =
  /^(?:text\/|application\/(?:json|xml|yaml|x-yaml|toml|javascript|sql|x-sh|x-httpd-php)\b|[\w.-]+\/[\w.-]+\+(?:json|xml)\b)/i

export const getAttachment: Tool = {
  name: 'get_attachment',
  title: 'Read an attachment',
  about: `Returns what an attachment is, and its content if that is text: ${LONGEST_TEXT} characters at once.`,
  needs: 'read',
  input: inputOf(
    {
      attachment: { type: 'integer', minimum: 1, maximum: 2_147_483_647, description: 'Id of an attachment.' },
      text_from: { type: 'integer', minimum: 0, maximum: MOST_BYTES, description: 'Begins at this character.' },
    },
    ['attachment'],
  ),
  data: objectOf({
    attachment: answerOf('Attachment', FACTS),
    text: {
      type: 'string',
      description: 'A part of the content. It is missing if the content is no text, or too large.',
    },
    text_length: { type: 'integer' },
  }),
  async run(tracker, args) {
    const { attachment: id, text_from: from = 0 } = args as { attachment: number; text_from?: number }
    const read = async (fields: string) => {
      const { body } = await tracker.call('GET', '/bug/attachment/:attachment_id', {
        attachment_id: id,
        include_fields: fields,
      })
      return (body as { attachments: Record<string, Content> }).attachments[id]
    }
    const facts = await read(FACTS.join())
    if (facts === undefined) return { says: 'There is no such attachment.', data: {} }
    if (!TEXT_TYPES.test(facts.content_type))
      return { says: 'The content is no text, so that it is not returned.', data: { attachment: facts } }
    if (facts.size > MOST_BYTES)
      return {
        says: `The content is longer than ${MOST_BYTES} bytes, so that it is not returned.`,
        data: { attachment: facts },
      }
    const text = textIn((await read('data'))?.data ?? '')
    if (text === undefined)
      return { says: 'The content is not UTF-8, so that it is not returned.', data: { attachment: facts } }
    const end = Math.min(text.length, from + LONGEST_TEXT)
    return {
      says: `Characters ${Math.min(from + 1, end)} to ${end} of ${text.length}.`,
      data: { attachment: facts, text: text.slice(from, end), text_length: text.length },
      next: end < text.length ? { text_from: end } : undefined,
      longestText: LONGEST_TEXT + 1,
    }
  },
}

interface Content {
  content_type: string
  size: number
  data?: string
}

function textIn(base64: string): string | undefined {
  const bytes = Uint8Array.from(atob(base64.replace(/\s/g, '')), (character) => character.charCodeAt(0))
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
