import { join } from 'node:path'
import { readStateVersions } from '../../access/installation.ts'
import { CONTENT_QUEUE, type ContentJob } from '../../changes/stored-contents.ts'
import { Contents } from '../../platform/contents/contents.ts'
import type { DeliveryContext, Receivers } from '../delivery/delivery-context.ts'
import { delayWithinMonth, type Queue } from '../jobs/job.ts'

/**
 * Deletes contents from the store that no attachment uses any more. If the store does not respond, the job is retried.
 */
export function contentReceivers({ db, config, installation }: DeliveryContext): Receivers {
  const contents = new Contents(join(config.dataFolder, 'attachments'))
  const queue: Queue = {
    name: CONTENT_QUEUE,
    parallel: 2,
    delayAfter: delayWithinMonth,
    limitSeconds: 120,
    async perform({ payload }) {
      const settings = await installation.settingsAt(await readStateVersions(db))
      await contents.remove(settings, (payload as ContentJob).key)
      return { done: true }
    },
  }
  return { consumers: [], queues: [queue] }
}
