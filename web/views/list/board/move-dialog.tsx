import { useState } from 'preact/hooks'
import type { FieldList } from '../../../core/bugs/fields.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { SelectField } from '../../../parts/field.tsx'
import { displayValue } from '../../../parts/glyphs.tsx'
import { type CardMove, sendMove } from './board-moves.ts'

/** Asks for what the move needs: a resolution, a comment. */
export function MoveDialog({ move, fields, onClose }: { move: CardMove; fields: FieldList; onClose(): void }) {
  const resolutions = fields
    .values('resolution')
    .map(({ name }) => name ?? '')
    .filter((name) => name !== '' && name !== 'DUPLICATE')
  const [resolution, setResolution] = useState(resolutions[0] ?? '')
  const [comment, setComment] = useState('')
  const { rule, bug, to } = move
  const lacksComment = rule.needsComment && comment.trim() === ''
  const send = async () => {
    const more = {
      ...(rule.needsResolution && { resolution }),
      ...(comment.trim() !== '' && { comment: { body: comment } }),
    }
    if (await sendMove(move, more, onClose)) onClose()
  }
  return (
    <Dialog
      title={`${bug.id}: ${displayValue(to)}`}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>Put it back</Button>
          <Button
            kind="primary"
            unavailable={lacksComment ? 'This step needs a comment' : undefined}
            onClick={() => void send()}
          >
            Set {displayValue(to)}
          </Button>
        </>
      }
    >
      {rule.needsResolution && (
        <SelectField
          label="Resolution"
          value={resolution}
          options={resolutions.map((value) => ({ value, name: displayValue(value) }))}
          onChoice={setResolution}
        />
      )}
      <label class="field">
        Comment{rule.needsComment ? ' (needed)' : ''}
        <textarea class="input" rows={4} value={comment} onInput={(event) => setComment(event.currentTarget.value)} />
      </label>
    </Dialog>
  )
}
