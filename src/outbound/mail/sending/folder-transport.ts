import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { digest } from '../../../platform/secrets/secrets.ts'
import { writeWholeFile } from '../../../platform/whole-file.ts'
import type { Message } from '../message/message.ts'
import type { MailTransport, SendOutcome } from './mail-transport.ts'

/** Stores messages as .eml files, in a folder for each day. A message that is sent again overwrites its file. */
export function folderTransport(folder: string): MailTransport {
  return {
    async send({ messageId, to, bytes }: Message): Promise<SendOutcome> {
      const day = join(folder, new Date().toISOString().slice(0, 10))
      await mkdir(day, { recursive: true, mode: 0o700 })
      const file = join(day, nameOf(messageId, to))
      await writeWholeFile(file, async (output) => void output.write(bytes))
      return { done: true }
    },
    async close() {},
  }
}

function nameOf(messageId: string, to: string) {
  const word = messageId.replace(/^<|@.*$/g, '').replace(/[^A-Za-z0-9-]/g, '')
  return `${word}-${digest(`${messageId} ${to}`).slice(0, 8)}.eml`
}
