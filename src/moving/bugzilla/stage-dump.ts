import { createHash } from 'node:crypto'
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { Progress } from '../../platform/progress.ts'
import { Refusal } from '../../platform/refusal.ts'
import { requireBugzilla } from './check-source.ts'
import { DumpParser } from './dump/dump-parser.ts'
import { UnreadableDump } from './dump/dump-value.ts'
import { openDump, STANDARD_INPUT } from './dump/open-dump.ts'
import { Staging } from './staging/staging.ts'

/** Reads the whole dump into the staging file and checks it. A damaged dump leaves nothing behind. */
export async function stageDump(file: string, stagingFile: string, progress: Progress): Promise<Staging> {
  Staging.removeFile(stagingFile)
  const identity = identityOf(file)
  const dump = openDump(file)
  const staging = new Staging(stagingFile)
  try {
    staging.begin()
    progress.begin('Reading the dump', dump.totalBytes, 'bytes')
    const parser = new DumpParser()
    for await (const chunk of dump.chunks) {
      parser.push(chunk, (event) => staging.add(event))
      progress.advance(dump.bytesRead())
    }
    parser.end((event) => staging.add(event))
    progress.advance(dump.bytesRead())
    requireBugzilla(staging)
    staging.finish({
      identity,
      name: file === STANDARD_INPUT ? 'standard input' : basename(file),
      hasEndMarker: parser.hasEnd,
    })
    progress.end()
    return staging
  } catch (fault) {
    progress.end()
    staging.remove()
    throw asRefusal(fault)
  }
}

/** Whatever a damaged dump leads to, it is refused with a sentence. */
function asRefusal(fault: unknown): unknown {
  if (fault instanceof UnreadableDump) return new Refusal(fault.message)
  const { code, message } = fault as NodeJS.ErrnoException
  if (code === 'ERR_SQLITE_ERROR')
    return new Refusal(`The dump is damaged, or the disk is full: ${message}. Nothing was imported.`)
  return fault
}

/** A completely staged dump; undefined if there is none. */
export function openStaging(file: string): Staging | undefined {
  if (!existsSync(file)) return undefined
  let staging: Staging | undefined
  try {
    staging = new Staging(file)
    if (staging.facts() !== undefined) return staging
  } catch {
    // It was cut off while it was written.
  }
  staging?.close()
  return undefined
}

const SAMPLE_BYTES = 1024 * 1024

/** Two files are the same dump if they have the same size and begin alike. A stream is like no other. */
export function identityOf(file: string): string {
  if (file === STANDARD_INPUT) return `stream ${Date.now()}`
  try {
    const { size } = statSync(file)
    const sample = Buffer.alloc(Math.min(size, SAMPLE_BYTES))
    const opened = openSync(file, 'r')
    readSync(opened, sample, 0, sample.length, 0)
    closeSync(opened)
    return `${size} ${createHash('sha256').update(sample).digest('hex')}`
  } catch (fault) {
    throw new Refusal(`The dump ${file} cannot be read: ${(fault as Error).message}.`)
  }
}
