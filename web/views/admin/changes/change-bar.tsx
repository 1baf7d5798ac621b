import { useEffect, useRef, useState } from 'preact/hooks'
import { nameInSentence } from '../../../core/name-in-sentence.ts'
import { currentAddress, go } from '../../../core/router.ts'
import { isRefusedFor, put } from '../../../core/server/rest.ts'
import { showToast } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { focusHeading } from '../../../parts/focus-back.ts'
import { Icon } from '../../../parts/icon.tsx'
import { Time } from '../../../parts/time.tsx'
import { lookForRemovals } from '../removals/removals.ts'
import { type Change, planCalls } from './change-draft.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import { type ChangedObject, type Effect, type Effects, type NamedObject, refusalInWords } from './effects-in-words.ts'
import { PreviewDialog } from './preview-dialog.tsx'
import type { Place } from './use-place.ts'

interface Props<State> {
  place: Place<State>
  /** What an object is called in the sentences of the preview. */
  nameOf?(object: ChangedObject): NamedObject | undefined
  /** Further sentences of the preview. */
  more?(effects: Effects): Effect[]
  /** The address of the page after these changes are saved, if they change it. */
  movedTo?(changes: readonly Change[]): string | undefined
}

const nameless = () => undefined

/** The changes that are not saved, by name; what they would do; and the way to save or discard them. */
export function ChangeBar<State>({ place, nameOf = nameless, more, movedTo }: Props<State>) {
  const { draft, conflicts } = place
  const changes = draft.changes.value
  const [shown, setShown] = useState<'preview' | 'conflict'>()
  const { save, isBusy, refusal, forget } = useSaving(place, movedTo)
  useNoticeOfDraft(place)
  useEffect(() => {
    if (changes.length === 0) forget()
  }, [changes.length === 0])
  if (changes.length === 0) return null
  const trySave = async () => {
    if (conflicts.length > 0 || (await save()) === 'conflict') setShown('conflict')
  }
  const discard = () => {
    const dropped = [...changes]
    draft.clear()
    focusHeading()
    showToast({
      kind: 'done',
      text: `${counted(dropped.length)} discarded.`,
      action: { name: 'Undo', run: () => dropped.forEach(place.change) },
    })
  }
  const titles = changes.map(({ title }) => nameInSentence(title)).join(', ')
  return (
    <section class="change-bar" aria-label="Changes that are not saved">
      <div class="change-bar-text">
        <b role="status">{counted(changes.length)} not saved</b>
        <span class="muted truncated" title={titles} dir="auto">
          {titles}
        </span>
        {draft.wasKept.value && (
          <span class="faint small">
            kept in this browser since <Time at={draft.since} isInSentence />
          </span>
        )}
      </div>
      <div class="change-bar-buttons">
        <Button kind="quiet" onClick={discard}>
          Discard
        </Button>
        {conflicts.length > 0 ? (
          <Button kind="primary" icon="warn" onClick={() => setShown('conflict')}>
            Compare with what was saved
          </Button>
        ) : (
          <>
            <Button icon="eye" onClick={() => setShown('preview')}>
              Preview what happens
            </Button>
            <Button
              kind="primary"
              isBusy={isBusy}
              onClick={() => (changes.some(({ isFinal }) => isFinal) ? setShown('preview') : void trySave())}
            >
              {isBusy ? 'Saving…' : 'Save'}
            </Button>
          </>
        )}
      </div>
      <div role="alert" class="change-bar-refusal">
        {refusal !== undefined && (
          <span class="error">
            <Icon name="warn" size="small" />
            {refusal}
          </span>
        )}
      </div>
      {shown === 'preview' && (
        <PreviewDialog
          changes={changes}
          nameOf={nameOf}
          more={more}
          onClose={() => setShown(undefined)}
          onSave={() => {
            setShown(undefined)
            void trySave()
          }}
        />
      )}
      {shown === 'conflict' && <ConflictDialog place={place} onClose={() => setShown(undefined)} />}
    </section>
  )
}

function counted(number: number) {
  return number === 1 ? '1 change' : `${number} changes`
}

type Saved = 'saved' | 'conflict' | 'refused'

function useSaving<State>(place: Place<State>, movedTo?: Props<State>['movedTo']) {
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const send = async (isAgain: boolean): Promise<Saved> => {
    const changes = place.draft.changes.value
    const calls = planCalls(changes)
    try {
      await put(
        '/admin/changes',
        { changes: calls.map(({ call }) => call) },
        { 'If-Match': `"${place.draft.version}"` },
      )
    } catch (fault) {
      if (!isRefusedFor(fault, 'configuration_changed')) {
        const titles = calls.map((it) => it.titles)
        setRefusal(refusalInWords((fault as Error).message, titles))
        return 'refused'
      }
      // Another administrator has saved. If it is not about the same values, the changes are made to the new state.
      if ((await readAgain(place)).length > 0 || isAgain) return 'conflict'
      return send(true)
    }
    const address = movedTo?.(changes)
    if (address === undefined) await place.settle(changes)
    else {
      place.draft.clear()
      go(address, 'replace')
    }
    if (place.draft.changes.value.length === 0) focusHeading()
    void lookForRemovals().catch(() => {})
    showToast({ kind: 'done', text: `${place.title}: ${counted(changes.length)} saved.` })
    return 'saved'
  }
  const save = async () => {
    if (isBusy) return 'refused'
    setBusy(true)
    setRefusal(undefined)
    try {
      return await send(false)
    } catch (fault) {
      setRefusal((fault as Error).message)
      return 'refused'
    } finally {
      setBusy(false)
    }
  }
  return { save, isBusy, refusal, forget: () => setRefusal(undefined) }
}

/** It cannot be read if it was renamed or deleted: the page still has what was typed. */
async function readAgain<State>(place: Place<State>) {
  try {
    return await place.reload()
  } catch (fault) {
    const why = (fault as Error).message
    throw new Error(
      `Another administrator has changed it meanwhile: ${why} Nothing is saved, and your changes stay here.`,
    )
  }
}

/** Leaving the page keeps the changes: a message says so, with the way back. */
function useNoticeOfDraft<State>({ draft, title }: Place<State>) {
  const address = useRef(currentAddress.value.path)
  useEffect(
    () => () => {
      const { length } = draft.changes.value
      if (length === 0) return
      showToast({
        kind: 'done',
        text: `${title}: ${counted(length)} not saved, kept as a draft.`,
        action: { name: 'Go back', run: () => go(address.current) },
      })
    },
    [draft],
  )
}
