import { useState } from 'preact/hooks'
import type { Answer } from '../../../../client/call-types.ts'
import { addressOf } from '../../../../shared/rest-address.ts'
import { bugAddress, hrefOf } from '../../../core/router.ts'
import { post } from '../../../core/server/rest.ts'
import { useData } from '../../../core/server/use-data.ts'
import { showFault, showToast } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { Time } from '../../../parts/time.tsx'

type Activity = Answer<'GET /user/:ref/activity'>

const DAYS = 30
const SHOWN = 8

/** What they wrote in the last days, the newest first, and hiding it as spam. */
export function Lately({ id, onChange }: { id: number; onChange(): void }) {
  const { body, fault, reload } = useData(addressOf('/user/:ref/activity', { ref: id, days: DAYS }))
  const [isHiding, setHiding] = useState(false)
  const activities = body === undefined ? [] : activitiesIn(body)
  const hidden = body?.hidden.filter(({ is_restored }) => !is_restored) ?? []
  const restore = async (step: number) => {
    try {
      await post('/user/:ref/activity/restore', { ref: id, id: step })
      showToast({ kind: 'done', text: 'It can be read again.' })
    } catch (reason) {
      showFault(reason)
    }
    reload()
    onChange()
  }
  return (
    <section class="person-part" aria-label="Lately">
      <h3>Lately</h3>
      {fault !== undefined && <p class="error">{fault.message}</p>}
      {body !== undefined && activities.length === 0 && <p class="muted">Nothing in the last {DAYS} days.</p>}
      <ul>
        {activities.slice(0, SHOWN).map(({ icon, words, bug, at, text }) => (
          <li key={`${words} ${at} ${text}`} class="person-row">
            <Icon name={icon} size="small" />
            <span class="grow truncated" title={text}>
              {words}{' '}
              <a class="link" href={hrefOf(bugAddress(bug))}>
                {bug}
              </a>{' '}
              <span dir="auto">{text}</span>
            </span>
            <span class="faint">
              <Time at={at} />
            </span>
          </li>
        ))}
      </ul>
      {activities.length > SHOWN && <p class="faint small">and {activities.length - SHOWN} more</p>}
      {hidden.map((step) => (
        <p key={step.id} class="row wrap">
          <span class="grow">Hidden {<Time at={step.at} isInSentence />}</span>
          <Button size="small" icon="undo" onClick={() => void restore(step.id)}>
            Show it again
          </Button>
        </p>
      ))}
      {activities.length > 0 && (
        <div>
          <Button size="small" onClick={() => setHiding(true)}>
            Hide what they wrote…
          </Button>
        </div>
      )}
      {isHiding && (
        <HideDialog
          id={id}
          counts={body}
          onClose={() => setHiding(false)}
          onHidden={() => {
            reload()
            onChange()
          }}
          onRestore={restore}
        />
      )}
    </section>
  )
}

interface HideProps {
  id: number
  counts: Activity | undefined
  onClose(): void
  onHidden(): void
  onRestore(step: number): Promise<void>
}

function HideDialog({ id, counts, onClose, onHidden, onRestore }: HideProps) {
  const hide = async () => {
    onClose()
    try {
      const made = await post('/user/:ref/activity/hide', { ref: id, days: DAYS })
      showToast({
        kind: 'done',
        text: `${made.comments} comments and ${made.attachments} attachments are hidden.`,
        action: { name: 'Undo', run: () => void onRestore(made.id) },
      })
      onHidden()
    } catch (fault) {
      showFault(fault)
    }
  }
  return (
    <Dialog
      title="Hide what they wrote?"
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>Leave it</Button>
          <Button kind="danger" onClick={() => void hide()}>
            Hide it
          </Button>
        </>
      }
    >
      <p>
        Of the last {DAYS} days: {counts?.comments.length} comments get the tag spam and are folded, and{' '}
        {counts?.attachments.length} attachments become obsolete. Bugs stay where they are. It can be undone here, and
        does not stop the account: disable it for that.
      </p>
    </Dialog>
  )
}

interface OneActivity {
  icon: string
  words: string
  bug: number
  at: string
  text: string
}

function activitiesIn({ bugs, comments, attachments }: Activity): OneActivity[] {
  return [
    ...bugs.map((it) => ({ icon: 'plus', words: 'filed', bug: it.id, at: it.creation_time, text: it.summary })),
    ...comments
      // The description of a bug is listed as the bug.
      .filter(({ count }) => count > 0)
      .map((it) => ({ icon: 'comment', words: 'commented on', bug: it.bug_id, at: it.time, text: it.text })),
    ...attachments.map((it) => ({
      ...{ icon: 'clip', words: 'attached to', bug: it.bug_id, at: it.creation_time, text: it.file_name },
    })),
  ].sort((one, other) => other.at.localeCompare(one.at))
}
