import { closeSync, createWriteStream, lstatSync, openSync, rmSync, type WriteStream } from 'node:fs'
import { link, rename, rm } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { Refusal } from './refusal.ts'
import { randomWord } from './secrets/secrets.ts'

/**
 * Writes a file that has its name only when it is whole. Until then it is a new file with a name of its own: a file or a symbolic link
 * that somebody has put there is never written to, and never decides who may read the content.
 */
export function writeWholeFile<Result>(file: string, write: Write<Result>): Promise<Result> {
  return writeDraft(file, write, rename)
}

/** The same, but a file of that name that has a content is left alone, also one that was made meanwhile. */
export function writeNewFile<Result>(file: string, write: Write<Result>): Promise<Result> {
  return writeDraft(file, write, renameToNew)
}

type Write<Result> = (output: WriteStream) => Promise<Result>
type Rename = (draft: string, file: string) => Promise<void>

async function writeDraft<Result>(file: string, write: Write<Result>, renameDraft: Rename): Promise<Result> {
  requireReplaceable(file)
  const draft = draftOf(file)
  const output = createWriteStream(draft, { ...PRIVATE_AND_NEW, flush: true })
  try {
    const result = await Promise.race([write(output), failureOf(output)])
    output.end()
    await finished(output)
    requireReplaceable(file)
    await renameDraft(draft, file)
    return result
  } catch (fault) {
    await closed(output)
    await rm(draft, { force: true })
    throw naming(file, draft, fault)
  }
}

/** Only a link is refused if there is a file of that name. Some file systems have no links. */
async function renameToNew(draft: string, file: string) {
  try {
    await link(draft, file)
  } catch {
    requireNothingLost(file)
    return rename(draft, file)
  }
  await rm(draft)
}

/** Refuses to overwrite a file. An empty one has nothing to lose. */
export function requireNothingLost(file: string) {
  const found = lstatSync(file, { throwIfNoEntry: false })
  // A folder or a device is refused when it is opened, with another reason.
  if (found?.isFile() && found.size > 0)
    throw new Refusal(`${file} exists: name another file, or add --force to overwrite it.`)
}

/** The system may open the file after the fault: what is removed before that would stay. */
async function closed(output: WriteStream) {
  // What else fails meanwhile is a consequence of the fault.
  output.on('error', () => {}).destroy()
  if (!output.closed) await new Promise<void>((resolve) => output.once('close', () => resolve()))
}

/** Throws before long work if its result cannot be written to this file afterwards. */
export function requireWritableFile(file: string) {
  requireReplaceable(file)
  const draft = draftOf(file)
  try {
    closeSync(openSync(draft, PRIVATE_AND_NEW.flags, PRIVATE_AND_NEW.mode))
    rmSync(draft)
  } catch (fault) {
    throw naming(file, draft, fault)
  }
}

/** The operator knows the file, not its draft. */
function naming(file: string, draft: string, fault: unknown): unknown {
  const { path } = fault as NodeJS.ErrnoException
  return path === draft ? Object.assign(fault as Error, { path: file }) : fault
}

/** The system refuses to open a file with these flags if there is one of that name, even a symbolic link that leads nowhere. */
export const PRIVATE_AND_NEW = { flags: 'wx', mode: 0o600 } as const

/** What a file that is being written is called. */
function draftOf(file: string) {
  return `${file}.${randomWord(DRAFT_LENGTH)}.part`
}

const DRAFT_LENGTH = 16

/** Replacing a device or a symbolic link would break whatever uses it. */
function requireReplaceable(file: string) {
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found === undefined || found.isFile()) return
  const what = found.isDirectory() ? 'is a folder' : 'is not a regular file'
  throw new Refusal(`${file} cannot be written, because it ${what}. Name another file.`)
}

/** A stream that nobody waits for at the moment would end the process with its error. */
function failureOf(output: WriteStream): Promise<never> {
  return new Promise((_, reject) => output.once('error', reject))
}
