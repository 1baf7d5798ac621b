import { useState } from 'preact/hooks'
import { put } from '../../../core/server/rest.ts'
import type { Attachment } from '../../../core/server/types.ts'
import { showFault, showToast } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { TextField } from '../../../parts/field.tsx'
import type { BugStore } from '../bug-store.ts'
import { useBugStore } from '../use-bug.ts'

type Change = Partial<
  Pick<Attachment, 'summary' | 'file_name' | 'content_type' | 'is_patch' | 'is_obsolete' | 'is_private'>
>

async function changeAttachment(store: BugStore, id: number, change: Change, words: string, undo?: Change) {
  try {
    await put('/bug/attachment/:attachment_id', { attachment_id: id, ...change })
    await store.reload()
    const action = undo && { name: 'Undo', run: () => changeAttachment(store, id, undo, words) }
    showToast({ kind: 'done', text: words, ...(action && { action }) })
  } catch (fault) {
    showFault(fault)
  }
}

/** Where those who may change it do so. */
export function DetailsForm({ attachment }: { attachment: Attachment }) {
  const store = useBugStore()
  const [summary, setSummary] = useState(attachment.summary)
  const { id, is_obsolete: isObsolete, is_patch: isPatch, is_private: isPrivate } = attachment
  const toggle = (change: Change, undo: Change, words: string) => changeAttachment(store, id, change, words, undo)
  return (
    <>
      <form
        class="row attachment-form"
        onSubmit={(event) => {
          event.preventDefault()
          void changeAttachment(store, id, { summary }, 'The summary is changed.', { summary: attachment.summary })
        }}
      >
        <TextField label="Summary" value={summary} onText={setSummary} />
        {summary !== attachment.summary && (
          <Button type="submit" size="small">
            Save
          </Button>
        )}
      </form>
      <label class="checkbox-label">
        <input
          class="checkbox"
          type="checkbox"
          checked={isObsolete}
          onChange={() =>
            toggle(
              { is_obsolete: !isObsolete },
              { is_obsolete: isObsolete },
              isObsolete ? 'It is in use again.' : 'It is obsolete now.',
            )
          }
        />
        Obsolete
      </label>
      <label class="checkbox-label">
        <input
          class="checkbox"
          type="checkbox"
          checked={isPatch}
          onChange={() =>
            toggle(
              { is_patch: !isPatch },
              { is_patch: isPatch },
              isPatch ? 'It is no patch now.' : 'It is a patch now.',
            )
          }
        />
        Patch
      </label>
      {store.may('comment_is_private') && (
        <label class="checkbox-label">
          <input
            class="checkbox"
            type="checkbox"
            checked={isPrivate}
            onChange={() =>
              toggle(
                { is_private: !isPrivate },
                { is_private: isPrivate },
                isPrivate ? 'It is public now.' : 'It is private now.',
              )
            }
          />
          Private
        </label>
      )}
    </>
  )
}
