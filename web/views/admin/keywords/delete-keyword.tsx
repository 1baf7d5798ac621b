import { useEffect, useState } from 'preact/hooks'
import { showToast } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { SelectField } from '../../../parts/field.tsx'
import { FormFault } from '../../../parts/form-fault.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { changeOne, type Effects, effectsOf, refusalOf } from '../change-one.ts'
import { lookForRemovals } from '../removals/removals.ts'
import type { Keyword } from './keyword.ts'

interface Props {
  keyword: Keyword
  /** Names of the other keywords. */
  others: readonly string[]
  version: number
  onClose(): void
  onDeleted(): void
}

/** What happens is counted before one decides, because it cannot be undone. */
export function DeleteKeyword({ keyword: { id, name }, others, version, onClose, onDeleted }: Props) {
  const [effects, setEffects] = useState<Effects>()
  const [refusal, setRefusal] = useState<string>()
  const [into, setInto] = useState('')
  const params = into === '' ? {} : { replace_with: into, in_steps: true }
  const change = { method: 'DELETE', path: `/rest/keyword/${id}`, params } as const
  useEffect(() => {
    let isLatest = true
    const show = (found: Effects | undefined, why?: string) => {
      if (!isLatest) return
      setEffects(found)
      setRefusal(why)
    }
    show(undefined)
    effectsOf(change).then(show, (fault) => show(undefined, refusalOf(fault)))
    return () => {
      isLatest = false
    }
  }, [into])
  const isGoingOn = effects?.removals !== undefined
  const bugs = effects?.removals?.[0]?.bugs ?? effects?.changes[0]?.bugs
  const { submit, isBusy, fault } = useSubmit(async () => {
    try {
      await changeOne(change, version)
    } catch (reason) {
      throw new Error(refusalOf(reason))
    }
    void lookForRemovals().catch(() => {})
    const merged = isGoingOn ? 'is being merged' : 'is merged'
    showToast({ kind: 'done', text: into === '' ? `“${name}” is deleted.` : `“${name}” ${merged} into “${into}”.` })
    onClose()
    onDeleted()
  })
  return (
    <Dialog
      title={`Delete “${name}”?`}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button kind="danger" isBusy={isBusy} onClick={(event) => void submit(event)}>
            {into === '' ? 'Delete the keyword' : 'Merge and delete'}
          </Button>
        </>
      }
    >
      {others.length > 0 && (
        <SelectField
          label="Its bugs get"
          value={into}
          options={[{ value: '', name: 'nothing' }, ...others.map((it) => ({ value: it, name: it }))]}
          onChoice={setInto}
        />
      )}
      <p role="status">
        {effects === undefined && refusal === undefined && 'Counting…'}
        {effects !== undefined && resultInWords(bugs, into)}
      </p>
      {into === '' ? (
        <p>
          Their history keeps it. This cannot be undone; to stop it from being used, describe it as old instead.
          Searches for it find nothing any more.
        </p>
      ) : (
        <p>
          Each bug gets a line of history and mail, and saved searches follow. This cannot be undone; bugs that you may
          not see are changed, too.
          {isGoingOn && ' They are so many that it goes on after you have saved, some at a time, while others work.'}
        </p>
      )}
      <FormFault text={fault?.message ?? refusal} />
    </Dialog>
  )
}

/** `bugs` is undefined for readers who may not learn how many there are. */
function resultInWords(bugs: number | undefined, into: string) {
  if (bugs === undefined) return into === '' ? 'Bugs that have it lose it.' : `Bugs that have it get ${into}.`
  if (bugs === 0) return 'No bug has it.'
  const [one, many] = into === '' ? ['loses it', 'lose it'] : [`gets ${into}`, `get ${into}`]
  return bugs === 1 ? `1 bug ${one}.` : `${bugs.toLocaleString()} bugs ${many}.`
}
