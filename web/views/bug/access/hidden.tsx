import { useEffect } from 'preact/hooks'
import { me } from '../../../core/account/session.ts'
import { currentAddress, hrefOf } from '../../../core/router.ts'
import { Empty } from '../../../parts/states.tsx'
import { forgetCopied } from './forget-copied.ts'

/** A bug that the reader may not see: the page says so, and offers to log in. */
export function Hidden({ bug }: { bug: number }) {
  useEffect(() => forgetCopied(bug), [bug])
  return (
    <div class="page">
      <Empty icon="lock" title="You may not see this bug" isPage>
        {me.value === undefined ? (
          <>
            <p>It is restricted to some groups. If you are in one of them, log in.</p>
            <a
              class="button button-primary"
              href={hrefOf(`/login?to=${encodeURIComponent(currentAddress.value.path)}`)}
            >
              Log in
            </a>
          </>
        ) : (
          <p>
            It is restricted to groups that you are not in. Its reporter or its assignee can add you to the CC list.
          </p>
        )}
      </Empty>
    </div>
  )
}
