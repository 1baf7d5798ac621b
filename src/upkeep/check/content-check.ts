import { KEYS_OF_CONTENTS } from '../../moving/archive/read-installation.ts'
import { StoreUnavailable } from '../../platform/contents/s3-store.ts'
import type { IntegrityCheck } from './integrity-check.ts'

/** Contents of attachments: each is in the store, has its SHA-256 and the size that the attachment says. */
export const contentsOfAttachments: IntegrityCheck = {
  name: 'contents of attachments',
  async *find({ snapshot, contents }) {
    if (contents === undefined) return
    for await (const rows of snapshot.rows(KEYS_OF_CONTENTS))
      for (const { key, size } of rows) {
        try {
          let bytes = 0
          for await (const chunk of await contents.open(String(key), Number(size))) bytes += (chunk as Buffer).length
          if (bytes !== size)
            yield { sentence: `the content ${key} has ${bytes} bytes instead of ${size}`, subject: String(key) }
        } catch (fault) {
          const { cause, message } = fault as Error
          if (cause instanceof StoreUnavailable) {
            yield { sentence: `${cause.message}: the other contents were not checked`, subject: String(key) }
            return
          }
          yield { sentence: `${cause instanceof Error ? cause.message : message} (${key})`, subject: String(key) }
        }
      }
  },
}
