import { useState } from 'preact/hooks'
import { addressOf } from '../../../shared/rest-address.ts'
import { bugAddress, hrefOf } from '../../core/router.ts'
import { post } from '../../core/server/rest.ts'
import { useData } from '../../core/server/use-data.ts'
import { showFault, showToast } from '../../core/toasts.ts'
import { Button } from '../../parts/button.tsx'
import { SelectField } from '../../parts/field.tsx'
import { Time } from '../../parts/time.tsx'
import {
  type ActivityCounts,
  areZero,
  countsInWords,
  countsOf,
  type HiddenStep,
  type UserActivity,
} from './activity-counts.ts'
import { HideDialog } from './hide-dialog.tsx'

const PERIODS = [
  { value: '1', name: 'The last day' },
  { value: '7', name: 'The last 7 days' },
  { value: '30', name: 'The last 30 days' },
  { value: '36500', name: 'Since the beginning' },
]

/** For administrators: what an account wrote lately, to be hidden in one step, and what was hidden before. */
export function Activity({ id, name }: { id: number; name: string }) {
  const [days, setDays] = useState('7')
  const [isHiding, setHiding] = useState(false)
  const { body, reload } = useData(addressOf('/user/:ref/activity', { ref: id, days }))
  const restore = async (step: number) => {
    try {
      const restored = await post('/user/:ref/activity/restore', { ref: id, id: step })
      showToast({ kind: 'done', text: `Restored: ${countsInWords(restored)}.` })
      reload()
    } catch (fault) {
      showFault(fault)
    }
  }
  const hidden = (step: ActivityCounts & { id: number }) => {
    setHiding(false)
    showToast({
      kind: 'done',
      text: `Hidden: ${countsInWords(step)}.`,
      action: { name: 'Undo', run: () => void restore(step.id) },
    })
    reload()
  }
  return (
    <section class="section stack" aria-label="Activity">
      <div class="section-head">
        <h2>What this account did lately</h2>
      </div>
      <SelectField label="Period" value={days} options={PERIODS} onChoice={setDays} />
      {body !== undefined && <Written activity={body} />}
      {body !== undefined && !areZero(countsOf(body)) && (
        <div>
          <Button kind="danger" onClick={() => setHiding(true)}>
            Hide it all…
          </Button>
        </div>
      )}
      {body !== undefined && body.hidden.length > 0 && <Steps hidden={body.hidden} onRestore={restore} />}
      {isHiding && body !== undefined && (
        <HideDialog id={id} name={name} days={days} activity={body} onDone={hidden} onClose={() => setHiding(false)} />
      )}
    </section>
  )
}

function Written({ activity: { bugs, comments, attachments } }: { activity: UserActivity }) {
  const rows = [
    ...bugs.map((it) => ({
      key: `b${it.id}`,
      bug: it.id,
      hash: '',
      at: it.creation_time,
      text: it.summary,
      what: 'filed',
    })),
    ...comments
      .filter(({ text }) => text !== '')
      .map((it) => ({
        key: `c${it.id}`,
        bug: it.bug_id,
        hash: `#c${it.count}`,
        at: it.time,
        text: it.text,
        what: 'wrote',
      })),
    ...attachments.map((it) => ({
      key: `a${it.id}`,
      bug: it.bug_id,
      hash: '',
      at: it.creation_time,
      text: it.summary,
      what: it.is_obsolete ? 'attached (obsolete)' : 'attached',
    })),
  ].sort((one, other) => other.at.localeCompare(one.at))
  if (rows.length === 0) return <p class="card empty-line">Nothing in this time.</p>
  return (
    <ul class="card rows">
      {rows.slice(0, MOST_SHOWN).map(({ key, bug, hash, at, text, what }) => (
        <li key={key} class="bug-row">
          <a class="link" href={hrefOf(`${bugAddress(bug)}${hash}`)}>
            {bug}
          </a>
          <span class="faint small">{what}</span>
          <span class="grow truncated" dir="auto">
            {text.slice(0, LONGEST)}
          </span>
          <span class="faint small">
            <Time at={at} />
          </span>
        </li>
      ))}
      {rows.length > MOST_SHOWN && <li class="bug-row faint">and {rows.length - MOST_SHOWN} more</li>}
    </ul>
  )
}

const MOST_SHOWN = 50
const LONGEST = 200

function Steps({ hidden, onRestore }: { hidden: readonly HiddenStep[]; onRestore(id: number): void }) {
  return (
    <>
      <h3>Hidden so far</h3>
      <ul class="card rows">
        {hidden.toReversed().map((step) => (
          <li key={step.id} class="bug-row">
            <span class="grow">{countsInWords(step)}</span>
            <span class="faint small">
              <Time at={step.at} />
            </span>
            {step.is_restored ? (
              <span class="faint small">restored</span>
            ) : (
              <Button size="small" onClick={() => onRestore(step.id)}>
                Undo
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
