import { Installation } from './access/installation.ts'
import { LARGEST_MESSAGE_BYTES } from './outbound/incoming/read-message.ts'
import { takeMessage } from './outbound/incoming/take-message.ts'
import { ownBaseAddress } from './platform/config/base-address.ts'
import type { Config } from './platform/config/config.ts'
import { logTo } from './platform/monitoring/log.ts'
import type { OutputOptions } from './platform/output-options.ts'
import { prepare } from './prepare.ts'

/** Exit codes from sysexits.h, which mail servers understand. */
const [TAKEN, REFUSED] = [0, 65]

/** Accepts one message, for mail servers that pass messages to a program. Returns its exit code. */
export async function receiveMail(
  config: Config,
  input: AsyncIterable<Buffer>,
  { json, quiet }: OutputOptions = {},
): Promise<number> {
  const raw = await wholeOf(input)
  if (raw === undefined) return refused('the message is too large', json)
  const { db } = await prepare(config)
  const baseUrl = () => config.baseUrl ?? ownBaseAddress(config)
  const context = { db, config, log: logTo(), installation: new Installation(db), baseUrl }
  const taken = await takeMessage(context, raw)
  await db.close()
  if ('refused' in taken) return refused(taken.refused, json)
  if (json) console.log(JSON.stringify({ bug_id: taken.bugId, is_new: taken.isNew }))
  else if (!quiet)
    console.log(
      taken.isNew ? `The message was filed as bug ${taken.bugId}.` : `The message was added to bug ${taken.bugId}.`,
    )
  return TAKEN
}

function refused(why: string, json?: boolean): number {
  const sentence = `The message is refused: ${why}.`
  console.error(sentence)
  if (json) console.log(JSON.stringify({ error: sentence }))
  return REFUSED
}

async function wholeOf(input: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of input) {
    bytes += chunk.length
    if (bytes > LARGEST_MESSAGE_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
