import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { me } from '../../../core/account/session.ts'
import { query } from '../../../core/router.ts'
import { showToast } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Combobox } from '../../../parts/combobox.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { displayValue, Status } from '../../../parts/glyphs.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { Menu } from '../../../parts/menu.tsx'
import { bugsLike } from '../../../parts/options.ts'
import type { BugStore } from '../bug-store.ts'
import { stepInComposer } from '../composer/composed.ts'
import { putUnlessChanged, showNotSaved } from '../properties/save.ts'
import { useBug, useBugStore } from '../use-bug.ts'
import { isStatusAsSeen, statusConflict, statusInFull } from './status-change.ts'
import { type Step, stepsFrom } from './steps.ts'

type StatusChange = { status?: string; resolution?: string; dupe_of?: string }

/** Saves a status at once, and offers to undo it if the workflow allows that. `from` is the status that the reader saw. */
export async function saveStatus(store: BugStore, change: StatusChange, name: string, from: Step['from']) {
  const { dupe_of: other } = store.bug.value ?? {}
  const retry = (seen: Step['from']) => saveStatus(store, change, name, seen)
  const isAsSeen = () => isStatusAsSeen(store, from)
  try {
    if (!(await putUnlessChanged(store, () => change, isAsSeen))) return await showOtherStatus(store, name, retry)
    await store.reload()
    store.setConflict('status', undefined)
    const before = { status: from.status, ...(from.resolution !== '' && { resolution: from.resolution }) }
    const undo = other ? { dupe_of: String(other) } : before
    const now = seenNow(store)
    showToast({
      kind: 'done',
      text: `Status is now ${statusInFull(store)}.`,
      action: { name: 'Undo', run: () => saveStatus(store, undo, displayValue(before.status), now) },
    })
  } catch (fault) {
    showNotSaved(fault, () => retry(from))
  }
}

function seenNow(store: BugStore): Step['from'] {
  const { status = '', resolution = '' } = store.bug.value ?? {}
  return { status, resolution }
}

/** Both are shown in place of the status, and nothing is overwritten. */
async function showOtherStatus(store: BugStore, name: string, retry: (seen: Step['from']) => void) {
  const seen = seenNow(store)
  store.setConflict('status', {
    ...(await statusConflict(store, name)),
    setMine: () => {
      store.setConflict('status', undefined)
      retry(seen)
    },
  })
}

/** The status, as the one button of the page's head. */
export function StatusMenu() {
  const store = useBugStore()
  const bug = useBug()
  const { status, resolution } = bug
  const [isDuplicate, setDuplicate] = useState(false)
  const shown = (
    <>
      <Status value={bug.status} isOpen={bug.is_open} />
      {bug.resolution !== '' && <span class="faint">{displayValue(bug.resolution).toLowerCase()}</span>}
    </>
  )
  const steps = store.access.value === undefined || store.asOf.value !== undefined ? [] : stepsFrom(store, bug)
  if (steps.every(({ refused }) => refused !== undefined)) return <PlainStatus>{shown}</PlainStatus>
  const take = (step: Step) => {
    if (step.isDuplicate) setDuplicate(true)
    else if (step.needsComment) stepInComposer(step)
    else void saveStatus(store, step.change, step.name, step.from)
  }
  return (
    <>
      <Menu
        label={`Status: ${statusInFull(store)}`}
        buttonClass="button status-button"
        button={
          <>
            {shown}
            <Icon name="down" />
          </>
        }
        items={steps.map((step) => ({
          name: step.name,
          refused: step.refused,
          ...(step.needsComment && { note: 'with a comment' }),
          run: () => take(step),
        }))}
      />
      {isDuplicate && (
        <DuplicateDialog
          onClose={() => setDuplicate(false)}
          onChoice={(other) => {
            setDuplicate(false)
            void saveStatus(store, { dupe_of: other }, `Duplicate of ${other}`, { status, resolution })
          }}
        />
      )}
    </>
  )
}

/** For members it has the measures of the button, so that nothing moves when their rights are known. */
function PlainStatus({ children }: { children: ComponentChildren }) {
  const isMember = me.value !== undefined && !query.value.has('as_of')
  return (
    <span class={isMember ? 'button status-button status-text' : 'status-text'} data-field="status">
      <span class="menu-button">
        {children}
        {isMember && <Icon name="down" />}
      </span>
    </span>
  )
}

export function DuplicateDialog({ onChoice, onClose }: { onChoice(other: string): void; onClose(): void }) {
  const bug = useBug()
  const [other, setOther] = useState('')
  return (
    <Dialog
      title={`Which bug is ${bug.id} a duplicate of?`}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>Leave it open</Button>
          <Button
            kind="primary"
            onClick={() => onChoice(other)}
            {...(other === '' && { unavailable: 'Choose the other bug first' })}
          >
            Mark as duplicate
          </Button>
        </>
      }
    >
      <Combobox
        label="The other bug"
        value={other}
        placeholder="Number, alias or words"
        options={(text) => bugsLike(text, bug.id)}
        onChoice={({ value }) => setOther(value.trim())}
        isFree
        hasFocus
      />
    </Dialog>
  )
}
