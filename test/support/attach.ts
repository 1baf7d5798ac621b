import assert from 'node:assert/strict'
import type { Client } from './world.ts'

export function base64(text: string | Buffer) {
  return Buffer.from(text).toString('base64')
}

/** The required fields of an attachment. */
export function newFile(more: Record<string, unknown> = {}) {
  return {
    data: base64('hello attachment\n'),
    file_name: 'a.txt',
    summary: 'A file',
    content_type: 'text/plain',
    ...more,
  }
}

/** Attaches a file to a bug, with default values for what the test does not set. Returns the id of the attachment. */
export async function attach(who: Client, bug: number, more: Record<string, unknown> = {}): Promise<number> {
  const { status, body, text } = await who.post(`/rest/bug/${bug}/attachment`, newFile(more))
  assert.equal(status, 201, text)
  return body.ids[0]
}

/** The attachment as this user sees it. */
export async function readAttachment(who: Client, id: number, query = '') {
  const { status, body, text } = await who.get(`/rest/bug/attachment/${id}${query}`)
  assert.equal(status, 200, text)
  const attachment = body.attachments[id]
  assert.ok(attachment, text)
  return attachment
}
