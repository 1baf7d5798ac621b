import { type FSWatcher, watch } from 'node:fs'
import { mkdir, readdir, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { inRounds } from '../rounds.ts'
import type { Surroundings } from '../surroundings.ts'
import { LARGEST_MESSAGE_BYTES } from './read-message.ts'
import { takeMessage } from './take-message.ts'

const GATHER_MILLISECONDS = 100
const IDLE_MILLISECONDS = 5000

/**
 * Takes the messages that a mail server puts into a Maildir: from `new` to `cur`, as seen when they were taken and as flagged when they were
 * refused. What fails for a reason that passes stays in `new`, and is tried again.
 */
export function watchMaildir(surroundings: Surroundings) {
  const { log, config } = surroundings
  const folder = config.maildir
  if (folder === undefined) return { end: async () => {} }
  const fresh = join(folder, 'new')
  let watcher: FSWatcher | undefined
  const round = async () => {
    await Promise.all(['new', 'cur', 'tmp'].map((name) => mkdir(join(folder, name), { recursive: true, mode: 0o700 })))
    watcher ??= watch(fresh, () => rounds.wake()).unref()
    // Their names begin with the time at which they came.
    const names = (await readdir(fresh)).filter((name) => !name.startsWith('.')).sort()
    for (const name of names) await takeFile(surroundings, folder, name).catch(unlessGone)
    return false
  }
  const pauses = { gatherMilliseconds: GATHER_MILLISECONDS, idleMilliseconds: IDLE_MILLISECONDS }
  const rounds = inRounds({ name: 'Taking mail', log, ...pauses }, round)
  return {
    async end() {
      watcher?.close()
      await rounds.end()
    },
  }
}

async function takeFile(surroundings: Surroundings, folder: string, name: string) {
  const file = join(folder, 'new', name)
  const { size } = await stat(file)
  const taken = size > LARGEST_MESSAGE_BYTES ? TOO_LARGE : await takeMessage(surroundings, await readFile(file))
  const isRefused = 'refused' in taken
  // Nothing of what was sent stands in the log.
  if (isRefused) surroundings.log.info('mail refused', { file: name, why: taken.refused })
  else surroundings.log.info('mail taken', { file: name, bug: taken.bugId, isNew: taken.isNew })
  const [plain = name] = name.split(':')
  await rename(file, join(folder, 'cur', `${plain}:2,${isRefused ? 'F' : 'S'}`))
}

/** Another server on the same folder was quicker. */
function unlessGone(fault: NodeJS.ErrnoException) {
  if (fault.code !== 'ENOENT') throw fault
}

const TOO_LARGE = { refused: 'the message is too large' }
