import { type FSWatcher, watch } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readStateVersions } from '../../access/installation.ts'
import { isUnavailable } from '../../platform/database/unavailable.ts'
import { isOutage, loggedCause } from '../../platform/monitoring/outage.ts'
import { writeWholeFile } from '../../platform/whole-file.ts'
import type { DeliveryContext } from '../delivery/delivery-context.ts'
import { runInRounds } from '../delivery/rounds.ts'
import { LARGEST_MESSAGE_BYTES } from './read-message.ts'
import { refuseMessage, takeMessage } from './take-message.ts'

const BATCH_MILLISECONDS = 100
const IDLE_MILLISECONDS = 5000

/** Seconds to wait after each failed attempt. After the last one the message is moved to `failed`. */
const RETRY_SECONDS = [5, 60, 300, 1800]

/**
 * Reads the messages that a mail server puts into a Maildir. They move from `new` to `cur`: marked as seen if accepted,
 * as flagged if refused. A message that fails is tried again later without holding up the others; after some attempts
 * it is moved to `failed`.
 */
export function watchMaildir(context: DeliveryContext, retrySeconds: readonly number[] = RETRY_SECONDS) {
  const { log, config } = context
  const folder = config.maildir
  if (folder === undefined) return { end: async () => {} }
  const fresh = join(folder, 'new')
  let watcher: FSWatcher | undefined
  const failed = new Map<string, { attempts: number; notBefore: number }>()
  const round = async () => {
    await Promise.all(FOLDERS.map((name) => mkdir(join(folder, name), { recursive: true, mode: 0o700 })))
    watcher ??= watched(fresh)
    // Their names begin with the time of arrival.
    const names = (await readdir(fresh)).filter((name) => !name.startsWith('.')).sort()
    for (const name of names.filter((name) => (failed.get(name)?.notBefore ?? 0) <= performance.now()))
      await takeCounted(context, folder, name).then(
        () => failed.delete(name),
        (fault) => noteFailure(name, fault),
      )
    return false
  }
  const watched = (path: string) =>
    watch(path, () => rounds.wake())
      // Watching fails, for example, if the folder was moved. The folder is read regularly in any case, and then watched again.
      .on('error', () => {
        watcher = undefined
      })
      .unref()
  const noteFailure = async (name: string, fault: NodeJS.ErrnoException) => {
    // Another server on the same folder was faster.
    if (fault.code === 'ENOENT') return void failed.delete(name)
    // If the database or the file store is unavailable, the message is not at fault, and the attempt does not count.
    if (isUnavailable(fault)) throw fault
    await readStateVersions(context.db)
    const earlier = failed.get(name)?.attempts ?? 0
    const attempts = isOutage(fault) ? earlier : earlier + 1
    const seconds = isOutage(fault) ? retrySeconds[1] : retrySeconds[attempts - 1]
    log.error('mail failed', { file: name, attempts, isSetAside: seconds === undefined, why: loggedCause(fault) })
    if (seconds !== undefined) return void failed.set(name, { attempts, notBefore: performance.now() + seconds * 1000 })
    failed.delete(name)
    await rename(join(fresh, name), join(folder, SET_ASIDE, name))
  }
  const pauses = { batchMilliseconds: BATCH_MILLISECONDS, idleMilliseconds: IDLE_MILLISECONDS }
  const rounds = runInRounds({ name: 'reading incoming mail', log, ...pauses }, round)
  return {
    async end() {
      watcher?.close()
      await rounds.end()
    },
  }
}

/** Counts the started attempts in a file, so that a message that crashes the server is not tried forever. */
async function takeCounted(context: DeliveryContext, folder: string, name: string) {
  const counter = join(folder, 'tmp', `${COUNTER}${name}`)
  const begun = Number(await readFile(counter, 'utf8').catch(() => '0')) || 0
  const isFatal = begun >= MOST_BEGUN
  if (!isFatal) await writeWholeFile(counter, async (output) => void output.write(String(begun + 1)))
  try {
    if (!isFatal) return await takeFile(context, folder, name)
    await rename(join(folder, 'new', name), join(folder, SET_ASIDE, name))
    context.log.error('mail failed', {
      file: name,
      attempts: begun,
      isSetAside: true,
      why: 'The server ended while it read the message.',
    })
  } finally {
    await rm(counter, { force: true })
  }
}

const COUNTER = 'lacewing-attempts-'
/** Several servers on one folder may start with the same message. */
const MOST_BEGUN = 5

async function takeFile(context: DeliveryContext, folder: string, name: string) {
  const file = join(folder, 'new', name)
  const { size } = await stat(file)
  const taken =
    size > LARGEST_MESSAGE_BYTES
      ? await refuseMessage(context, TOO_LARGE)
      : await takeMessage(context, await readFile(file))
  const isRefused = 'refused' in taken
  // The log does not contain any content of the message.
  if (isRefused) context.log.info('mail refused', { file: name, why: taken.refused })
  else context.log.info('mail accepted', { file: name, bug: taken.bugId, isNew: taken.isNew })
  const [plain = name] = name.split(':')
  await rename(file, join(folder, 'cur', `${plain}:2,${isRefused ? 'F' : 'S'}`))
}

const TOO_LARGE = { refused: 'the message is too large' }

/** The folder for messages that could not be processed. */
export const SET_ASIDE = 'failed'
const FOLDERS = ['new', 'cur', 'tmp', SET_ASIDE]
