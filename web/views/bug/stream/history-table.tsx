import { useState } from 'preact/hooks'
import { shownHistory } from '../../../core/bugs/hidden-fields.ts'
import { personBy } from '../../../core/bugs/people.ts'
import { isSignedIn } from '../../../core/server/rest.ts'
import type { HistoryEntry } from '../../../core/server/types.ts'
import { exactTime } from '../../../core/times.ts'
import { Person } from '../../../parts/person.tsx'
import { ScrollRegion } from '../../../parts/scroll-region.tsx'
import { Empty } from '../../../parts/states.tsx'
import { TableHead } from '../../../parts/table-head.tsx'
import { Time } from '../../../parts/time.tsx'
import { UndoDialog } from '../../../parts/undo-dialog.tsx'
import { labelOf } from '../properties/field-names.ts'
import { useBugStore } from '../use-bug.ts'
import { Value } from './changed-value.tsx'
import { sourceWords } from './source-words.ts'

/** Every change of every field, oldest first. */
export function HistoryTable() {
  const store = useBugStore()
  const [undoing, setUndoing] = useState<number>()
  const until = store.asOf.value
  const history = shownHistory(store.history.value).filter(({ when }) => until === undefined || when <= until)
  if (history.length === 0)
    return (
      <Empty icon="history" title="Nothing was changed yet">
        <p>Each change of a field is listed here, with its author and its time.</p>
      </Empty>
    )
  const labels = store.fields.value
  return (
    <>
      <ScrollRegion class="scroll-box" label="History">
        <table class="table history-table">
          <TableHead columns={['When', 'Who', 'What', 'Before', 'After']} />
          <tbody>
            {history.flatMap((entry) =>
              entry.changes.map((change, place) => (
                <tr key={`${entry.when}${entry.who}${place}`} class={place === 0 ? undefined : 'is-more'}>
                  <td class="nowrap" title={exactTime(entry.when)}>
                    {place === 0 && <Time at={entry.when} />}
                  </td>
                  <td class="nowrap history-person">
                    {place === 0 && (
                      <>
                        <Person person={personBy(entry.who)} short />
                        <ChangeSource entry={entry} onUndo={() => setUndoing(entry.change_id)} />
                      </>
                    )}
                  </td>
                  <td>
                    {change.field_name === 'flagtypes.name' ? 'Requests' : labelOf(change.field_name, labels)}
                    {change.attachment_id !== undefined && ` (attachment ${change.attachment_id})`}
                  </td>
                  <td dir="auto">
                    <s>
                      <Value name={change.field_name} value={change.removed} />
                    </s>
                  </td>
                  <td dir="auto">
                    <Value name={change.field_name} value={change.added} />
                  </td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </ScrollRegion>
      {undoing !== undefined && (
        <UndoDialog
          title="Undo this change?"
          what={{ id: undoing }}
          onClose={() => setUndoing(undefined)}
          onDone={() => void store.reload()}
        />
      )}
    </>
  )
}

/** By what the change was made, what it has undone, and the button to undo it. */
function ChangeSource({ entry, onUndo }: { entry: HistoryEntry; onUndo(): void }) {
  const words = [sourceWords(entry.source), entry.undoes === undefined ? '' : 'undoes an earlier change']
  const shown = words.filter((it) => it !== '').join(', ')
  return (
    <>
      {shown !== '' && (
        <span class="history-source faint small" dir="auto">
          {shown}
        </span>
      )}
      {entry.change_id !== undefined && isSignedIn.value && (
        <>
          {' '}
          <button type="button" class="button-plain small" onClick={onUndo}>
            Undo…
          </button>
        </>
      )}
    </>
  )
}
