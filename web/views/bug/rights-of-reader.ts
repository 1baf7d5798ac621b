import { signal } from '@preact/signals'
import { addressOf } from '../../../shared/rest-address.ts'
import { me } from '../../core/account/session.ts'
import { get } from '../../core/server/rest.ts'
import type { BugAccess } from '../../core/server/types.ts'

/** What the reader may change in the bug, and why; read when it is first needed. */
export class RightsOfReader {
  readonly access = signal<BugAccess | undefined>(undefined)
  /** Whether `access` is there, or cannot be read. */
  readonly isKnown = signal(me.value === undefined)
  private request: Promise<void> | undefined

  load(bug: number): Promise<void> {
    if (me.value === undefined) return Promise.resolve()
    this.request ??= get(addressOf('/bug/:ref/access', { ref: bug }))
      .then((access) => {
        this.access.value = access
      })
      .catch(() => {
        this.request = undefined
      })
      .finally(() => {
        this.isKnown.value = true
      })
    return this.request
  }

  /** Rights change with the product, the assignee and the groups. */
  forget() {
    this.request = undefined
  }
}
