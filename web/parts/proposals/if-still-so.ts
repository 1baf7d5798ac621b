import { RestError } from '../../core/server/rest.ts'
import { showFault } from '../../core/toasts.ts'

/** Sends a decision. If the proposal is not as it is shown any more, it says so and shows it as it is. */
export async function ifStillSo(send: () => Promise<void>, showAgain: () => void) {
  try {
    await send()
  } catch (fault) {
    if (!(fault instanceof RestError && STALE.includes(fault.status))) throw fault
    showFault(fault)
    showAgain()
  }
}

/** Of a proposal that was decided, or whose bug was changed; and of one that the reader may not see any more. */
const STALE: readonly number[] = [404, 409, 412]
